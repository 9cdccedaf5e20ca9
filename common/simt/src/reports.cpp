#include "reports.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <unordered_map>

#include "arena.h"
#include "diagnostics.h"
#include "fiber.h"
#include "launch.h"
#include "names.h"
#include "order.h"
#include "symboliser.h"

namespace simt::reports {

enum class Scope : std::uint8_t { warp, block, grid };

// All findings of one kind at one instruction (or pair).
struct Entry {
  DiagnosticKind kind{};
  Severity severity = Severity::error;
  std::uintptr_t pc = 0;
  std::uintptr_t other_pc = 0;
  std::size_t count = 0;

  // The finding that is told: the one of the lowest block and thread.
  std::size_t block = 0;
  unsigned thread = 0;
  Access access{};
  std::uintptr_t address = 0;
  bool other_known = false;
  std::size_t other_block = 0;
  unsigned other_thread = 0;
  AccessType other_type = AccessType::read;
  Scope scope = Scope::warp;
  bool shared_memory = false;
  bool shuffle_between = false;
  bool scope_too_small = false;
  bool other_atomic = false;
  bool values_differ = false;
  std::string text;  // of findings that are told as they are found
};

namespace {

struct Key {
  std::uintptr_t pc;
  std::uintptr_t other_pc;
  int kind;
  int variant;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t hash = key.pc * 0x9e3779b97f4a7c15 ^ key.other_pc;
    hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9;
    return hash ^ static_cast<std::size_t>(key.kind * 64 + key.variant);
  }
};

// A read of nothing, told only if the word takes part in no race.
struct UnwrittenRead {
  std::uintptr_t offset;
  std::uintptr_t address;
  Access access;
  std::size_t block;
  unsigned thread;
};

constexpr std::size_t most_pending_reads = std::size_t{1} << 20;

std::unordered_map<Key, Entry, KeyHash> entries;
std::vector<UnwrittenRead> unwritten_global;
std::vector<UnwrittenRead> unwritten_shared;

Entry& entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc = 0, int variant = 0) {
  Entry& found = entries[{pc, other_pc, static_cast<int>(kind), variant}];
  found.kind = kind;
  found.pc = pc;
  found.other_pc = other_pc;
  ++found.count;
  return found;
}

bool replaces(const Entry& entry, std::size_t block, unsigned thread) {
  return entry.count == 1 || std::tie(block, thread) < std::tie(entry.block, entry.thread);
}

// ---- Words ----

const char* verb(AccessType type) {
  switch (type) {
    case AccessType::read:
      return "reads";
    case AccessType::write:
      return "writes";
    case AccessType::atomic:
      return "updates (atomically)";
  }
  return "touches";
}

std::string who(std::size_t block, unsigned thread) {
  return "thread " + names::thread(thread) + " of block " + names::block(block);
}

// "    kernel.cu:12:  s[t] = x;" where the source can be read.
std::string quoted(const symboliser::Position& position) {
  const std::string line = symboliser::source_line(position.file, position.line);
  if (line.empty()) return {};
  return "\n    " + symboliser::short_name(position) + ":  " + line;
}

std::string in_kernel(const symboliser::Position& position) {
  const std::string kernel = std::string("kernel ") + current_launch->site.kernel;
  return position.line == 0 ? kernel : kernel + ", " + symboliser::short_name(position);
}

std::string in_all(const Entry& found) {
  return found.count > 1 ? "; " + names::count(found.count, "thread") + " in all" : "";
}

std::string in_all_blocks(const Entry& found) {
  return found.count > 1 ? "; " + names::count(found.count, "time") + " in all" : "";
}

