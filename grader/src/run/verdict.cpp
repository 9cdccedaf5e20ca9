#include "run/verdict.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace grade {
namespace {

using nlohmann::json;

std::array<unsigned, 3> triple(const json& message, const char* field) {
  const auto found = message.find(field);
  return found == message.end() ? std::array<unsigned, 3>{} : found->get<std::array<unsigned, 3>>();
}

// What each refused call would have done, for the report.
std::string call_in_words(const std::string& call) {
  if (call == "fork" || call == "vfork" || call == "clone" || call == "execve" ||
      call == "execveat") {
    return "start another process";
  }
  if (call == "kill" || call == "tgkill" || call == "rt_tgsigqueueinfo" || call == "ptrace" ||
      call.starts_with("process_") || call.starts_with("pidfd_")) {
    return "reach into another process";
  }
  if (call == "threads") return "start threads without end";
  if (call == "setsid" || call == "setpgid") return "leave its process group";
  if (call.starts_with("socket")) return "open a network connection";
  return "change the system";
}

std::string megabytes_in_words(std::uint64_t bytes) {
  return fmt::format("{:.3g} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

void VerdictReader::line(std::string_view text) {
  just_failed_ = false;
  try {
    const json message = json::parse(text);
    if (!message.is_object() || message.value("nonce", "") != nonce_) {
      foreign_ = true;
      return;
    }
    const std::string type = message.at("type");
    if (type == "load_error") {
      load_error_ = message.at("text");
    } else if (type == "unusable") {
      unusable_ = message.at("text");
    } else if (type == "start") {
      if (started_) foreign_ = true;
      started_ = true;
      message.at("seed").get_to(result_.seed);
      message.at("cases").get_to(listed_);
    } else if (!started_ || ended_) {
      foreign_ = true;
    } else if (type == "case_start") {
      message.at("name").get_to(running_);
    } else if (type == "case") {
      result_.cases.push_back({message.at("name"), message.at("status"),
                               message.value("message", ""), message.value("mistake", "")});
      running_.clear();
      just_failed_ = result_.cases.back().status == "failed";
    } else if (type == "diagnostic") {
      ReportedDiagnostic diagnostic;
      diagnostic.error = message.at("severity") != "note";
      message.at("kind").get_to(diagnostic.kind);
      message.at("message").get_to(diagnostic.message);
      diagnostic.kernel = message.value("kernel", "");
      diagnostic.file = message.value("file", "");
      diagnostic.line = message.value("line", 0);
      diagnostic.other_file = message.value("other_file", "");
      diagnostic.other_line = message.value("other_line", 0);
      diagnostic.block = triple(message, "block");
      diagnostic.thread = triple(message, "thread");
      diagnostic.count = message.value("count", std::uint64_t{1});
      diagnostic.case_name = message.value("case", "");
      result_.diagnostics.push_back(std::move(diagnostic));
    } else if (type == "counts") {
      CaseCounts counts{message.at("case"), message.at("exact"), message.at("total"), {}};
      for (const json& kernel : message.at("kernels")) {
        counts.kernels.push_back({kernel.at("name"), kernel.at("values")});
      }
      result_.counts.push_back(std::move(counts));
    } else if (type == "trace") {
      result_.trace = json{{"case", message.at("case")},
                           {"sizes", message.at("sizes")},
                           {"trace", message.at("trace")}}
                          .dump();
    } else if (type == "timing") {
      result_.timings.push_back(message.at("timing").dump());
    } else if (type == "note") {
      result_.notes.push_back(message.at("text"));
    } else if (type == "end") {
      ended_ = true;
    }
  } catch (const json::exception&) {
    foreign_ = true;
  }
}

// Whether the grader came to its end and reported every listed case exactly once.
bool VerdictReader::complete() const {
  if (!started_ || !ended_ || (listed_.empty() && !part_of_cases_)) return false;
  std::vector<std::string> reported;
  for (const CaseResult& each : result_.cases) reported.push_back(each.name);
  std::vector<std::string> listed = listed_;
  std::sort(reported.begin(), reported.end());
  std::sort(listed.begin(), listed.end());
  return reported == listed;
}

RunResult VerdictReader::finish(const sandbox::Outcome& outcome,
                                const sandbox::Limits& limits) const {
  RunResult result = result_;
  result.output = outcome.output;
  result.output_cut = outcome.output_cut;
  result.run_seconds = outcome.seconds;
  result.case_running = running_;
  for (const std::string& name : listed_) {
    const bool reported = std::any_of(result.cases.begin(), result.cases.end(),
                                      [&](const CaseResult& each) { return each.name == name; });
    if (!reported) result.cases.push_back({name, "not_run", "", ""});
  }
  decide(result, outcome, limits);
  return result;
}

void VerdictReader::decide(RunResult& result, const sandbox::Outcome& outcome,
                           const sandbox::Limits& limits) const {
  using sandbox::Ending;
  const auto is = [&](Status status, std::string reason) {
    result.status = status;
    result.reason = std::move(reason);
  };
  switch (outcome.ending) {
    case Ending::not_started:
      return is(Status::unavailable, "the grader could not be started: " + outcome.detail);
    case Ending::cancelled:
      return is(Status::unavailable, "the run was cancelled");
    case Ending::starved:
      return is(Status::unavailable,
                fmt::format("the program {} to say whether the kernel is right. Run it again when "
                            "less else is running",
                            sandbox::time_in_words(outcome, limits)));
    case Ending::timed_out: {
      std::string reason = "the program " + sandbox::time_in_words(outcome, limits);
      if (outcome.output_cut) {
        reason += fmt::format(
            ", and it had printed {} by then: too much output, from a printf in "
            "every thread or in an endless loop",
            megabytes_in_words(outcome.output_bytes));
      } else if (outcome.waited > outcome.worked) {
        reason += ": for what does not come (a lock, a thread, input, the GPU), or asleep";
      } else {
        reason +=
            ": an endless loop, a barrier that some thread never reaches, or far too much to do";
      }
      return is(Status::timed_out, std::move(reason));
    }
    case Ending::memory:
      return is(Status::crashed, fmt::format("the program used more than {:.2g} GiB of memory",
                                             static_cast<double>(limits.memory) / (1 << 30)));
    case Ending::forbidden: {
      ReportedDiagnostic diagnostic;
      diagnostic.kind = "forbidden_call";
      diagnostic.message =
          fmt::format("forbidden call: the program tried to {} ({}), which the grader refuses",
                      call_in_words(outcome.detail), outcome.detail);
      diagnostic.case_name = running_;
      is(Status::crashed, "the program made a call that is not a kernel's business");
      result.diagnostics.push_back(std::move(diagnostic));
      return;
    }
    case Ending::stopped:
    case Ending::signalled:
      if (outcome.code == SIGXFSZ) {
        return is(Status::crashed, fmt::format("the program wrote a file of more than {} MiB",
                                               limits.file_size >> 20));
      }
      return is(Status::crashed, "the program " + sandbox::signal_in_words(outcome.code));
    case Ending::exited:
      break;
  }
  if (!unusable_.empty() && !started_ && !foreign_) return is(Status::unavailable, unusable_);
  if (!load_error_.empty()) return is(Status::compile_error, load_error_);
  if (foreign_ || outcome.verdict_overflow) {
    return is(Status::failed,
              "something other than the grader wrote on the grader's own channel, so this run "
              "proves nothing; a kernel writes to its outputs alone");
  }
  if (!complete()) {
    return is(Status::crashed,
              fmt::format("the program ended itself (exit code {}) before the grader had finished",
                          outcome.code));
  }
  const bool all_passed =
      std::all_of(result.cases.begin(), result.cases.end(),
                  [](const CaseResult& each) { return each.status == "passed"; });
  const bool error = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                                 [](const ReportedDiagnostic& each) { return each.error; });
  if (!all_passed || error) return is(Status::failed, "");
  if (outcome.code != 0) {
    return is(Status::crashed,
              fmt::format("every case passed, and then the program ended with exit code {}",
                          outcome.code));
  }
  is(Status::passed, "");
}

}  // namespace grade
