// What came of a class: who handed what in, and how it was graded. The JSON of `grade export` holds
// it in full; every other format is a view of it.
//
// None of this may show a hidden seed, nor anything from which one could be told: of a hidden run
// only how it ended is kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grade::classroom {

// Of one lesson and one student.
struct Mark {
  struct Failure {
    std::string what;  // the case, or the kind of diagnostic
    std::string message;
    int line = 0;  // of the submitted file; 0: unknown
  };

  std::string lesson;  // directory
  std::string status;  // as in `grade --json`, or `missing`: nothing was handed in
  int points = 0;
  std::string file;    // as the student handed it in
  std::string reason;  // in one sentence; empty for a pass
  std::string hidden;  // how the run with hidden inputs ended; empty: there was none
  int cases = 0;       // of the run with public inputs
  int cases_passed = 0;
  std::vector<Failure> failures;
  std::string compiler;  // what the compiler said about the submitted file
  double seconds = 0;
};

struct Student {
  std::string name;
  std::vector<Mark> marks;           // one for each lesson of Results::lessons, in its order
  std::vector<std::string> remarks;  // files that were not graded, and why

  int points() const;
  int passed() const;
};

struct Assignment {
  std::string lesson;  // directory
  int number = 0;
  std::string title;
  int points = 0;  // for a pass
};

struct Results {
  static constexpr int version = 1;

  std::string course;
  std::string time;  // UTC
  std::string backend;
  std::string seed;     // of the public inputs; empty: each run had its own
  bool hidden = false;  // hidden inputs were used as well
  std::vector<Assignment> lessons;
  std::vector<Student> students;

  int points() const;  // that a student can reach
};

std::string to_json_text(const Results& results);
// Throws std::runtime_error that says what is wrong with the text.
Results results_from_json_text(std::string_view text);

// Joins the results of parts of a class, or of one class in several lessons. Throws
// std::runtime_error when they were graded in different ways, or hold the same mark twice.
Results merge(std::vector<Results> parts);

}  // namespace grade::classroom