std::string bounds_text(const Entry& found, const symboliser::Position& position) {
  const std::string place = "; " + in_kernel(position) + in_all(found) + quoted(position);
  const std::uintptr_t address = found.access.address;
  const std::string subject =
      "out of bounds: " + who(found.block, found.thread) + " " + verb(found.access.type) + " ";
  if (!arena::contains(address)) {
    const Allocation* symbol = heap::nearest_symbol(address);
    if (symbol != nullptr && symbol->kind == MemoryKind::constant_symbol &&
        symbol == heap::find_symbol(address)) {
      return subject + symbol->name + place + "\n    __constant__ memory is read-only in kernels.";
    }
    if (symbol == nullptr) {
      if (address < 65536) {
        return subject + "through a null pointer" + place +
               "\n    The pointer was never set, or its allocation failed.";
      }
      if (fibers::contains(address)) {
        return subject + "a local variable of another thread" + place +
               "\n    A pointer to a local variable means nothing to other threads.";
      }
      return subject + "host memory (" + names::count(found.access.bytes, "byte") + ")" + place +
             "\n    A kernel can't follow a host pointer: copy the data with cudaMemcpy and pass "
             "the "
             "device pointer.";
    }
  }
  const names::Element element = names::element(address, found.access.bytes);
  std::string text = subject + element.text;
  if (element.length > 0 || element.index != 0) {
    text += " (element " + std::to_string(element.index) + " of " + std::to_string(element.length) +
            ")";
    const auto unit = static_cast<long>(element.element_bytes);
    const long last =
        element.index + std::max<long>(1, static_cast<long>(found.access.bytes) / unit) - 1;
    if (element.index < 0) {
      text += ", " + std::to_string(-element.index) + " before the beginning";
    } else if (last >= element.length) {
      text += ", " + std::to_string(last - element.length + 1) + " past the end";
    }
  }
  if (!element.where.empty()) text += ", " + element.where;
  text += place;
  if (element.index < 0) {
    text += "\n    An index below 0: usually an offset subtracted at the edge, without a check.";
  } else if (element.where.empty()) {
    text +=
        "\n    Usually a missing or wrong guard: compare each index with the array's size before "
        "the "
        "access.";
  } else {
    text +=
        "\n    Usually a tile too small for the block, or fewer bytes given to the launch than the "
        "kernel uses.";
  }
  return text;
}

std::string freed_text(const Entry& found, const symboliser::Position& position) {
  return "use after free: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         names::element(found.access.address, found.access.bytes).text + ", which was freed; " +
         in_kernel(position) + in_all(found) + quoted(position) +
         "\n    cudaFree came before the kernel that still uses the array.";
}

std::string misaligned_text(const Entry& found, const symboliser::Position& position) {
  return "misaligned: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         names::count(found.access.bytes, "byte") + " at " +
         names::element(found.access.address, 4).text + ", an address that is no multiple of " +
         std::to_string(found.access.bytes) + "; " + in_kernel(position) + in_all(found) +
         quoted(position) +
         "\n    Check the address before a vector access: pointers have the alignment of their "
         "element "
         "type only, and rows need not begin on a multiple of the vector.";
}

std::string uninitialised_text(const Entry& found, const symboliser::Position& position) {
  const names::Element element = names::element(found.address, found.access.bytes);
  return "uninitialised: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         element.text + (element.where.empty() ? "" : ", " + element.where) +
         ", which nothing wrote before; " + in_kernel(position) +
         (found.count > 1 ? "; " + names::count(found.count, "read") + " in all" : "") +
         quoted(position) + "\n    The value has not been seen to matter in this launch.";
}

const char* race_verb(AccessType type, bool atomic) {
  return atomic ? "updates it atomically" : type == AccessType::read ? "reads it" : "writes it";
}

