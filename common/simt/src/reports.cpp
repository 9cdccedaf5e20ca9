#include "reports.h"

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena.h"
#include "async_copies.h"
#include "diagnostics.h"
#include "fiber.h"
#include "host_calls.h"
#include "hot.h"
#include "launch.h"
#include "names.h"
#include "order.h"
#include "report_entry.h"
#include "report_text.h"
#include "symboliser.h"
#include "trace.h"

namespace simt::reports {
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

}  // namespace

Entry& entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc, int variant) {
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

Entry* fresh_entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc,
                   std::size_t block, unsigned thread, int variant) {
  Entry& found = entry(kind, pc, other_pc, variant);
  if (!replaces(found, block, thread)) return nullptr;
  found.block = block;
  found.thread = thread;
  return &found;
}

namespace {

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
  trace::fault(found.kind, found.severity, read.block, read.thread, read.access, read.address);
  if (!replaces(found, read.block, read.thread)) return;
  found.block = read.block;
  found.thread = read.thread;
  found.shared_memory = read.offset >= hot.shared_begin;
  found.access = read.access;
  found.address = read.address;
}

SourceLocation location(const symboliser::Position& position) {
  return {position.file, position.line, {}};
}

// Inside a function that the lesson's own called: which call that was, and what it passed.
void name_call(Diagnostic& diagnostic) {
  const host_calls::Found call = host_calls::into_another_object();
  if (call.caller == 0) return;
  const symboliser::Position& position = symboliser::position(call.caller);
  diagnostic.message += "\n    Called at " + symboliser::short_name(position) + " as " + call.text +
                        ": check the arrays and sizes passed." + quoted(position);
  if (diagnostic.other.line == 0) diagnostic.other = location(position);
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
  diagnostic.shared_memory = found.shared_memory;
  diagnostic.own_memory = found.own_memory;
  diagnostic.divergence = found.divergence;
  if (found.kind == DiagnosticKind::uninitialized_read && found.text.empty()) {
    diagnostic.array = names::element(found.address, found.access.bytes).array;
  }
  if (found.kind == DiagnosticKind::race && found.text.empty()) {
    diagnostic.array = names::element(found.address, found.access.bytes).array;
    diagnostic.reach = found.scope == Scope::warp    ? Reach::warp
                       : found.scope == Scope::block ? Reach::block
                                                     : Reach::grid;
  }
  name_call(diagnostic);
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
  trace::end_launch();
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
    report.entry.both_write =
        found.access.type != AccessType::read && found.other_type != AccessType::read;
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
    const bool both_write = told.entry.both_write || report.entry.both_write;
    if (rank(report) < rank(told)) told = report;
    told.entry.count = count;
    told.entry.both_write = both_write;
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
  // Code without the checks enters no function: what its plain stores wrote was not seen.
  if (thread.depth == 0) return;
  if (const AsyncCopy* copy = async_copies::pending_at(*thread.block, address)) {
    unfinished_copy(access, address, thread, *copy);
    return;
  }
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
  trace::fault(kind, Severity::error, thread.block->linear, thread.linear, access, access.address);
  if (!replaces(found, thread.block->linear, thread.linear)) return;
  found.block = thread.block->linear;
  found.thread = thread.linear;
  found.shared_memory =
      arena::contains(access.address) && access.address - hot.base >= hot.shared_begin;
  found.own_memory = found.shared_memory || fibers::contains(access.address);
  found.access = access;
}

void bad_index(const Thread& thread, std::uintptr_t pc, const std::string& type, long index) {
  current_launch->faulted = true;
  Entry& found = entry(DiagnosticKind::out_of_bounds, pc, 0, 8);
  if (!replaces(found, thread.block->linear, thread.linear)) return;
  found.block = thread.block->linear;
  found.thread = thread.linear;
  found.own_memory = true;  // only a declared array has a size that its type tells
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

void host(DiagnosticKind kind, const api::Place& place, std::string message, std::string kernel,
          std::string array) {
  Diagnostic diagnostic{};
  diagnostic.array = std::move(array);
  diagnostic.kernel = std::move(kernel);
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
  name_call(diagnostic);
  diagnostics::add(std::move(diagnostic));
}

}  // namespace simt::reports
