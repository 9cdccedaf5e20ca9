// The checks behind every access of a kernel: bounds, alignment, uninitialised reads, races.
#pragma once

#include "access.h"

namespace simt::detector {

void begin_launch();

// The general path: any access, from device or host code. Does not return when the access would
// fault: the thread is retired after the report.
void check(const Access& access);

// Decides what could not be decided before the last access was made: whether a racing store left
// the value that was there. Called before the running thread loses its turn.
void settle();

}  // namespace simt::detector
