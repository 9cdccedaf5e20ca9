// Sizes at which wrong kernels show: small ones, primes, a warp or a block plus or minus one.
#pragma once

#include <array>
#include <vector>

#include "testing/random.h"

namespace testing {

// 1, 2, 3, then a prime, and the neighbours of a warp and of the usual block sizes up to `most`.
std::vector<int> edge_sizes(int most = 1025);

// `count` tuples whose sizes all differ from each other, picked from the edge sizes at random, with
// a product of at most `most_work`: no size can be taken for another unnoticed.
std::vector<std::array<int, 2>> unequal_pairs(Random& random, int count, int most_work);
std::vector<std::array<int, 3>> unequal_triples(Random& random, int count, int most_work);

// Rows cut at random into the shares of `experts` experts, some of them empty: [experts+1], as
// lesson 022 makes them.
std::vector<int> random_offsets(Random& random, int rows, int experts);
// The expert that owns a row, and the owner of each row.
int owner_of_row(const std::vector<int>& offsets, int row);
std::vector<int> row_owners(const std::vector<int>& offsets);

}  // namespace testing
