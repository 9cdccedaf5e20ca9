#include "comparison.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>

using namespace testing;

namespace {

constexpr std::uint32_t fill = 0x7fa0dead;

struct Output {
  detail::ArrayState array;
  std::vector<std::uint32_t> words;
  std::vector<Expected> expected;

  Output(int rows, int columns) {
    array.name = "C";
    array.axes = {{"m", rows}, {"n", columns}};
    array.role = Role::output;
    array.count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    for (std::size_t i = 0; i < array.count; ++i) {
      const double value = 1.5 + 0.75 * static_cast<double>(i);
      expected.push_back({value, 1e-6});
      words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    }
  }

  void set(std::size_t i, float value) { words[i] = std::bit_cast<std::uint32_t>(value); }
  float value(std::size_t i) const { return std::bit_cast<float>(words[i]); }
  Got got() const {
    Got result;
    result.array = &array;
    result.words = words;
    result.filled = array.role == Role::output;
    result.fill = fill;
    return result;
  }
  std::string report(const std::vector<const detail::ArrayState*>& inputs = {},
                     UnwrittenReads unwritten = UnwrittenReads::unknown) const {
    return describe_mismatch(got(), expected, wrong_elements(got(), expected), inputs, unwritten);
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("right values are not wrong, NaN and unwritten elements are") {
  Output output(3, 5);
  CHECK(wrong_elements(output.got(), output.expected) == std::vector<char>(15, 0));
  output.set(4, NAN);
  output.words[9] = fill;
  std::vector<char> wrong(15, 0);
  wrong[4] = wrong[9] = 1;
  CHECK(wrong_elements(output.got(), output.expected) == wrong);
}

TEST_CASE("the report names the first wrong element, the count and the place") {
  Output output(3, 5);
  for (std::size_t i = 5; i < 15; ++i) output.set(i, output.value(i) + 1);
  CHECK(output.report() ==
        "C[m=1, n=0] is 6.25, expected 5.25 (error 1, at most 1e-06 is allowed).\n"
        "10 of 15 elements of C are wrong: all with m >= 1.");
}

TEST_CASE("what wrong values look like") {
  Output output(3, 5);
  SUBCASE("nothing written") {
    output.words.assign(15, fill);
    CHECK(contains(output.report(), "C[m=0, n=0] was never written, expected 1.5."));
    CHECK(contains(output.report(), "Nothing was written"));
  }
  SUBCASE("a part never written") {
    for (std::size_t i = 10; i < 15; ++i) output.words[i] = fill;
    CHECK(contains(output.report(), "All of these were never written"));
  }
  SUBCASE("zeros") {
    for (std::size_t i = 0; i < 15; ++i) output.set(i, 0);
    CHECK(contains(output.report(), "All of these are 0."));
  }
  SUBCASE("NaN made from the fill") {
    for (std::size_t i = 0; i < 15; ++i) output.words[i] = 0x7fe0dead;
    CHECK(contains(output.report(), "come from memory that nothing wrote"));
    CHECK_FALSE(contains(output.report({}, UnwrittenReads::by_shuffle), "output"));
  }
  SUBCASE("computed NaN") {
    for (std::size_t i = 0; i < 15; ++i) output.set(i, NAN);
    const auto report = [&](UnwrittenReads reads) { return output.report({}, reads); };
    CHECK(contains(report(UnwrittenReads::none), "all the memory that was read had been written"));
    CHECK(contains(report(UnwrittenReads::none), "they were computed, as by 0/0"));
    CHECK_FALSE(contains(report(UnwrittenReads::none), "input"));
    CHECK(contains(report(UnwrittenReads::unknown), "computed, as by 0/0"));
    CHECK(contains(report(UnwrittenReads::unknown), "or the old content of the array"));
    CHECK(contains(report(UnwrittenReads::in_arrays), "the old content of an output"));
    for (const UnwrittenReads elsewhere :
         {UnwrittenReads::in_shared_memory, UnwrittenReads::by_shuffle, UnwrittenReads::mixed}) {
      CHECK_FALSE(contains(report(elsewhere), "output"));
    }
    CHECK(contains(report(UnwrittenReads::in_shared_memory), "from shared memory that nothing"));
    CHECK(contains(report(UnwrittenReads::by_shuffle), "from a shuffle"));
    detail::ArrayState input = output.array;
    input.content = output.words;
    CHECK(
        contains(output.report({&input}, UnwrittenReads::none), "a NaN of an input was passed on"));
  }
  SUBCASE("twice") {
    for (std::size_t i = 0; i < 15; ++i) output.set(i, 2 * output.value(i));
    CHECK(contains(output.report(), "twice what it should be"));
  }
  SUBCASE("transposed") {
    const Output right = output;
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t n = 0; n < 5; ++n) output.set(n * 3 + m, right.value(m * 5 + n));
    }
    CHECK(contains(output.report(), "stored transposed"));
  }
  SUBCASE("less accurate") {
    for (std::size_t i = 0; i < 15; ++i) output.set(i, output.value(i) * 1.0005f);
    output.expected.assign(15, Expected());
    for (std::size_t i = 0; i < 15; ++i) output.expected[i] = {output.value(i) / 1.0005, 1e-5};
    CHECK(contains(output.report(), "not to the accuracy of binary32"));
  }
  SUBCASE("a copy of an input") {
    detail::ArrayState input = output.array;
    input.name = "A";
    for (std::size_t i = 0; i < 15; ++i) {
      input.content.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i) * 0.3f - 9));
    }
    output.words = input.content;
    CHECK(contains(output.report({&input}), "The output is a copy of A."));
  }
  SUBCASE("overwritten instead of added") {
    output.array.role = Role::in_place;
    for (std::size_t i = 0; i < 15; ++i) {
      output.array.content.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i) + 10));
      output.set(i, static_cast<float>(output.expected[i].value - static_cast<double>(i) - 10));
    }
    CHECK(contains(output.report(), "must be added to it"));
  }
}

TEST_CASE("a mistake explains an output only if it fits every element") {
  Output output(2, 3);
  std::vector<Expected> mistaken = output.expected;
  mistaken[5] = Expected::unwritten();
  CHECK_FALSE(explains(output.got(), mistaken));
  output.words[5] = fill;
  CHECK(explains(output.got(), mistaken));
  output.set(0, 77);
  CHECK_FALSE(explains(output.got(), mistaken));
}

TEST_CASE("integers are exact and shown as such") {
  detail::ArrayState array;
  array.name = "counts";
  array.axes = {{"e", 3}};
  array.role = Role::output;
  array.integer = true;
  array.count = 3;
  const std::vector<std::uint32_t> words{4, 0, 0xffffffff};
  Got got;
  got.array = &array;
  got.words = words;
  got.filled = true;
  got.fill = fill;
  const std::vector<Expected> expected{4, 0, 2};
  CHECK(describe_mismatch(got, expected, wrong_elements(got, expected), {}, UnwrittenReads::none) ==
        "counts[e=2] is -1, expected 2.\n1 of 3 elements of counts is wrong: this one alone.");
}
