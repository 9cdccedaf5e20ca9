// Who holds what: n things in the ranks' order, each rank a run of neighbours.
#pragma once

namespace parallel {

struct Share {
  int first = 0;
  int count = 0;
};

// Shares differ by one at most; with fewer things than ranks some are empty.
constexpr Share share_of(int things, int ranks, int rank) {
  const auto begin = [&](long long r) { return static_cast<int>(r * things / ranks); };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

}  // namespace parallel
