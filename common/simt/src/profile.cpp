#include "profile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena.h"
#include "fiber.h"
#include "heap.h"
#include "hot.h"
#include "scheduler.h"
#include "simt/inspect.h"
#include "trace.h"

namespace simt::profile {

bool active = false;

namespace {

constexpr std::size_t most_launches = 100'000;  // remembered between two calls of take_counts()

bool wanted = false;
std::vector<LaunchCounts> finished;
LaunchCounts current;
HostCounts host;

constexpr std::uintptr_t address_mask = (std::uintptr_t{1} << 48) - 1;

enum class Stop : std::uint8_t { elsewhere, step, access };
enum class Space : std::uint8_t { none, global, shared };

// Where a thread stands.
struct Place {
  // Small for who is furthest behind: a thread that has not begun, then inner calls before outer
  // ones, then by address.
  std::uint64_t rank = 0;
  Stop stop = Stop::elsewhere;
  bool parked = false;
  // Before an access.
  AccessType type = AccessType::read;
  Space space = Space::none;
  bool whole = true;             // one instruction, however many bytes
  std::uint32_t operations = 0;  // floating-point operations of a step
  std::uint32_t bytes = 0;
  std::uintptr_t address = 0;
};

struct BlockState {
  std::vector<Place> places;
  unsigned warp = 0;
  std::uint32_t left = 0;  // lanes of the warp that still have to take the step that began
};
std::vector<BlockState> blocks;  // by slot

// ---- Requests ----

// The different sectors that a launch touched, a bit each, 4 KiB of memory a page.
class SectorSet {
 public:
  bool insert(std::uintptr_t sector) {
    const std::uintptr_t page = sector / 128;
    if (page != last_page_ || last_ == nullptr) {
      std::unique_ptr<Page>& bits = pages_[page];
      if (bits == nullptr) bits = std::make_unique<Page>();
      last_page_ = page;
      last_ = bits.get();
    }
    const std::size_t bit = sector % 128;
    if (last_->test(bit)) return false;
    last_->set(bit);
    return true;
  }
  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

