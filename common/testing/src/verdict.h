// The grader's side of the verdict protocol: JSON objects, one a line, on a descriptor of their
// own.
//
// The parent puts the descriptor's number in GRADE_VERDICT_FD and a nonce on standard input. A pass
// is believed only after every listed case was reported under that nonce and the end was sent, so
// output that imitates a verdict, an early exit(0) or a closed descriptor is never a pass.
//
// A seed that is a secret comes on a second line of standard input: a command line is there for all
// users of the machine to read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testing/counts.h"
#include "testing/diagnostic.h"

namespace testing {

class VerdictChannel {
 public:
  // Writes to `descriptor`, which it takes over.
  VerdictChannel(int descriptor, std::string nonce);
  ~VerdictChannel();
  VerdictChannel(const VerdictChannel&) = delete;
  VerdictChannel& operator=(const VerdictChannel&) = delete;

  // From the environment and standard input; standard input is empty afterwards. Null without
  // GRADE_VERDICT_FD.
  static std::unique_ptr<VerdictChannel> open();

  // The secret seed, where there is one.
  std::optional<std::uint64_t> seed() const { return seed_; }

  void start(const std::string& lesson, std::uint64_t seed, const std::string& backend,
             const std::vector<std::string>& cases);
  void case_start(const std::string& name);
  void diagnostic(const std::string& case_name, const Diagnostic& diagnostic);
  void case_end(const std::string& name, const char* status, const std::string& message,
                const std::string& mistake, double seconds);
  // What one call did, by kernel.
  void counts(const std::string& case_name, const CallCounts& counts);
  // What a benchmark measured: a JSON object as text.
  void timing(const std::string& json);
  // What a call did, step by step: JSON from the backend.
  void trace(const std::string& case_name, const std::string& sizes, const std::string& trace);
  void note(const std::string& case_name, const std::string& text);
  void load_error(const std::string& text);
  void end(int cases);

 private:
  int descriptor_;
  std::string nonce_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace testing
