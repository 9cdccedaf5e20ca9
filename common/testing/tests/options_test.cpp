#include "options.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace testing;

TEST_CASE("a full command line") {
  const Options options = parse_options({"--with", "a.so", "--kernel", "k.so", "--with", "b.so",
                                         "--seed", "17", "--schedules", "5", "--shard", "2/3",
                                         "--budget", "2.5", "--case", "one", "--bench"});
  CHECK(options.kernel == "k.so");
  CHECK(options.with == std::vector<std::string>{"a.so", "b.so"});
  CHECK(options.seed == 17);
  CHECK(options.runs == 5);
  CHECK(options.shard == 2);
  CHECK(options.shards == 3);
  CHECK(options.budget == 2.5);
  CHECK(options.bench);
  CHECK_FALSE(options.trace);
  CHECK(parse_options({"--kernel", "k.so", "--trace"}).trace);
  CHECK(options.cases == std::vector<std::string>{"one"});
}

TEST_CASE("a bad command line names the bad token") {
  const auto refused = [](const std::vector<std::string>& arguments) {
    try {
      parse_options(arguments);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({}) == "--kernel is missing");
  CHECK(refused({"--kernel"}) == "--kernel needs a value");
  CHECK(refused({"--kernel", "k.so", "--trace", "--bench"}) ==
        "--trace and --bench exclude each other");
  CHECK(refused({"--kernel", "k.so", "--sede", "1"}) == "unknown option '--sede'");
  CHECK(refused({"--kernel", "k.so", "--seed", "1x"}) == "--seed takes a number, not '1x'");
  CHECK(refused({"--kernel", "k.so", "--schedules", "-3"}) ==
        "--schedules takes a number, not '-3'");
  CHECK(refused({"--kernel", "k.so", "--shard", "4/3"}) ==
        "--shard I/N needs 1 <= I <= N, not '4/3'");
  CHECK(refused({"--list"}).empty());
}

TEST_CASE("shards take every case once") {
  const std::vector<std::string> all{"a", "b", "c", "d", "e", "f", "g"};
  std::vector<std::string> together;
  for (int shard = 1; shard <= 3; ++shard) {
    Options options;
    options.shard = shard;
    options.shards = 3;
    const auto part = select_cases(all, options);
    CHECK(part.size() >= 2);
    together.insert(together.end(), part.begin(), part.end());
  }
  std::ranges::sort(together);
  CHECK(together == all);
}

TEST_CASE("cases by name, in the order of the file") {
  Options options;
  options.cases = {"b"};
  CHECK(select_cases({"a", "b"}, options) == std::vector<std::string>{"b"});
  options.cases = {"x"};
  CHECK_THROWS_WITH(select_cases({"a", "b"}, options), "there is no case 'x'");
}