std::string race_text(const Entry& found, const symboliser::Position& here,
                      const symboliser::Position& there, bool equal_writes) {
  const names::Element element = names::element(found.address, found.access.bytes);
  const bool other_block = found.other_known && found.other_block != found.block;
  std::string text = "race on " + element.text +
                     (element.where.empty() ? "" : " " + element.where) + ": " +
                     who(found.block, found.thread) + " " +
                     race_verb(found.access.type, found.access.type == AccessType::atomic) + " (" +
                     symboliser::short_name(here) + "), ";
  if (!found.other_known) {
    text += "another thread ";
  } else if (other_block) {
    text += who(found.other_block, found.other_thread) + " ";
  } else {
    text += "thread " + names::thread(found.other_thread) + " ";
  }
  text += race_verb(found.other_type, found.other_atomic) +
          (here.line == there.line && here.file == there.file
               ? " on the same line"
               : " (" + symboliser::short_name(there) + ")");
  if (found.scope_too_small) {
    text += ", with atomics of block scope in different blocks";
  } else if (found.shuffle_between) {
    text += ", with only a shuffle between them";
  } else {
    text += ", and nothing orders the two";
  }
  text += "; kernel " + std::string(current_launch->site.kernel) + quoted(here);
  if (here.line != there.line || here.file != there.file) text += quoted(there);
  text += "\n    ";
  if (equal_writes) {
    return text + "All store the same value, so the result is right; one thread is enough.";
  }
  if (found.scope_too_small) {
    return text + "An atomic that ends in _block is atomic within its block alone.";
  }
  if (found.shuffle_between) {
    return text + "A shuffle moves registers and orders no memory: __syncwarp() does.";
  }
  const bool read_modify_write = here.line == there.line;
  switch (found.scope) {
    case Scope::warp:
      return text +
             "This relies on the lanes of a warp running in lockstep, which no GPU since Volta "
             "promises: put __syncwarp() between the two, or use an atomic.";
    case Scope::block:
      return text +
             (read_modify_write
                  ? "Threads run in no fixed order: use an atomic, or give each its own element, "
                    "with __syncthreads() between the steps."
                  : "Threads run in no fixed order: a __syncthreads() between the two lines "
                    "orders them.");
    case Scope::grid:
      return text +
             "Blocks run in no fixed order, and __syncthreads() does not order them: use an "
             "atomic, "
             "give each block its own elements, or use a second kernel.";
  }
  return text;
}

std::string text_of(const Entry& found, const symboliser::Position& here,
                    const symboliser::Position& there, bool equal_writes) {
  if (!found.text.empty()) {
    const bool two_lines = there.line != 0 && (there.line != here.line || there.file != here.file);
    const std::string place =
        "; " + in_kernel(here) + (two_lines ? " and " + symboliser::short_name(there) : "") +
        in_all_blocks(found) + quoted(here) + (two_lines ? quoted(there) : "");
    std::string text = found.text;
    const auto end = text.find('\n');
    return text.insert(end == std::string::npos ? text.size() : end, place);
  }
  switch (found.kind) {
    case DiagnosticKind::out_of_bounds:
      return bounds_text(found, here);
    case DiagnosticKind::use_after_free:
      return freed_text(found, here);
    case DiagnosticKind::misaligned:
      return misaligned_text(found, here);
    case DiagnosticKind::uninitialized_read:
      return uninitialised_text(found, here);
    case DiagnosticKind::race:
      return race_text(found, here, there, equal_writes);
    default:
      return kind_name(found.kind);
  }
}

// What is told after a thread was ended: the rest may be its consequence.
bool survives_fault(DiagnosticKind kind) {
  return kind == DiagnosticKind::out_of_bounds || kind == DiagnosticKind::use_after_free ||
         kind == DiagnosticKind::misaligned || kind == DiagnosticKind::device_assert ||
         kind == DiagnosticKind::endless_loop || kind == DiagnosticKind::launch_error;
}

void confirm(const UnwrittenRead& read) {
  if ((arena::cell(read.offset).state & state::raced) != 0) return;
  Entry& found = entry(DiagnosticKind::uninitialized_read, read.access.pc);
  found.severity = Severity::note;
  if (!replaces(found, read.block, read.thread)) return;
  found.block = read.block;
  found.thread = read.thread;
  found.access = read.access;
  found.address = read.address;
}

SourceLocation location(const symboliser::Position& position) {
  return {position.file, position.line, {}};
}

// Two entries whose instructions come from the same lines, in either order, are one report.
struct Report {
  Entry entry;
  symboliser::Position here;
  symboliser::Position there;
  bool equal_writes = false;
};

void add_report(const Report& report) {
  const Entry& found = report.entry;
  Diagnostic diagnostic{};
  diagnostic.kind = found.kind;
  diagnostic.severity = found.severity;
  diagnostic.message = text_of(found, report.here, report.there, report.equal_writes);
  diagnostic.kernel = current_launch->site.kernel;
  diagnostic.where = location(report.here);
  diagnostic.where.function = current_launch->site.kernel;
  if (report.there.line != 0) diagnostic.other = location(report.there);
  diagnostic.block = current_launch->block_index(found.block);
  diagnostic.thread = current_launch->thread_index(found.thread);
  diagnostic.count = found.count;
  diagnostics::add(std::move(diagnostic));
}

