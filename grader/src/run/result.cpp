#include "run/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace grade {
namespace {

using nlohmann::json;

constexpr std::array kStatuses = {Status::passed,  Status::failed,        Status::timed_out,
                                  Status::crashed, Status::compile_error, Status::unavailable};

json text(const std::string& value) {
  return value;
}

}  // namespace

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

json to_json(const RunResult& result) {
  json cases = json::array();
  for (const CaseResult& each : result.cases) {
    json entry{{"name", each.name}, {"status", each.status}, {"message", each.message}};
    if (!each.mistake.empty()) entry["mistake"] = each.mistake;
    cases.push_back(std::move(entry));
  }
  json diagnostics = json::array();
  for (const ReportedDiagnostic& each : result.diagnostics) {
    json entry{{"kind", each.kind},       {"severity", each.error ? "error" : "note"},
               {"message", each.message}, {"kernel", each.kernel},
               {"file", each.file},       {"line", each.line},
               {"block", each.block},     {"thread", each.thread},
               {"count", each.count},     {"case", each.case_name}};
    if (each.other_line > 0) {
      entry["other_file"] = each.other_file;
      entry["other_line"] = each.other_line;
    }
    diagnostics.push_back(std::move(entry));
  }
  return {{"status", name(result.status)},
          {"backend", name(result.backend)},
          {"seed", result.seed},
          {"reason", result.reason},
          {"case_running", result.case_running},
          {"cases", std::move(cases)},
          {"diagnostics", std::move(diagnostics)},
          {"notes", result.notes},
          {"output", result.output},
          {"output_cut", result.output_cut},
          {"compiler_messages", result.compiler_messages},
          {"seconds", {{"build", result.build_seconds}, {"run", result.run_seconds}}}};
}

RunResult run_result_from_json(const json& from) {
  RunResult result;
  const std::string status = from.at("status");
  const auto found = std::find_if(kStatuses.begin(), kStatuses.end(),
                                  [&](Status each) { return name(each) == status; });
  if (found == kStatuses.end()) throw std::runtime_error("no such status: " + status);
  result.status = *found;
  result.backend = from.at("backend") == "cuda" ? Backend::cuda : Backend::cpu;
  from.at("seed").get_to(result.seed);
  from.at("reason").get_to(result.reason);
  from.at("case_running").get_to(result.case_running);
  for (const json& each : from.at("cases")) {
    result.cases.push_back(
        {each.at("name"), each.at("status"), each.at("message"), each.value("mistake", "")});
  }
  for (const json& each : from.at("diagnostics")) {
    ReportedDiagnostic diagnostic;
    diagnostic.error = each.at("severity") == "error";
    each.at("kind").get_to(diagnostic.kind);
    each.at("message").get_to(diagnostic.message);
    each.at("kernel").get_to(diagnostic.kernel);
    each.at("file").get_to(diagnostic.file);
    each.at("line").get_to(diagnostic.line);
    each.at("block").get_to(diagnostic.block);
    each.at("thread").get_to(diagnostic.thread);
    each.at("count").get_to(diagnostic.count);
    each.at("case").get_to(diagnostic.case_name);
    diagnostic.other_file = each.value("other_file", "");
    diagnostic.other_line = each.value("other_line", 0);
    result.diagnostics.push_back(std::move(diagnostic));
  }
  from.at("notes").get_to(result.notes);
  from.at("output").get_to(result.output);
  from.at("output_cut").get_to(result.output_cut);
  from.at("compiler_messages").get_to(result.compiler_messages);
  from.at("seconds").at("build").get_to(result.build_seconds);
  from.at("seconds").at("run").get_to(result.run_seconds);
  return result;
}

RunResult merge_shards(std::vector<RunResult> shards) {
  RunResult merged = std::move(shards.front());
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
    append(merged.cases, shard.cases);
    append(merged.diagnostics, shard.diagnostics);
    append(merged.notes, shard.notes);
    merged.output += shard.output;
    merged.output_cut = merged.output_cut || shard.output_cut;
    merged.run_seconds = std::max(merged.run_seconds, shard.run_seconds);
  }
  return merged;
}

}  // namespace grade
