// What a benchmark program (common/bench) measured: the other end of its `timing` messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grade {

// One kernel, or a library that does the same: "yours", "reference", "fast", "cuBLAS".
struct TimedSubject {
  std::string name;
  std::string wrong;  // why its time counts for nothing: wrong results, or above the roofline
  double median = 0;  // seconds; these only while nothing is wrong
  double lower = 0;   // first quartile
  double upper = 0;   // third quartile
  int samples = 0;
  std::optional<double> of_roofline;  // the least time that the machine can take, by the median

  bool sound() const { return wrong.empty() && median > 0; }
  // Width of the middle half of the samples as a part of the median.
  double spread() const { return (upper - lower) / median; }
};

struct TimedCase {
  std::string function;
  std::string shape;   // "rows = 65,536, cols = 1,024"
  std::string method;  // cold, replayed
  double bytes_read = 0;
  double bytes_written = 0;
  double flops = 0;
  double least_seconds = 0;
  std::string skipped;  // why nothing was timed, or empty
  std::vector<TimedSubject> subjects;

  // Null where there is none of that name, or its time counts for nothing.
  const TimedSubject* sound(const std::string& name) const;
  // How many times as fast as the reference; none where either counts for nothing.
  std::optional<double> ratio(const TimedSubject& subject) const;
};

struct Timing {
  std::string device;  // "NVIDIA H200"
  bool smoke = false;  // small sizes, to see that everything runs: no record
  // Ceilings of the roofline, measured in the same run, a second; 0: not measured.
  double copy_bytes = 0, read_bytes = 0, fill_bytes = 0, flops = 0, product_flops = 0;
  std::vector<TimedCase> cases;
};

// Of the messages of one run, in their order. Throws std::runtime_error where they are none.
Timing read_timing(const std::vector<std::string>& messages);

// A rate: operations where they decide, else bytes. "3,946 GB/s", "50.6 TFLOP/s".
std::string rate_in_words(const TimedCase& timed, double seconds);
// "136 µs"; without Unicode "136 us".
std::string seconds_in_words(double seconds, bool unicode = true);

}  // namespace grade
