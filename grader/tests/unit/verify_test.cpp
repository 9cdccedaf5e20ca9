#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "system/files.h"
#include "verify/documents.h"
#include "verify/impostors.h"

using grade::Impostor;
using grade::impostors;
using grade::line_that_uses;
using grade::stub_against_reference;

namespace {

// moe/kernels.h of the workbook that this test is part of.
std::string declarations() {
  return grade::read_file(std::filesystem::path(GRADE_FIXTURES) /
                          "../../../common/moe/include/moe/kernels.h");
}

std::vector<std::string> declared_functions(const std::string& header) {
  std::vector<std::string> names;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("void ")) names.push_back(line.substr(5, line.find('(') - 5));
  }
  return names;
}

}  // namespace

TEST_CASE("a stub becomes the reference inside its TODO regions alone") {
  const std::string stub =
      "head\n"
      "  // TODO(1): fill in\n"
      "  int x = 0;\n"
      "  // END TODO(1)\n"
      "middle\n"
      "  // TODO(2): and this\n"
      "  // END TODO(2)\n"
      "tail\n";
  CHECK(stub_against_reference(stub, "head\n  int x = 7;\nmiddle\n  call();\ntail\n").empty());
  CHECK(stub_against_reference(stub, "head\nmiddle\ntail\n").empty());
  CHECK_FALSE(stub_against_reference(stub, "Head\n  int x = 7;\nmiddle\ntail\n").empty());
  CHECK_FALSE(stub_against_reference(stub, "head\n  int x = 7;\nMiddle\ntail\n").empty());
  CHECK_FALSE(stub_against_reference(stub, "head\n  int x = 7;\nmiddle\ntail\nmore\n").empty());
  CHECK_FALSE(stub_against_reference(stub, "more\nhead\n  int x = 7;\nmiddle\ntail\n").empty());
  CHECK_FALSE(stub_against_reference(stub, stub).empty());
  CHECK_FALSE(stub_against_reference("head\ntail\n", "head\ntail\n").empty());
  CHECK_FALSE(stub_against_reference("// TODO(2): x\n// END TODO(2)\n", "y\n").empty());
  CHECK_FALSE(stub_against_reference("// TODO(1): x\n", "y\n").empty());
  CHECK_FALSE(stub_against_reference("// END TODO(1)\n", "y\n").empty());
  // The last part must follow the others, not overlap them.
  CHECK_FALSE(
      stub_against_reference("a\nb\n// TODO(1): x\n// END TODO(1)\na\nb\n", "a\nb\n").empty());
}

TEST_CASE("terms are found as whole words, unless they are marked as later") {
  CHECK(line_that_uses("one\na Warp here", "warp") == 2);
  CHECK(line_that_uses("32 warps", "warp") == 1);
  CHECK(line_that_uses("a warped mind", "warp") == 0);
  CHECK(line_that_uses("warp_sum", "warp") == 0);
  CHECK(line_that_uses("shared\nmemory", "shared memory") == 1);
  CHECK(line_that_uses("*Later: a warp\nof threads*", "warp") == 0);
  CHECK(line_that_uses("*Later: a warp* and a warp", "warp") == 1);
  CHECK(line_that_uses("", "warp") == 0);
}

TEST_CASE("every function of the workbook has its impostors") {
  const std::string header = declarations();
  const auto functions = declared_functions(header);
  CHECK(functions.size() == 52);
  for (const std::string& function : functions) {
    CAPTURE(function);
    grade::Lesson lesson;
    lesson.slug = function;
    std::vector<Impostor> all;
    REQUIRE_NOTHROW(all = impostors(lesson, header));
    const std::size_t fewest = function == "zero_grads" ? 2 : 3;
    CHECK(all.size() >= fewest);
    CHECK(all.front().name == "do_nothing");
    for (const Impostor& each : all) {
      CAPTURE(each.name);
      CHECK(each.source.find("void " + function + "(") != std::string::npos);
      if (each.name == "all_nan") CHECK(each.source.find("  fill(") != std::string::npos);
      if (each.name.starts_with("copy_of_")) {
        CHECK(each.source.find("  copy(") != std::string::npos);
      }
    }
  }
  grade::Lesson unknown;
  unknown.slug = "no_such_function";
  CHECK_THROWS(impostors(unknown, header));
}
