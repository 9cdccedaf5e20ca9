// Reads a grader's messages from the verdict channel and decides what they amount to.
//
// Every message is one JSON object on a line and carries the run's nonce. A pass is: start, every
// listed case reported once and as passed, no error among the diagnostics, end, nothing foreign on
// the channel, exit code 0. Whatever is missing, doubled or strange makes it something else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/result.h"
#include "sandbox/sandbox.h"

namespace grade {

class VerdictReader {
 public:
  // A part of a grader's cases may be empty.
  explicit VerdictReader(std::string nonce, bool part_of_cases = false)
      : nonce_(std::move(nonce)), part_of_cases_(part_of_cases) {}

  void line(std::string_view text);
  const std::string& case_running() const { return running_; }
  const RunResult& so_far() const { return result_; }
  bool just_failed() const { return just_failed_; }  // the last line ended a case that failed

  // `limits` words the reasons. Fills status, reason, cases, diagnostics, notes, output.
  RunResult finish(const sandbox::Outcome& outcome, const sandbox::Limits& limits) const;

 private:
  void decide(RunResult& result, const sandbox::Outcome& outcome,
              const sandbox::Limits& limits) const;
  bool complete() const;

  std::string nonce_;
  bool part_of_cases_;
  bool started_ = false;
  bool ended_ = false;
  bool just_failed_ = false;
  bool foreign_ = false;  // a line that is no message of this run, or breaks the order
  std::string load_error_;
  std::string unusable_;  // why the grader cannot run on this machine
  std::string running_;
  std::vector<std::string> listed_;
  RunResult result_;
};

}  // namespace grade
