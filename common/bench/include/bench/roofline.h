// The least time that a piece of work can take on a machine, by Williams, Waterman and Patterson
// (2009): its bytes at the memory's rate, or its operations at the arithmetic units' rate,
// whichever takes longer. The rates are ceilings that were measured in the same run, not a data
// sheet's.
#pragma once

namespace bench {

// What the problem asks for, whoever solves it: every input read once, every output written once.
struct Work {
  double bytes = 0;
  double flops = 0;
  // A product of matrices: tensor cores may do it, three terms for one of FP32's accuracy.
  bool product = false;
};

struct Ceilings {
  double bytes_per_second = 0;          // a device copy, bytes read and written
  double flops_per_second = 0;          // FP32 fused multiply-adds, two a piece
  double product_flops_per_second = 0;  // a third of TF32's; 0: not measured
};

// Seconds.
double least_time(const Work& work, const Ceilings& ceilings);

// Whether a time lies below the least one by more than the ceilings' own spread: something was not
// done, or not timed. Never a record.
bool too_fast(double least_seconds, double seconds);

}  // namespace bench