// Puts a race in the one way to tell it: the write first, then the lower line, then the lower
// thread.
void canonical(Entry& found, symboliser::Position& here, symboliser::Position& there) {
  const bool here_reads = found.access.type == AccessType::read;
  const bool there_reads = found.other_type == AccessType::read;
  bool swap = here_reads && !there_reads;
  if (here_reads == there_reads) {
    swap = std::tie(there.line, found.other_block, found.other_thread) <
           std::tie(here.line, found.block, found.thread);
  }
  if (!swap) return;
  std::swap(here, there);
  std::swap(found.pc, found.other_pc);
  const bool other_was_atomic = found.other_atomic;
  found.other_atomic = found.access.type == AccessType::atomic;
  std::swap(found.access.type, found.other_type);
  if (other_was_atomic) found.access.type = AccessType::atomic;
  if (found.other_known) {
    std::swap(found.block, found.other_block);
    std::swap(found.thread, found.other_thread);
  }
}

}  // namespace

void begin_launch() {
  entries.clear();
  unwritten_global.clear();
  unwritten_shared.clear();
}

void end_block(const Block&) {
  for (const UnwrittenRead& read : unwritten_shared) confirm(read);
  unwritten_shared.clear();
}

void end_launch() {
  for (const UnwrittenRead& read : unwritten_shared) confirm(read);
  for (const UnwrittenRead& read : unwritten_global) confirm(read);
  using Lines = std::tuple<int, std::string, int, std::string, int>;
  std::map<Lines, Report> reports;
  for (auto& [key, found] : entries) {
    if (current_launch->faulted && !survives_fault(found.kind)) continue;
    Report report{found, symboliser::position(found.pc), symboliser::position(found.other_pc)};
    if (found.kind == DiagnosticKind::race) {
      const bool same_line =
          report.here.line == report.there.line && report.here.file == report.there.file;
      report.equal_writes = same_line && !found.values_differ;
      report.entry.severity =
          report.equal_writes || found.shuffle_between ? Severity::note : Severity::error;
      canonical(report.entry, report.here, report.there);
    }
    const Lines lines{static_cast<int>(found.kind), report.here.file, report.here.line,
                      report.there.file, report.there.line};
    auto [place, fresh] = reports.try_emplace(lines, report);
    if (fresh) continue;
    Report& told = place->second;
    const std::size_t count = told.entry.count + found.count;
    const auto rank = [](const Report& r) {
      return std::make_tuple(r.entry.severity == Severity::note, r.entry.shuffle_between,
                             -static_cast<int>(r.entry.scope), r.entry.block, r.entry.thread,
                             r.entry.other_block, r.entry.other_thread, r.entry.address);
    };
    if (rank(report) < rank(told)) told = report;
    told.entry.count = count;
  }
  for (const auto& [lines, report] : reports) add_report(report);
  begin_launch();
}

Entry& race(const Race& race) {
  const std::uint32_t earlier_offset = pc_of(race.earlier);
  const std::uintptr_t other_pc = earlier_offset == 0 ? 0 : hot.pc_base + earlier_offset;
  const int variant = static_cast<int>(race.access.type) * 3 + static_cast<int>(race.earlier_type) +
                      (race.shuffle_between ? 16 : 0) + (race.scope_too_small ? 32 : 0);
  Entry& found = entry(DiagnosticKind::race, race.access.pc, other_pc, variant);
  const order::GroupOwner* owner = order::owner(group_of(race.earlier));
  const std::size_t block = race.thread.block->linear;
  Scope scope = Scope::grid;
  if (owner != nullptr && owner->block == block) {
    scope = owner->warp == race.thread.warp->index ? Scope::warp : Scope::block;
  }
  if (found.count > 1) {
    if (scope < found.scope) return found;
    if (scope == found.scope && !replaces(found, block, race.thread.linear)) return found;
  }
  found.block = block;
  found.thread = race.thread.linear;
  found.access = race.access;
  found.address = race.address;
  found.other_known = owner != nullptr;
  if (owner != nullptr) {
    found.other_block = owner->block;
    found.other_thread = owner->warp * 32 + lane_of(race.earlier);
  }
  found.other_type = race.earlier_type;
  found.other_atomic = race.earlier_atomic;
  found.scope = scope;
  found.shared_memory = race.shared_memory;
  found.shuffle_between = race.shuffle_between;
  found.scope_too_small = race.scope_too_small;
  return found;
}

