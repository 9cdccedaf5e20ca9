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

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testing/counts.h"
#include "testing/diagnostic.h"

namespace testing {

// Kept masked, so that the graded code, which shares this process, does not come upon it by a
// search through memory. That is no secret from code that knows this class.
class Nonce {
 public:
  static constexpr std::size_t longest = 128;

  explicit Nonce(std::string_view text);
  static Nonce read_line(int descriptor);
  [[nodiscard]] std::size_t length() const { return length_; }
  void copy_to(char* text) const;  // `length()` bytes

 private:
  std::array<char, longest> masked_{};
  std::array<char, longest> mask_{};
  std::size_t length_;
};

class VerdictChannel {
 public:
  // Writes to `descriptor`, which it takes over.
  VerdictChannel(int descriptor, const Nonce& nonce);
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
  // The grader cannot run on this machine, whatever the kernel.
  void unusable(const std::string& text);
  void end(int cases);

 private:
  void send(const nlohmann::ordered_json& json) const;

  int descriptor_;
  Nonce nonce_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace testing