 private:
  using Page = std::bitset<128>;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_page_ = 0;
  Page* last_ = nullptr;
};
std::array<SectorSet, 3> touched;  // by AccessType

struct Part {
  std::uintptr_t address;
  std::uint32_t bytes;
};

// One request: what each of the lanes that take part wants.
struct Request {
  std::array<Part, 32> parts;
  unsigned count = 0;
  void add(std::uintptr_t address, std::uint32_t bytes) { parts[count++] = {address, bytes}; }
};

void count_global(const Request& request, Traffic& traffic, SectorSet& seen) {
  struct Sector {
    std::uintptr_t number;
    std::uint32_t mask;  // its bytes
  };
  std::array<Sector, 64> sectors;
  unsigned count = 0;
  const auto touch = [&](std::uintptr_t number, std::uint32_t mask) {
    for (unsigned i = count; i-- > 0;) {
      if (sectors[i].number != number) continue;
      sectors[i].mask |= mask;
      return;
    }
    sectors[count++] = {number, mask};
  };
  for (unsigned i = 0; i < request.count; ++i) {
    const Part& part = request.parts[i];
    const unsigned inside = part.address % 32;
    const std::uint64_t mask = ((std::uint64_t{1} << part.bytes) - 1) << inside;
    touch(part.address / 32, static_cast<std::uint32_t>(mask));
    if ((mask >> 32) != 0) touch(part.address / 32 + 1, static_cast<std::uint32_t>(mask >> 32));
  }
  unsigned bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    bytes += static_cast<unsigned>(std::popcount(sectors[i].mask));
    if (seen.insert(sectors[i].number)) ++traffic.different;
  }
  traffic.transactions += count;
  traffic.best += (bytes + 31) / 32;
}

// A pass serves each bank once; lanes that want the same word share it. Accesses of 8 bytes are
// made half a warp at a time, those of 16 a quarter.
void count_shared(const std::array<std::uint8_t, 32>& lane_of, const Request& request,
                  std::uint32_t bytes, Traffic& traffic) {
  const int lanes_a_part = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  for (unsigned begin = 0; begin < request.count;) {
    std::array<std::array<std::uintptr_t, 32>, 32> words;  // of each bank
    std::array<unsigned, 32> counts{};
    const int part = lane_of[begin] / lanes_a_part;
    unsigned most = 0;
    unsigned total = 0;
    unsigned i = begin;
    for (; i < request.count && lane_of[i] / lanes_a_part == part; ++i) {
      const std::uintptr_t last = (request.parts[i].address + bytes - 1) / 4;
      for (std::uintptr_t word = request.parts[i].address / 4; word <= last; ++word) {
        auto& bank = words[word % 32];
        unsigned& count = counts[word % 32];
        if (std::find(bank.begin(), bank.begin() + count, word) != bank.begin() + count) continue;
        if (count == bank.size()) continue;
        bank[count++] = word;
        most = std::max(most, count);
        ++total;
      }
    }
    traffic.transactions += most;
    traffic.best += (total + 31) / 32;
    begin = i;
  }
}

// Lanes that want one address wait for each other.
void count_crowd(const Request& request, Traffic& traffic) {
  unsigned most = 0;
  for (unsigned i = 0; i < request.count; ++i) {
    unsigned same = 0;
    for (unsigned j = 0; j < request.count; ++j) {
      same += request.parts[i].address == request.parts[j].address;
    }
    most = std::max(most, same);
  }
  traffic.crowd += most;
}

Traffic& traffic_of(Space space, AccessType type) {
  switch (type) {
    case AccessType::read:
      return space == Space::global ? current.global_loads : current.shared_loads;
    case AccessType::write:
      return space == Space::global ? current.global_stores : current.shared_stores;
    case AccessType::atomic:
      break;
  }
  return space == Space::global ? current.global_atomics : current.shared_atomics;
}

// Bytes that one instruction can move: an object of no vector type is copied word by word.
std::uint32_t unit(const Place& place) {
  if (place.whole && place.bytes <= 16) return place.bytes;
  if (place.bytes % 16 == 0 && place.bytes > 16 && place.address % 16 == 0) return 16;
  if (place.bytes % 4 == 0 && place.address % 4 == 0) return 4;
  return place.bytes % 2 == 0 && place.address % 2 == 0 ? 2 : 1;
}

void add(Traffic& sum, const Traffic& request) {
  sum.requests += request.requests;
  sum.lanes += request.lanes;
  sum.bytes += request.bytes;
  sum.transactions += request.transactions;
  sum.best += request.best;
  sum.different += request.different;
  sum.crowd += request.crowd;
}

std::uintptr_t pc_of(const Place& place) {
  return place.rank & address_mask;
}

void count_requests(const Block& block, unsigned warp, const Place* places, std::uint32_t lanes) {
  // Lanes at one instruction want the same, but for copies of unknown length.
  while (lanes != 0) {
    const Place& first = places[std::countr_zero(lanes)];
    std::uint32_t alike = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const Place& place = places[lane];
      if (place.type == first.type && place.space == first.space && place.bytes == first.bytes &&
          unit(place) == unit(first)) {
        alike |= 1u << lane;
      }
    }
    lanes &= ~alike;
    if (first.space == Space::none) continue;
    const std::uint32_t step = unit(first);
    for (std::uint32_t done = 0; done < first.bytes; done += step) {
      Request request;
      std::array<std::uint8_t, 32> lane_of{};
      for (std::uint32_t rest = alike; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        lane_of[request.count] = static_cast<std::uint8_t>(lane);
        request.add(places[lane].address + done, step);
      }
      Traffic traffic;
      traffic.requests = 1;
      traffic.lanes = request.count;
      traffic.bytes = std::uint64_t{request.count} * step;
      if (first.space == Space::global) {
        count_global(request, traffic, touched[static_cast<std::size_t>(first.type)]);
      } else {
        count_shared(lane_of, request, step, traffic);
      }
      if (first.type == AccessType::atomic) count_crowd(request, traffic);
      add(traffic_of(first.space, first.type), traffic);
      if (!trace::active) continue;
      trace::Request traced{first.type, first.space == Space::shared, pc_of(first), alike, step,
                            {}};
      for (unsigned i = 0; i < request.count; ++i) {
        traced.addresses[lane_of[i]] = request.parts[i].address;
      }
      trace::request(block, warp, traced, traffic);
    }
  }
}

// ---- Lockstep ----

BlockState& state_of(const Block& block) {
  return blocks[block.slot];
}

Place& place_of(const Thread& thread) {
  return state_of(*thread.block).places[thread.linear];
}

std::uint64_t rank(const Thread& thread, std::uintptr_t pc) {
  constexpr std::uint64_t deepest = 0x7fff;
  const auto depth = static_cast<std::uint64_t>(std::max(thread.depth, 0));
  return (std::uint64_t{1} << 63) | ((deepest - std::min(depth, deepest)) << 48) |
         (pc & address_mask);
}

std::uint32_t ready_lanes(const Block& block, unsigned warp) {
  return static_cast<std::uint32_t>(block.ready[warp / 2] >> (warp % 2 * 32));
}

// Chooses the lanes of the warp that take the next step together. 0: none can.
std::uint32_t furthest_behind(const Block& block, BlockState& state, unsigned warp) {
  std::uint32_t chosen = 0;
  std::uint64_t lowest = ~std::uint64_t{0};
  Place* places = &state.places[warp * 32];
  for (std::uint32_t rest = ready_lanes(block, warp); rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (places[lane].parked) continue;
    if (places[lane].rank > lowest) continue;
    if (places[lane].rank < lowest) chosen = 0;
    lowest = places[lane].rank;
    chosen |= 1u << lane;
  }
  return chosen;
}

