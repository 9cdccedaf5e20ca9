// A step of a trace in words: the caption under the picture, and the whole picture for those who
// hear it.
#pragma once

#include <string>

#include "picture/trace.h"

namespace grade {

// "A[m=1, k=0]"
std::string element_in_words(const Trace::Array& array, long element);

// "warp 0 loads from A: lanes 0 to 3 A[m=0, k=0], ... 1 sector, the fewest possible."
std::string step_in_words(const Trace& trace, std::size_t step);

// What the checks found in the step; nothing when it is in order.
std::string findings_in_words(const Trace& trace, std::size_t step);

// "1 step", "2 steps"
std::string number_of(std::uint64_t count, const char* one, const char* many);

// Why a trace has no steps.
std::string nothing_in_words(const Trace& trace);

// "(1,0,0)"
std::string triple_in_words(const std::array<unsigned, 3>& index);
std::array<unsigned, 3> index_of(std::size_t linear, const std::array<unsigned, 3>& extents);

}  // namespace grade
