// What a trial was told, for the code that carries it out.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "testing/trial.h"

namespace testing {

struct Trial::State {
  struct Claim {       // about an array's content after the call
    std::string slug;  // of a mistake
    const detail::ArrayState* array;
    Element element;

    std::vector<Expected> values() const;  // of all elements
    Expected value(std::size_t flat) const;
  };

  State(std::vector<Size> named_sizes, int index_in_case, Random stream)
      : sizes(std::move(named_sizes)), index(index_in_case), random(stream) {}

  std::vector<Size> sizes;
  int index;  // of the trial in its case
  Random random;
  std::deque<detail::ArrayState> arrays;  // never moved: handles point at them
  std::vector<Claim> expectations;
  std::vector<Claim> mistakes;
  std::function<void(const Results&)> judge;  // adds to both after a run; or none
  std::vector<std::pair<std::string, std::function<bool(const Diagnostic&)>>> telling_diagnostics;
  int most_runs = 0;             // 0: no limit
  std::size_t sample_above = 0;  // threads; 0: whole grids
  bool judged_if_quick = false;
  Stream stream = Stream::own;

  std::string sizes_text() const;  // "M=3, N=5", or nothing
};

}  // namespace testing
