#include "trace.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "hot.h"
#include "names.h"
#include "order.h"
#include "symboliser.h"

namespace simt::trace {

bool active = false;

namespace {

constexpr std::size_t none = ~std::size_t{0};

// Of a step that is kept: what findings are recognised by.
struct Origin {
  std::uintptr_t pc = 0;
  AccessType type = AccessType::read;
  std::array<std::uintptr_t, 32> addresses{};
};

// A race whose severity is known once the launch has ended.
struct OpenRace {
  std::size_t finding;
  const reports::Entry* entry;
};

bool wanted = false;
TraceLimits limits;
std::string module_path;
Trace current;
std::vector<Origin> origins;  // of current.steps
std::vector<OpenRace> open_races;
std::map<std::tuple<std::string, int>, std::size_t> places;
// By kind, step, earlier step and array.
std::map<std::tuple<DiagnosticKind, std::size_t, std::size_t, std::size_t>, std::size_t> found;
std::map<std::tuple<std::uintptr_t, long, std::string, std::size_t>, std::size_t> arrays;

std::size_t launch_index() {
  return current.launches.size() - 1;
}

std::size_t place_of(std::uintptr_t pc, const Thread& thread) {
  const symboliser::Position& position = symboliser::position(reports::learners_pc(pc, thread));
  if (position.line == 0) return 0;
  const auto [entry, fresh] =
      places.try_emplace({position.file, position.line}, current.places.size());
  if (fresh) current.places.push_back({position.file, position.line, {}});
  return entry->second;
}

std::size_t array_of(const names::Element& element, bool shared) {
  // What lies in one place of shared memory differs from launch to launch.
  const std::size_t launch = shared ? launch_index() : none;
  const auto key = std::make_tuple(element.begin, element.length, element.array, launch);
  if (const auto known = arrays.find(key); known != arrays.end()) return known->second;
  if (current.arrays.size() == limits.arrays) return none;
  Trace::Array array;
  array.name = element.array;
  array.shared = shared;
  array.element_bytes = element.element_bytes;
  array.length = element.length;
  array.extents = element.extents;
  array.axes = element.axes;
  array.offset = element.begin % (shared ? 128 : 32);
  current.arrays.push_back(std::move(array));
  return arrays[key] = current.arrays.size() - 1;
}

// Null when there is no room for another step.
Trace::Step* add(const Block& block, Trace::Kind kind) {
  ++current.launches.back().steps;
  if (current.steps.size() == limits.steps) {
    ++current.steps_left_out;
    return nullptr;
  }
  Trace::Step& step = current.steps.emplace_back();
  origins.emplace_back();
  step.kind = kind;
  step.launch = launch_index();
  step.block = block.linear;
  return &step;
}

Trace::Kind kind_of(AccessType type) {
  switch (type) {
    case AccessType::read:
      return Trace::Kind::load;
    case AccessType::write:
      return Trace::Kind::store;
    case AccessType::atomic:
      break;
  }
  return Trace::Kind::atomic;
}

const char* name_of(WarpOp op) {
  switch (op) {
    case WarpOp::sync:
      return "sync";
    case WarpOp::shuffle:
      return "shuffle";
    case WarpOp::match_any:
    case WarpOp::match_all:
      return "match";
    case WarpOp::reduce:
      return "reduce";
    case WarpOp::fragment:
      return "matrix";
    case WarpOp::active_mask:
      return "active mask";
    case WarpOp::none:
    case WarpOp::all:
    case WarpOp::any:
    case WarpOp::uni:
    case WarpOp::ballot:
      break;
  }
  return "vote";
}

// The last step of this launch in which the thread made such an access of the address.
std::size_t find_step(std::size_t block, unsigned thread, std::uintptr_t pc, AccessType type,
                      std::uintptr_t address) {
  const unsigned lane = thread % 32;
  for (std::size_t i = current.steps.size(); i-- > 0;) {
    const Trace::Step& step = current.steps[i];
    if (step.launch != launch_index()) break;
    if (step.block != block || step.warp != thread / 32 || (step.lanes >> lane & 1) == 0) continue;
    const Origin& origin = origins[i];
    // An address may be that of the word, of which the access is a part.
    const std::uintptr_t begin = origin.addresses[lane] & ~std::uintptr_t{3};
    if (step.bytes == 0 || address - begin >= step.bytes + 3) continue;
    if (pc != 0 ? origin.pc == pc : origin.type == type) return i;
  }
  return none;
}

// Adds the hit to the finding of its kind that the two steps have, or to a new one. None when
// there is no room.
std::size_t add_hit(DiagnosticKind kind, std::size_t step, std::size_t other_step, unsigned lane,
                    unsigned other_lane, std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t most_hits = 64;
  const names::Element element = names::element(address, bytes);
  const std::size_t array = step == none ? none : array_of(element, !element.where.empty());
  if (array == none) {
    ++current.findings_left_out;
    return none;
  }
  const auto key = std::make_tuple(kind, step, other_step, array);
  auto known = found.find(key);
  if (known == found.end()) {
    if (current.findings.size() == limits.findings) {
      ++current.findings_left_out;
      return none;
    }
    known = found.emplace(key, current.findings.size()).first;
    Trace::Finding& finding = current.findings.emplace_back();
    finding.kind = kind;
    finding.step = step;
    finding.array = array;
    finding.other_known = other_step != none;
    finding.other_step = finding.other_known ? other_step : 0;
  }
  std::vector<Trace::Finding::Hit>& hits = current.findings[known->second].hits;
  if (hits.size() < most_hits) hits.push_back({lane, element.index, other_lane});
  return known->second;
}

}  // namespace

void begin_launch(const Launch& launch) {
  if (!wanted) return;
  if (current.launches.size() == limits.launches) {
    ++current.launches_left_out;
    return;
  }
  Trace::Launch& traced = current.launches.emplace_back();
  traced.kernel = launch.site.kernel == nullptr ? "" : launch.site.kernel;
  traced.line = launch.site.line;
  traced.grid = launch.config.grid;
  traced.block = launch.config.block;
  traced.shown = module_path.empty() || launch.module.path == module_path;
  active = traced.shown;
}

void end_launch() {
  if (!active) return;
  active = false;
  // A finding is an error when one of its races is.
  std::vector<bool> harmless(current.findings.size(), true);
  for (const OpenRace& race : open_races) {
    const Trace::Finding& finding = current.findings[race.finding];
    const auto line = [](std::size_t step) { return current.steps[step].place; };
    const bool equal_stores = finding.other_known &&
                              line(finding.step) == line(finding.other_step) &&
                              !race.entry->values_differ;
    if (!equal_stores && !race.entry->shuffle_between) harmless[race.finding] = false;
  }
  for (const OpenRace& race : open_races) {
    if (harmless[race.finding]) current.findings[race.finding].severity = Severity::note;
  }
  open_races.clear();
}

void request(const Block& block, unsigned warp, const Request& request, const Traffic& cost) {
  if (!active) return;
  Trace::Step* step = add(block, kind_of(request.type));
  if (step == nullptr) return;
  const unsigned first = static_cast<unsigned>(std::countr_zero(request.lanes));
  step->warp = warp;
  step->place = place_of(request.pc, block.threads[warp * 32 + first]);
  step->lanes = request.lanes;
  step->bytes = request.bytes;
  step->shared = request.shared;
  step->transactions = cost.transactions;
  step->best = cost.best;
  step->crowd = cost.crowd;
  origins.back() = {request.pc, request.type, request.addresses};
  for (std::uint32_t rest = request.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const names::Element element = names::element(request.addresses[lane], request.bytes);
    const std::size_t array = array_of(element, request.shared);
    if (array == none) {
      ++current.arrays_left_out;
      continue;
    }
    auto part = std::ranges::find(step->parts, array, &Trace::Part::array);
    if (part == step->parts.end()) part = step->parts.insert(part, {array, 0, {}});
    part->lanes |= 1u << lane;
    part->elements.push_back(element.index);
  }
}

void barrier(const Block& block) {
  if (!active) return;
  Trace::Step* step = add(block, Trace::Kind::barrier);
  if (step == nullptr) return;
  step->place = place_of(block.barrier_first->barrier_pc, *block.barrier_first);
  step->arrived = block.at_barrier;
  step->missing = block.returned;
  step->mismatch = block.barrier_mismatch;
}

void grid_barrier(const Block& block) {
  if (!active) return;
  Trace::Step* step = add(block, Trace::Kind::grid_barrier);
  if (step == nullptr) return;
  const auto waits = std::ranges::find(block.threads, ThreadState::grid_sync, &Thread::state);
  if (waits != block.threads.end()) step->place = place_of(waits->barrier_pc, *waits);
  step->arrived = block.at_grid_sync;
  step->missing = block.returned;
}

void warp_operation(const Warp& warp, std::uint32_t lanes, WarpOp op) {
  if (!active) return;
  Trace::Step* step = add(*warp.block, Trace::Kind::warp_operation);
  if (step == nullptr) return;
  const Thread& first =
      warp.block->threads[warp.index * 32 + static_cast<unsigned>(std::countr_zero(lanes))];
  step->warp = warp.index;
  step->lanes = lanes;
  step->place = place_of(first.exchange.pc, first);
  step->operation = name_of(op);
}

void race(const Thread& thread, const Access& access, std::uintptr_t address, Record earlier,
          AccessType earlier_type, const reports::Entry& entry) {
  if (!active) return;
  const std::size_t step =
      find_step(thread.block->linear, thread.linear, access.pc, access.type, address);
  std::size_t other = none;
  const unsigned other_lane = lane_of(earlier);
  if (const order::GroupOwner* owner = order::owner(group_of(earlier))) {
    const std::uintptr_t pc = pc_of(earlier) == 0 ? 0 : hot.pc_base + pc_of(earlier);
    other = find_step(owner->block, owner->warp * 32 + other_lane, pc, earlier_type, address);
  }
  const std::size_t finding =
      add_hit(DiagnosticKind::race, step, other, thread.lane, other_lane, address, access.bytes);
  if (finding != none) open_races.push_back({finding, &entry});
}

void fault(DiagnosticKind kind, Severity severity, std::size_t block, unsigned thread,
           const Access& access, std::uintptr_t address) {
  if (!active) return;
  const std::size_t step = find_step(block, thread, access.pc, access.type, address);
  const std::size_t finding = add_hit(kind, step, none, thread % 32, 0, address, access.bytes);
  if (finding != none) current.findings[finding].severity = severity;
}

}  // namespace simt::trace

namespace simt {

void start_trace(const TraceLimits& limits, const std::string& module) {
  take_trace();
  trace::wanted = true;
  trace::limits = limits;
  trace::module_path = module;
}

Trace take_trace() {
  trace::wanted = false;
  trace::origins.clear();
  trace::places.clear();
  trace::arrays.clear();
  trace::found.clear();
  Trace empty;
  empty.places.emplace_back();  // nowhere
  return std::exchange(trace::current, std::move(empty));
}

}  // namespace simt
