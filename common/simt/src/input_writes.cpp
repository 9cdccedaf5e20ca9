#include "input_writes.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "api_state.h"
#include "arena.h"
#include "names.h"
#include "order.h"
#include "reports.h"

namespace simt::input_writes {
namespace {

struct Launched {
  Record first;  // its records, and those after it, are not below
  std::uintptr_t pc_base;
  std::string kernel;
};
std::vector<Launched> launches;

struct Found {
  std::uintptr_t address;
  std::size_t words = 0;
  std::string kernel;
};

constexpr const char* advice =
    "\n    Inputs are the caller's: others may read them meanwhile, so not even the value that is "
    "there may be stored.";

void report(const Allocation& input) {
  std::map<std::uintptr_t, Found> lines;  // by instruction
  for (std::uintptr_t at = input.valid_begin; at < input.valid_end; at += 4) {
    const Record write = arena::cell(at - hot.base).write;
    if (write < launches.front().first) continue;
    const auto after = std::upper_bound(launches.begin(), launches.end(), write,
                                        [](Record r, const Launched& l) { return r < l.first; });
    const Launched& launch = *std::prev(after);
    const std::uintptr_t pc = pc_of(write) == 0 ? 0 : launch.pc_base + pc_of(write);
    Found& found = lines.try_emplace(pc, Found{at, 0, launch.kernel}).first->second;
    ++found.words;
  }
  for (const auto& [pc, found] : lines) {
    reports::host(
        DiagnosticKind::input_written, pc,
        "kernel " + found.kernel + " writes " + names::element(found.address, 4).text +
            " of an input" +
            (found.words > 1 ? ", and " + names::count(found.words - 1, "other word") + " of it"
                             : std::string()) +
            advice,
        found.kernel, input.name);
  }
}

}  // namespace

void begin_lesson() {
  launches.clear();
}

void begin_launch(const Launch& launch) {
  if (!api::lesson().active) return;
  launches.push_back(
      {group_record(order::next_group()), launch.module.text_begin, launch.site.kernel});
}

void end_lesson() {
  if (launches.empty()) return;
  heap::each_live([](const Allocation& allocation) {
    if (allocation.input) report(allocation);
  });
  launches.clear();
}

void by_copy(const Allocation& allocation, std::uintptr_t begin, std::size_t bytes,
             const char* call, std::uintptr_t pc) {
  if (!api::lesson().active || !allocation.input || bytes == 0) return;
  reports::host(
      DiagnosticKind::input_written, pc,
      std::string(call) + " writes " + names::element(begin, 4).text + " of an input" + advice, {},
      allocation.name);
}

}  // namespace simt::input_writes