void not_equal_values(Entry& entry) {
  entry.values_differ = true;
}

void uninitialised_read(const Access& access, std::uintptr_t address, std::uintptr_t offset,
                        const Thread& thread) {
  auto& list = offset >= hot.shared_begin ? unwritten_shared : unwritten_global;
  const UnwrittenRead read{offset, address, access, thread.block->linear, thread.linear};
  if (list.size() < most_pending_reads) {
    list.push_back(read);
  } else {
    confirm(read);
  }
}

void bad_access(DiagnosticKind kind, const Access& access, const Thread& thread) {
  current_launch->faulted = true;
  if (kind == DiagnosticKind::misaligned && current_launch->error == cudaSuccess) {
    current_launch->error = cudaErrorMisalignedAddress;
  }
  Entry& found = entry(kind, access.pc, 0, static_cast<int>(access.type));
  if (!replaces(found, thread.block->linear, thread.linear)) return;
  found.block = thread.block->linear;
  found.thread = thread.linear;
  found.access = access;
}

void bad_index(const Thread& thread, std::uintptr_t pc, const std::string& type, long index) {
  current_launch->faulted = true;
  Entry& found = entry(DiagnosticKind::out_of_bounds, pc, 0, 8);
  if (!replaces(found, thread.block->linear, thread.linear)) return;
  found.block = thread.block->linear;
  found.thread = thread.linear;
  found.text = "out of bounds: " + who(found.block, found.thread) + " uses index " +
               std::to_string(index) + " of an array of type " + type;
}

void host_access(const Access& access, const Allocation& allocation) {
  const names::Element element = names::element(access.address, access.bytes);
  std::string text = std::string("host code ") + verb(access.type) + " " + element.text +
                     (allocation.freed ? ", which was freed" : ", which is device memory");
  host(allocation.freed ? DiagnosticKind::use_after_free : DiagnosticKind::host_access, access.pc,
       text +
           "\n    On a GPU this ends the program: copy with cudaMemcpy, or do the work in a "
           "kernel.");
}

void host(DiagnosticKind kind, const api::Place& place, std::string message) {
  Diagnostic diagnostic{};
  diagnostic.kind = kind;
  diagnostic.severity = Severity::error;
  const symboliser::Position position = place.file != nullptr
                                            ? symboliser::Position{place.file, place.line, 0}
                                            : symboliser::position(place.pc);
  diagnostic.where = location(position);
  const auto end = message.find('\n');
  if (position.line != 0) {
    message.insert(end == std::string::npos ? message.size() : end,
                   "; " + symboliser::short_name(position) + quoted(position));
  }
  diagnostic.message = std::move(message);
  diagnostics::add(std::move(diagnostic));
}

// ---- Synchronisation ----

namespace {

// Ranges of thread numbers, e.g. "threads 0-31 and 64".
class ThreadList {
 public:
  void add(unsigned thread) {
    ++count_;
    if (!ranges_.empty() && ranges_.back().second + 1 == thread) {
      ranges_.back().second = thread;
    } else {
      ranges_.emplace_back(thread, thread);
    }
  }
  unsigned count() const { return count_; }
  unsigned first() const { return ranges_.empty() ? 0 : ranges_.front().first; }
  std::string text() const {
    std::string list = count_ == 1 ? "thread " : "threads ";
    constexpr std::size_t most_ranges = 4;
    for (std::size_t i = 0; i < ranges_.size() && i < most_ranges; ++i) {
      if (i > 0) list += ", ";
      list += std::to_string(ranges_[i].first);
      if (ranges_[i].second != ranges_[i].first) list += "-" + std::to_string(ranges_[i].second);
    }
    return ranges_.size() > most_ranges ? list + " ..." : list;
  }

 private:
  std::vector<std::pair<unsigned, unsigned>> ranges_;
  unsigned count_ = 0;
};

Entry* fresh_entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc,
                   std::size_t block, unsigned thread, int variant = 0) {
  Entry& found = entry(kind, pc, other_pc, variant);
  if (!replaces(found, block, thread)) return nullptr;
  found.block = block;
  found.thread = thread;
  return &found;
}

