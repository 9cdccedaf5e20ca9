#include "run/json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "terminal/text.h"

namespace grade {
namespace {

using nlohmann::json;

constexpr std::array kStatuses = {Status::passed,  Status::failed,        Status::timed_out,
                                  Status::crashed, Status::compile_error, Status::unavailable};

// A kernel's output need not be UTF-8.
std::string text_of(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
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

RunResult from_json(const json& from) {
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

}  // namespace

std::string to_json_text(const RunResult& result) {
  return text_of(to_json(result), 1);
}

RunResult run_result_from_json_text(std::string_view text) {
  return from_json(json::parse(text));
}

std::string json_report(const ReportInput& input, int xp) {
  const GradeOutcome& outcome = *input.outcome;
  json report{{"lesson", input.lesson->directory()}, {"status", name(outcome.status)},
              {"kernel", input.file.string()},       {"seed", outcome.runs.front().seed},
              {"remarks", outcome.remarks},          {"xp", xp}};
  std::string backends;
  double build = 0;
  double run_time = 0;
  bool cached = true;
  report["cases"] = json::array();
  report["diagnostics"] = json::array();
  report["notes"] = json::array();
  std::string reason;
  std::string compiler;
  std::string output;
  for (const RunResult& run : outcome.runs) {
    const json one = to_json(run);
    backends += (backends.empty() ? "" : "+") + std::string(name(run.backend));
    for (const char* list : {"cases", "diagnostics"}) {
      for (json each : one.at(list)) {
        each["backend"] = name(run.backend);
        report[list].push_back(std::move(each));
      }
    }
    for (const std::string& note : run.notes) report["notes"].push_back(note);
    build = std::max(build, run.build_seconds);
    run_time = std::max(run_time, run.run_seconds);
    cached = cached && run.cached;
    if (reason.empty() && run.status == outcome.status) reason = run.reason;
    if (compiler.empty()) compiler = terminal::printable(run.compiler_messages);
    output += run.output;
  }
  report["backend"] = backends;
  report["seconds"] = {{"build", cached ? 0.0 : build}, {"run", cached ? 0.0 : run_time}};
  report["cached"] = cached;
  report["reason"] = reason;
  report["compiler_messages"] = compiler;
  report["output"] = output;
  return text_of(report, 2);
}

std::string json_unavailable(const std::string& lesson, const std::string& backend,
                             const std::string& reason) {
  return text_of({{"lesson", lesson},
                  {"status", "unavailable"},
                  {"reason", reason},
                  {"backend", backend},
                  {"seed", nullptr},
                  {"kernel", nullptr},
                  {"cases", json::array()},
                  {"diagnostics", json::array()},
                  {"seconds", {{"build", 0}, {"run", 0}}},
                  {"xp", 0}},
                 2);
}

}  // namespace grade
