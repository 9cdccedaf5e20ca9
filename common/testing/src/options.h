// A grader's command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace testing {

struct Options {
  std::string kernel;
  std::vector<std::string> with;
  std::optional<std::uint64_t> seed;
  int runs = 0;        // 0: as many as the backend advises
  bool bench = false;  // the bench cases, counted, instead of the test cases
  bool trace = false;  // one case, traced instead of graded
  bool list = false;
  bool help = false;
  std::vector<std::string> cases;  // none: all
  int shard = 1, shards = 1;       // 1 <= shard <= shards
  double budget = 0;               // seconds of work for the whole run; 0: not known
};

extern const char* const usage;

// Throws std::invalid_argument with a message that names the bad token.
Options parse_options(const std::vector<std::string>& arguments);

// The names to run, in order. Throws std::invalid_argument for a case that does not exist.
std::vector<std::string> select_cases(const std::vector<std::string>& all, const Options& options);

}  // namespace testing