// The position in the learner's code: where the call is made from a header of the runtime
// (cooperative groups), the caller's.
std::uintptr_t learners_pc(std::uintptr_t pc, const Thread& thread) {
  int depth = std::min(thread.depth, max_call_depth);
  while (depth > 0) {
    const symboliser::Position& position = symboliser::position(pc);
    if (position.file.find("cooperative_groups") == std::string::npos) break;
    pc = thread.calls[--depth];
  }
  return pc;
}

std::uintptr_t position_of_barrier(const Thread& thread) {
  return learners_pc(thread.barrier_pc, thread);
}

// Are two calls of a barrier the same one in the source? Optimisers copy calls, so return addresses
// differ where lines do not.
bool same_barrier(const Thread& a, const Thread& b) {
  if (a.barrier_id != b.barrier_id || a.depth != b.depth) return false;
  for (int i = 1; i < std::min(a.depth, max_call_depth); ++i) {
    if (a.calls[i] == b.calls[i]) continue;
    const symboliser::Position& at = symboliser::position(a.calls[i]);
    const symboliser::Position& other = symboliser::position(b.calls[i]);
    if (at.line != other.line || at.column != other.column || at.file != other.file) return false;
  }
  return true;
}

}  // namespace

void threads_missed_barrier(const Block& block) {
  if (current_launch->faulted) return;
  ThreadList waiting;
  ThreadList gone;
  std::uintptr_t pc = 0;
  for (const Thread& thread : block.threads) {
    if (thread.state == ThreadState::barrier || thread.state == ThreadState::grid_sync) {
      if (waiting.count() == 0) pc = position_of_barrier(thread);
      waiting.add(thread.linear);
    } else if (thread.state == ThreadState::exited) {
      gone.add(thread.linear);
    }
  }
  Entry* found = fresh_entry(DiagnosticKind::barrier_divergence, pc, 0, block.linear, gone.first());
  if (found == nullptr) return;
  found->text = "barrier: " + std::to_string(waiting.count()) + " of the " +
                names::count(block.threads.size(), "thread") + " of block " +
                names::block(block.linear) + " wait at a barrier that the other " +
                std::to_string(gone.count()) + " never reach; " + gone.text() +
                (gone.count() == 1 ? " has" : " have") +
                " returned\n    Every thread of a block must reach the same barriers: guard the "
                "work, not the "
                "barrier.";
}

void different_barriers(const Block& block) {
  if (current_launch->faulted) return;
  struct Side {
    const Thread* first;
    ThreadList threads;
  };
  std::vector<Side> sides;
  for (const Thread& thread : block.threads) {
    if (thread.state != ThreadState::barrier) continue;
    auto side = std::find_if(sides.begin(), sides.end(),
                             [&](const Side& s) { return same_barrier(*s.first, thread); });
    if (side == sides.end()) side = sides.insert(sides.end(), Side{&thread, {}});
    side->threads.add(thread.linear);
  }
  if (sides.size() < 2) return;
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.first->barrier_line, a.first->linear) <
           std::tie(b.first->barrier_line, b.first->linear);
  });
  const Thread& first = *sides[0].first;
  const Thread& other = *sides[1].first;
  // One barrier reached by two ways is told by the calls that differ.
  std::uintptr_t pc = position_of_barrier(first);
  std::uintptr_t other_pc = position_of_barrier(other);
  const bool one_barrier = first.barrier_id == other.barrier_id;
  if (one_barrier) {
    const int depth = std::min({first.depth, other.depth, max_call_depth});
    for (int i = 0; i < depth; ++i) {
      if (first.calls[i] == other.calls[i]) continue;
      pc = first.calls[i];
      other_pc = other.calls[i];
      break;
    }
  }
  Entry* found = fresh_entry(DiagnosticKind::barrier_divergence, pc, other_pc, block.linear,
                             sides[0].threads.first(), 1);
  if (found == nullptr) return;
  found->text =
      "barrier: the threads of block " + names::block(block.linear) +
      (one_barrier ? " reach a barrier by different calls:" : " wait at different barriers:");
  for (const Side& side : sides) {
    const int line = one_barrier && &side == &sides[0]   ? symboliser::position(pc).line
                     : one_barrier && &side == &sides[1] ? symboliser::position(other_pc).line
                                                         : side.first->barrier_line;
    found->text += (&side == &sides.front() ? " " : ", ") + side.threads.text() + " at line " +
                   std::to_string(line);
  }
  found->text += "\n    Every thread of a block must reach the same barrier.";
}