bool choose(const Block& block, BlockState& state) {
  const auto warps = static_cast<unsigned>(block.warps.size());
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (unsigned i = 0; i < warps; ++i) {
      const unsigned warp = (state.warp + i) % warps;
      const std::uint32_t lanes = furthest_behind(block, state, warp);
      if (lanes == 0) continue;
      state.warp = warp;
      state.left = lanes;
      const Place* places = &state.places[warp * 32];
      const Stop stop = places[std::countr_zero(lanes)].stop;
      if (stop == Stop::step) {
        ++current.steps;
        const auto together = static_cast<unsigned>(std::popcount(lanes));
        current.step_lanes += together;
        current.operations += std::uint64_t{together} * places[std::countr_zero(lanes)].operations;
      } else if (stop == Stop::access) {
        count_requests(block, warp, places, lanes);
      }
      return true;
    }
    // Only lanes are left that wait for a change.
    for (Place& place : state.places) place.parked = false;
  }
  return false;
}

Space space_of(const Thread& thread, const Access& access) {
  const std::uintptr_t offset = access.address - hot.base;
  if (offset < arena::bytes()) {
    return offset >= hot.shared_begin ? Space::shared : Space::global;
  }
  if (access.address - thread.fiber->stack_low < fibers::stack_bytes) return Space::none;
  const Allocation* symbol = heap::find_symbol(access.address);
  return symbol == nullptr || symbol->kind == MemoryKind::constant_symbol ? Space::none
                                                                          : Space::global;
}

}  // namespace

void set(bool on) {
  wanted = on;
}
bool on() {
  return wanted;
}

void begin_launch(const Launch& launch) {
  if (!wanted) return;
  active = true;
  current = {};
  current.kernel = launch.site.kernel == nullptr ? "" : launch.site.kernel;
  current.line = launch.site.line;
  current.grid = launch.config.grid;
  current.block = launch.config.block;
  for (SectorSet& set : touched) set.clear();
  trace::begin_launch(launch);
}

void end_launch() {
  if (!active) return;
  active = false;
  if (finished.size() < most_launches) finished.push_back(std::move(current));
}

void begin_block(const Block& block) {
  if (!active) return;
  ++current.blocks;
  if (blocks.size() <= block.slot) blocks.resize(block.slot + 1);
  BlockState& state = state_of(block);
  state.places.assign(block.threads.size(), {});
  state.warp = 0;
  state.left = 0;
}

Thread* next(Block& block) {
  BlockState& state = state_of(block);
  for (;;) {
    for (; state.left != 0;) {
      const int lane = std::countr_zero(state.left);
      state.left &= state.left - 1;
      if ((ready_lanes(block, state.warp) >> lane & 1) != 0) {
        Thread& thread = block.threads[state.warp * 32 + static_cast<unsigned>(lane)];
        // Whatever it waits for next, it is behind what it has done.
        place_of(thread).stop = Stop::elsewhere;
        return &thread;
      }
    }
    if (!choose(block, state)) return nullptr;
  }
}

void park(Thread& thread) {
  if (active) place_of(thread).parked = true;
}

void barrier_released(const Block& block) {
  if (!active) return;
  ++current.barriers;
  trace::barrier(block);
}
void warp_operation(const Warp& warp, std::uint32_t lanes, WarpOp op) {
  if (!active) return;
  ++current.warp_operations;
  trace::warp_operation(warp, lanes, op);
}

void access(Thread& thread, const Access& access) {
  const Space space = space_of(thread, access);
  if (space == Space::none || access.bytes == 0) return;
  Place& place = place_of(thread);
  place.rank = rank(thread, access.pc);
  place.stop = Stop::access;
  place.type = access.type;
  place.space = space;
  place.whole = access.vector_unit;
  place.bytes = static_cast<std::uint32_t>(access.bytes);
  place.address = access.address;
  scheduler::leave(thread);
}

void host_launched() {
  ++host.launches;
}
void host_waited() {
  ++host.waits;
}

}  // namespace simt::profile

namespace simt {

void set_profiling(bool on) {
  profile::set(on);
}
std::vector<LaunchCounts> take_counts() {
  return std::exchange(profile::finished, {});
}
HostCounts take_host_counts() {
  return std::exchange(profile::host, {});
}

}  // namespace simt

// Called at the beginning of each basic block of code compiled with --profile. The compiler driver
// adds the argument: how many floating-point operations the block makes.
extern "C" void __sanitizer_cov_trace_pc(std::uint32_t operations) {
  if (!simt::profile::active) return;
  simt::Thread* thread = simt::hot.thread;
  if (!simt::in_cuda_thread() || thread->depth == 0) return;  // the closure that calls the kernel
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  simt::profile::Place& place = simt::profile::place_of(*thread);
  place.rank = simt::profile::rank(*thread, pc);
  place.stop = simt::profile::Stop::step;
  place.operations = operations;
  simt::profile::current.exact = true;
  simt::scheduler::leave(*thread);
}
