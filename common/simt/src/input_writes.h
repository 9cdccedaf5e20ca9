// Writes of a lesson's function into the arrays that its harness marked as inputs, be it of the
// value that is there. The cells remember who wrote a word last, so one look at the end tells, and
// the kernels' own way costs nothing.
#pragma once

#include <cstdint>

#include "heap.h"
#include "launch.h"

namespace simt::input_writes {

void begin_lesson();
// Every launch of it, before its first thread.
void begin_launch(const Launch& launch);
// Reports what was written, a report for each line.
void end_lesson();

// A copy or fill that writes [begin, begin + bytes) of the allocation.
void by_copy(const Allocation& allocation, std::uintptr_t begin, std::size_t bytes,
             const char* call, std::uintptr_t pc);

}  // namespace simt::input_writes