namespace {

const char* name_of(WarpOp op) {
  switch (op) {
    case WarpOp::sync:
      return "__syncwarp";
    case WarpOp::shuffle:
      return "shuffle";
    case WarpOp::all:
    case WarpOp::any:
    case WarpOp::uni:
    case WarpOp::ballot:
      return "vote";
    case WarpOp::match_any:
    case WarpOp::match_all:
      return "match";
    case WarpOp::reduce:
      return "reduction";
    default:
      return "warp operation";
  }
}

std::string hex(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// Where a thread is, for tables of who waits for what.
std::string whereabouts(const Thread& thread) {
  switch (thread.state) {
    case ThreadState::exited:
      return "returned";
    case ThreadState::faulted:
      return "ended by an error";
    case ThreadState::barrier:
      return "wait at the barrier of line " + std::to_string(thread.barrier_line);
    case ThreadState::grid_sync:
      return "wait at a grid barrier";
    case ThreadState::warp_op:
      return std::string("wait at the ") + name_of(thread.exchange.op) + " of line " +
             std::to_string(symboliser::position(learners_pc(thread.exchange.pc, thread)).line);
    case ThreadState::fresh:
      return "have not begun";
    case ThreadState::ready:
      return "spin, waiting for a value to change";
  }
  return "unknown";
}

std::string table(const std::vector<const Thread*>& threads) {
  std::map<std::string, ThreadList> rows;
  for (const Thread* thread : threads) rows[whereabouts(*thread)].add(thread->linear);
  std::string text;
  for (const auto& [where, list] : rows) text += "\n    " + list.text() + ": " + where;
  return text;
}

}  // namespace

void missing_lanes(const Warp& warp, std::uint32_t mask, std::uint32_t arrived) {
  if (current_launch->faulted) return;
  const Block& block = *warp.block;
  const Thread* first = nullptr;
  std::vector<const Thread*> missing;
  ThreadList lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t bit = 1u << lane;
    if ((arrived & bit) != 0 && first == nullptr) first = &block.threads[warp.index * 32 + lane];
    if ((mask & ~arrived & bit) != 0) {
      missing.push_back(&block.threads[warp.index * 32 + lane]);
      lanes.add(lane);
    }
  }
  Entry* found =
      fresh_entry(DiagnosticKind::barrier_divergence, learners_pc(first->exchange.pc, *first), 0,
                  block.linear, first->linear, 2);
  if (found == nullptr) return;
  std::string lane_text = lanes.text();
  lane_text.replace(0, 6, "lane");
  found->text =
      std::string("barrier: the mask ") + hex(first->exchange.mask) + " of this " +
      name_of(first->exchange.op) + " names " + lane_text + " of warp " +
      std::to_string(warp.index) + ", which never " + (lanes.count() == 1 ? "arrives" : "arrive") +
      " (block " + names::block(block.linear) + ")" + table(missing) +
      "\n    Every lane named in the mask must call the same function with the same mask.";
}

void lane_not_in_mask(const Thread& thread) {
  Entry* found =
      fresh_entry(DiagnosticKind::barrier_divergence, learners_pc(thread.exchange.pc, thread), 0,
                  thread.block->linear, thread.linear, 3);
  if (found == nullptr) return;
  found->text = "barrier: " + who(found->block, found->thread) + ", lane " +
                std::to_string(thread.lane) + " of its warp, calls a " +
                name_of(thread.exchange.op) + " with the mask " + hex(thread.exchange.mask) +
                ", which does not name it";
}

