// The times of `grade bench`, a table for each shape.
#pragma once

#include "terminal/terminal.h"
#include "timing/timing.h"

namespace grade {

void print_times(terminal::Terminal& out, const Timing& timing);

// The device and what it reached in the same run, and what the columns mean.
void print_time_meanings(terminal::Terminal& out, const Timing& timing);

}  // namespace grade
