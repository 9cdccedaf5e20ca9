// Sizes at which wrong kernels show: small ones, primes, a warp or a block plus or minus one.
#pragma once

#include <array>
#include <vector>

#include "testing/random.h"

namespace testing {

// 1, 2, 3, then a prime, and the neighbours of a warp and of the usual block sizes up to `most`.
std::vector<int> edge_sizes(int most = 1025);

// The contract's largest sizes (docs/conventions.md): a right kernel may count on them.
inline constexpr int any_size = 1 << 30;
inline constexpr int most_experts = 1024;
inline constexpr int most_chosen = 16;  // K

// A width, prime, that no block has threads for, and whose row of floats is more than the 48 KB of
// shared memory that a launch gets unasked.
inline constexpr int wide_row = 12'301;

// `count` tuples whose sizes all differ from each other, picked from the edge sizes at random, with
// a product of at most `most_work`, each at most its own of `most`: no size can be taken for
// another unnoticed.
std::vector<std::array<int, 2>> unequal_pairs(Random& random, int count, int most_work,
                                              std::array<int, 2> most = {any_size, any_size});
std::vector<std::array<int, 3>> unequal_triples(Random& random, int count, int most_work,
                                                std::array<int, 3> most = {any_size, any_size,
                                                                           any_size});

// The terms of sums over `rows` rows, none of them 0, of which the first and the last 16 are a
// hundred and more times the others: one of those that is left out shows, though of so many terms
// the bound is wide, and so do a few dozen of the others.
std::vector<float> tall_terms(Random& random, int rows, int cols);

// Rows cut at random into the shares of `experts` experts, some of them empty: [experts+1], as
// lesson 022 makes them.
std::vector<int> random_offsets(Random& random, int rows, int experts);
// Rows of experts that meet at the last row of a tile of 16 to 128 rows, at the one before, and at
// the two after: offsets for four calls.
std::vector<std::vector<int>> offsets_at_tile_ends();
// Eight experts, one of which takes more than four times its share: a capacity, past which rows are
// left out, shows.
std::vector<int> crowded_offsets();
// The expert that owns a row, and the owner of each row.
int owner_of_row(const std::vector<int>& offsets, int row);
std::vector<int> row_owners(const std::vector<int>& offsets);

}  // namespace testing
