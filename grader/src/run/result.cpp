#include "run/result.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace grade {
const char* name(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::failed:
      return "failed";
    case Status::timed_out:
      return "timed_out";
    case Status::crashed:
      return "crashed";
    case Status::compile_error:
      return "compile_error";
    case Status::unavailable:
      break;
  }
  return "unavailable";
}

Exit exit_code(Status status) {
  switch (status) {
    case Status::passed:
      return Exit::passed;
    case Status::failed:
      return Exit::failed;
    case Status::timed_out:
    case Status::crashed:
      return Exit::crashed;
    case Status::compile_error:
      return Exit::compile_error;
    case Status::unavailable:
      break;
  }
  return Exit::unavailable;
}

RunResult merge_shards(std::vector<RunResult> shards) {
  // Shard i of n holds every n-th case, beginning with the i-th: back into the grader's order.
  std::vector<CaseResult> cases;
  for (std::size_t row = 0;; ++row) {
    const std::size_t before = cases.size();
    for (const RunResult& shard : shards) {
      if (row < shard.cases.size()) cases.push_back(shard.cases[row]);
    }
    if (cases.size() == before) break;
  }
  RunResult merged = std::move(shards.front());
  merged.cases = std::move(cases);
  for (std::size_t i = 1; i < shards.size(); ++i) {
    RunResult& shard = shards[i];
    if (shard.status > merged.status) {
      merged.status = shard.status;
      merged.reason = shard.reason;
      merged.case_running = shard.case_running;
    }
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    append(merged.diagnostics, shard.diagnostics);
    append(merged.notes, shard.notes);
    merged.output += shard.output;
    merged.output_cut = merged.output_cut || shard.output_cut;
    merged.run_seconds = std::max(merged.run_seconds, shard.run_seconds);
  }
  return merged;
}

}  // namespace grade