void absent_source_lane(const Thread& thread, unsigned source) {
  Entry* found =
      fresh_entry(DiagnosticKind::uninitialized_read, learners_pc(thread.exchange.pc, thread), 0,
                  thread.block->linear, thread.linear, 4);
  if (found == nullptr) return;
  found->severity = Severity::note;
  found->text = "uninitialised: " + who(found->block, found->thread) + " takes the value of lane " +
                std::to_string(source) +
                " by a shuffle that this lane has no part in: the value is undefined";
}

void deadlock(const std::vector<Block*>& blocks, std::size_t not_begun) {
  if (current_launch->faulted) return;
  current_launch->error = cudaErrorLaunchTimeout;
  const Block& block = *blocks.front();
  std::vector<const Thread*> threads;
  const Thread* first = nullptr;
  for (const Thread& thread : block.threads) {
    threads.push_back(&thread);
    if (first == nullptr && thread.state != ThreadState::exited) first = &thread;
  }
  if (first == nullptr) first = &block.threads.front();
  std::uintptr_t pc = first->spin_pc;
  if (first->state == ThreadState::barrier || first->state == ThreadState::grid_sync) {
    pc = position_of_barrier(*first);
  } else if (first->state == ThreadState::warp_op) {
    pc = learners_pc(first->exchange.pc, *first);
  }
  Entry* found = fresh_entry(DiagnosticKind::deadlock, pc, 0, block.linear, first->linear);
  if (found == nullptr) return;
  found->text =
      "deadlock: no thread of block " + names::block(block.linear) + " can go on" + table(threads);
  if (not_begun > 0) {
    found->text +=
        "\n    " + names::count(not_begun, "block") +
        " can't begin until a running block ends, so whoever waits for them waits for ever: "
        "a grid-wide barrier needs all blocks resident at once";
  } else if (blocks.size() > 1) {
    found->text += "\n    " + std::to_string(blocks.size() - 1) + " other blocks wait too";
  }
}

void grid_sync_without_cooperation(const Thread& thread, std::uintptr_t pc) {
  current_launch->faulted = true;
  current_launch->error = cudaErrorLaunchFailure;
  Entry* found = fresh_entry(DiagnosticKind::device_assert, learners_pc(pc, thread), 0,
                             thread.block->linear, thread.linear, 5);
  if (found == nullptr) return;
  found->text = "grid.sync() in a launch that is not cooperative (" +
                who(found->block, found->thread) +
                ")\n    Only cudaLaunchCooperativeKernel keeps all blocks resident.";
}

// ---- Ends of kernels ----

void device_assert(const Thread& thread, std::uintptr_t pc, const std::string& text) {
  current_launch->faulted = true;
  if (current_launch->error == cudaSuccess) current_launch->error = cudaErrorLaunchFailure;
  Entry* found =
      fresh_entry(DiagnosticKind::device_assert, pc, 0, thread.block->linear, thread.linear);
  if (found == nullptr) return;
  found->text = text + " in " + who(found->block, found->thread);
}

void endless_loop(const Thread& thread, std::uintptr_t pc, double seconds) {
  current_launch->faulted = true;
  current_launch->error = cudaErrorLaunchTimeout;
  Entry* found =
      fresh_entry(DiagnosticKind::endless_loop, pc, 0, thread.block->linear, thread.linear);
  if (found == nullptr) return;
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", seconds);
  found->text = "endless loop: the kernel still runs after " + std::string(limit) + " s; " +
                who(found->block, found->thread) + " is here";
}

void stack_overflow(const Thread& thread, std::uintptr_t pc) {
  current_launch->faulted = true;
  Entry* found =
      fresh_entry(DiagnosticKind::out_of_bounds, pc, 0, thread.block->linear, thread.linear, 9);
  if (found == nullptr) return;
  found->text = "out of bounds: " + who(found->block, found->thread) +
                " needs more local memory than its stack of 64 KiB holds (large local arrays, or a "
                "recursion without end)";
}

void too_much_static_shared(const char* name, std::size_t bytes, std::uintptr_t pc) {
  current_launch->error = cudaErrorInvalidValue;
  Entry* found = fresh_entry(DiagnosticKind::launch_error, pc, 0, 0, 0);
  if (found == nullptr) return;
  found->text = std::string("launch: with ") + name + " the kernel declares " +
                std::to_string(bytes) +
                " bytes of static shared memory, and a block has 49152: nvcc refuses this";
}

}  // namespace simt::reports
