// Outputs against what was expected of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testing/array.h"
#include "testing/oracle.h"

namespace testing {

// An array's elements as numbers; the words are floats or ints.
double number(std::uint32_t word, bool integer);

// What a run left in an array. `fill` is the word that an element nothing wrote still holds; arrays
// changed in place have none.
struct Got {
  const detail::ArrayState* array = nullptr;
  std::span<const std::uint32_t> words;
  bool filled = false;
  std::uint32_t fill = 0;

  double at(std::size_t i) const { return number(words[i], array->integer); }
  bool unwritten(std::size_t i) const { return filled && words[i] == fill; }
};

// Did the run take values that nothing wrote, and where from? Not all backends, and not all runs,
// can tell.
enum class UnwrittenReads { unknown, none, in_arrays, in_shared_memory, by_shuffle, mixed };

// An entry for each element: 1 where a kernel may not return what was got.
std::vector<char> wrong_elements(const Got& got, std::span<const Expected> expected);

// True if a mistake's output is what was got, in one element or in every one.
bool explains(const Got& got, std::size_t i, const Expected& mistaken);
bool explains(const Got& got, std::span<const Expected> mistaken);

// The report: the first wrong element, how many and where, and what the values look like. `inputs`
// are the trial's other arrays, which an output may be a copy of; `unwritten` helps to explain NaN.
std::string describe_mismatch(const Got& got, std::span<const Expected> expected,
                              std::span<const char> wrong,
                              const std::vector<const detail::ArrayState*>& inputs,
                              UnwrittenReads unwritten);

}  // namespace testing
