// The least time that a piece of work can take on a machine, by Williams, Waterman and Patterson
// (2009): its bytes at the memory's rate, or its operations at the arithmetic units' rate,
// whichever takes longer. The rates are ceilings that were measured in the same run, not a data
// sheet's.
//
// Memory has no one rate: reads and writes share its bus, and turning the bus round between them
// costs time that a pure stream does not pay. So three ceilings are measured: a kernel that only
// reads, one that only writes, and a copy. Work that reads r bytes and writes w is a copy of
// m = min(r, w) bytes and a pure stream of the rest, and takes at least
//
//   2 m / copy + (r - m) / read + (w - m) / fill.
//
// Where r = 0, w = 0 or r = w this is what was measured; in between it is their interpolation.
#pragma once

namespace bench {

// What the problem asks for, whoever solves it: every input read once, every output written once.
// An array that is added to is both.
struct Work {
  double read = 0;     // bytes
  double written = 0;  // bytes
  double flops = 0;
  // A product of matrices: tensor cores may do it, three terms for one of FP32's accuracy.
  bool product = false;

  double bytes() const { return read + written; }
};

// A rate of 0 was not measured, and bounds nothing.
struct Ceilings {
  double copy_bytes_per_second = 0;  // bytes read and bytes written, together
  double read_bytes_per_second = 0;
  double fill_bytes_per_second = 0;
  double flops_per_second = 0;          // FP32 fused multiply-adds, two a piece
  double product_flops_per_second = 0;  // a third of TF32's
};

// Seconds.
double least_time(const Work& work, const Ceilings& ceilings);

// Whether a time lies below the least one by more than the ceilings' own spread: something was not
// done, or not timed. Never a record.
bool too_fast(double least_seconds, double seconds);

}  // namespace bench
