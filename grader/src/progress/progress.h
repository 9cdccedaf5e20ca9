// What a learner has done, as progress.json holds it. XP is computed here and never stored.
// The format is described in docs/progress.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grade {

class Course;
struct Lesson;

// The outcome of one graded run of the learner's own kernel.
struct Attempt {
  std::string status;   // passed, failed, compile_error, crashed, timed_out (never `unavailable`)
  std::string backend;  // cpu, cuda, or cpu+cuda
  std::uint64_t seed = 0;
  std::string kernel_hash;  // content_hash of kernel.cu
  // Of one that did not pass: the known mistake that it looks like (a slug, or empty), and what was
  // found first: a diagnostic's kind, "value", or the status.
  std::string mistake{};
  std::string finding{};
};

struct Pass {
  std::string time;  // UTC, 2025-03-09T14:05:06Z
  std::string backend;
  std::uint64_t seed = 0;
  std::string kernel_hash;
};

struct QuizAnswer {
  std::string answer;
  bool correct = false;
  int tries = 0;
};

// A copy of one lesson's entry; a lesson never touched has all defaults.
struct LessonProgress {
  int attempts = 0;
  std::string last_status;  // of the latest attempt
  std::string last_time;
  std::optional<Pass> first_pass;
  std::optional<Pass> last_pass;  // --mine takes a kernel only while its hash is this one
  std::string last_mistake;       // as the latest attempt's; empty after a pass
  std::string last_finding;
  std::vector<int> hints;  // seen, from 1, in that order
  bool spoiled = false;    // the reference was seen before the first pass
  std::map<std::string, QuizAnswer> quiz;
  std::int64_t seconds = 0;  // time spent, estimated from the gaps between commands

  bool passed() const { return first_pass.has_value(); }
  bool touched() const { return attempts > 0 || !hints.empty() || spoiled || !quiz.empty(); }
};

// What `grade bench` measured on a GPU of the quickest of the learner's own kernels.
struct BestTime {
  std::string device;            // "NVIDIA H200"
  std::string shape;             // "rows = 65,536, cols = 1,024"
  double seconds = 0;            // of one call: the median
  double reference_seconds = 0;  // in the same run
  double of_roofline = 0;        // part of the roofline that was reached; 0: it says nothing here
  std::string time{};            // UTC; set when it is kept
  std::string kernel_hash{};
};

struct Day {
  std::string day;  // local, 2025-03-09
  int attempts = 0;
  int passed = 0;
  std::int64_t seconds = 0;
};

class Progress {
 public:
  static constexpr int version = 1;

  Progress();  // nothing done yet
  ~Progress();
  Progress(const Progress& other);
  Progress(Progress&& other) noexcept;
  Progress& operator=(Progress other) noexcept;
  // Throws std::runtime_error that says what is wrong with the text.
  static Progress parse(std::string_view text);
  // The version that a text claims, or 0 when it is not such a file.
  static int version_of(std::string_view text);
  std::string text() const;  // indented JSON, ends with a newline

  // Puts each lesson's entry under the name that `current_name` gives for its own. Where there are
  // entries for both, they become one that has lost nothing of either.
  void rename_lessons(const std::function<std::string(const std::string&)>& current_name);

  LessonProgress lesson(std::string_view directory) const;
  bool passed(std::string_view directory) const;
  std::vector<Day> days() const;  // ascending

  // Each records the time as well (GRADE_NOW, see clock.h).
  void add_attempt(std::string_view directory, const Attempt& attempt);
  void add_hint(std::string_view directory, int hint);  // 1, 2, 3
  void add_spoiler(std::string_view directory);
  void add_answer(std::string_view directory, std::string_view question, std::string_view answer,
                  bool correct);
  void add_activity(std::string_view directory);  // the notes were read, and such
  // The training with nothing but own kernels that ends the course: when, and its losses.
  struct Completion {
    std::string time;  // UTC
    int steps = 0;
    double first_loss = 0;
    double last_loss = 0;
  };
  void set_completion(int steps, double first_loss, double last_loss);
  std::optional<Completion> completion() const;
  // The best benchmark so far: one JSON object, in whatever form `grade bench` gives it.
  void set_benchmark(std::string_view directory, std::string_view json);
  std::optional<std::string> benchmark(std::string_view directory) const;
  // One of a shape and a device, in the place of an earlier one.
  void set_best_time(std::string_view directory, const BestTime& best);
  std::vector<BestTime> best_times(std::string_view directory) const;

 private:
  struct Document;  // the JSON itself, so that this header is light

  std::unique_ptr<Document> document_;  // unknown fields and lessons stay in it
};

// The XP of all lessons passed.
int xp(const Course& course, const Progress& progress);
// The lowest-numbered lesson not passed, or nullptr when all that are here are.
const Lesson* next_lesson(const Course& course, const Progress& progress);
// Days in a row with at least one attempt, up to today (or yesterday, while today has none yet).
int streak(const Progress& progress);

}  // namespace grade
