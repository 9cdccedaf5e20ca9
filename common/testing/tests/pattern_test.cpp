#include "pattern.h"

#include <doctest/doctest.h>

#include <vector>

using namespace testing;

namespace {

std::string pattern(const Axes& axes, auto is_wrong) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= static_cast<std::size_t>(axis.extent);
  std::vector<char> wrong(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto columns = static_cast<std::size_t>(axes.back().extent);
    wrong[i] = is_wrong(static_cast<int>(i / columns), static_cast<int>(i % columns));
  }
  return describe_pattern(axes, wrong);
}

const Axes matrix{{"m", 20}, {"n", 40}};
const Axes line{{"i", 1000}};

}  // namespace

TEST_CASE("an element's name has its indices in the lesson's terms") {
  CHECK(element_name("C", matrix, 83) == "C[m=2, n=3]");
  CHECK(element_name("db", {{"c", 7}}, 6) == "db[c=6]");
  CHECK(element_name("loss", {}, 0) == "loss");
}

TEST_CASE("how many are wrong") {
  CHECK(pattern(matrix, [](int, int) { return false; }) == "");
  CHECK(pattern(matrix, [](int, int) { return true; }) == "all of them");
  CHECK(pattern(matrix, [](int m, int n) { return m == 3 && n == 4; }) == "this one alone");
  CHECK(describe_pattern({}, std::vector<char>{1}) == "the only one");
}

TEST_CASE("whole rows and columns") {
  CHECK(pattern(matrix, [](int m, int) { return m == 7; }) == "all with m = 7");
  CHECK(pattern(matrix, [](int m, int) { return m > 0; }) == "all with m >= 1");
  CHECK(pattern(matrix, [](int, int n) { return n >= 32; }) == "all with n >= 32");
  CHECK(pattern(matrix, [](int, int n) { return n < 5; }) == "all with n <= 4");
  CHECK(pattern(matrix, [](int, int n) { return n >= 5 && n < 9; }) == "all with n from 5 to 8");
  CHECK(pattern(matrix, [](int m, int) { return m % 2 == 1; }) == "all with odd m");
  CHECK(pattern(matrix, [](int, int n) { return n % 2 == 0; }) == "all with even n");
  CHECK(pattern(matrix, [](int, int n) { return n % 8 == 3; }) == "all with n % 8 = 3");
  CHECK(pattern(matrix, [](int, int n) { return n % 4 != 0; }) ==
        "all with n that are not a multiple of 4");
  CHECK(pattern(matrix, [](int m, int) { return m == 1 || m == 6; }) == "all with m = 1, 6");
  CHECK(pattern(matrix, [](int, int n) { return n != 9; }) == "all with n other than 9");
}

TEST_CASE("rows that are wrong but for an element that is right by chance") {
  CHECK(pattern(matrix, [](int m, int n) { return m >= 10 && !(m == 12 && n == 5); }) ==
        "nearly all with m >= 10");
}

TEST_CASE("in the order of memory") {
  CHECK(pattern(line, [](int, int i) { return i >= 256; }) ==
        "every element from i 256 on, as if 256 threads did all the work");
  CHECK(pattern(line, [](int, int i) { return i >= 768; }) ==
        "every element from i 768 on, as if the last block of 256 were missing");
  CHECK(pattern(line, [](int, int i) { return i >= 77; }) == "every element from i 77 on");
  CHECK(pattern(line, [](int, int i) { return i < 10; }) == "every element below i 10");
  CHECK(pattern(line, [](int, int i) { return i % 2 == 1; }) == "all with odd i");
  CHECK(pattern(matrix, [](int m, int n) { return m * 40 + n >= 250; }) ==
        "every element from flat index 250 on");
}

TEST_CASE("tiles and diagonals") {
  CHECK(pattern(matrix, [](int m, int n) { return m >= 16 && n >= 32; }) ==
        "all with m >= 16 and n >= 32");
  CHECK(pattern(matrix, [](int m, int n) { return m >= 16 || n >= 32; }) ==
        "all with m >= 16 or n >= 32, past the whole tiles of 16");
  CHECK(pattern({{"m", 9}, {"n", 9}}, [](int m, int n) { return m != n; }) ==
        "all but the diagonal, as if rows and columns were swapped");
  CHECK(pattern({{"m", 9}, {"n", 9}}, [](int m, int n) { return m > n; }) ==
        "all below the diagonal");
}

TEST_CASE("no clear shape") {
  CHECK(pattern(matrix, [](int m, int n) { return (m * 7 + n * 13) % 11 < 4; }) == "scattered");
  CHECK(pattern(matrix, [](int m, int n) { return n >= 30 && (m + n) % 3 == 0; }) ==
        "scattered over those with n >= 30");
  CHECK(pattern(matrix, [](int m, int n) { return (m * 7 + n * 13) % 23 > 0; }) ==
        "nearly all of them");
}
