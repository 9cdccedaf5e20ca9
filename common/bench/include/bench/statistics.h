// What a set of timings says: the median, and how far the middle half of them spreads.
#pragma once

#include <vector>

namespace bench {

struct Summary {
  double median = 0;
  double lower = 0;  // first quartile
  double upper = 0;  // third quartile
  double least = 0;

  // Width of the middle half as a part of the median.
  double spread() const { return median > 0 ? (upper - lower) / median : 0; }
};

// Of at least one sample; quartiles between samples are interpolated. Throws std::invalid_argument.
Summary summarise(std::vector<double> samples);

}  // namespace bench
