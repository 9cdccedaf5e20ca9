// Choices of experts for benchmarks, and what lessons 021 to 023 make of them.
#pragma once

#include <vector>

#include "bench/random.h"

namespace bench {

struct Routing {
  std::vector<int> experts;                     // [T,K], distinct within a token
  std::vector<int> counts, offsets;             // [E], [E+1]
  std::vector<int> slot_of_pair, pair_of_slot;  // [T*K], stable
};

enum class Loads {
  random,  // every expert is as likely as another
  even,    // all experts get as many rows, up to one: they take turns
  skewed,  // expert e is wanted about in proportion to 1 / (1 + e), as by routers without balance
};

Routing route(Random& random, int T, int E, int K, Loads loads = Loads::random);

}  // namespace bench
