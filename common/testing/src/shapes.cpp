#include "testing/shapes.h"

#include <algorithm>

namespace testing {
namespace {

bool all_different(const auto& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (sizes[i] == sizes[j]) return false;
    }
  }
  return true;
}

template <std::size_t N>
std::vector<std::array<int, N>> unequal_tuples(Random& random, int count, int most_work,
                                               const std::array<int, N>& most) {
  const std::vector<int> edges = edge_sizes(std::max(most_work / (N == 2 ? 1 : 2), 3));
  const int last = static_cast<int>(edges.size()) - 1;
  std::vector<std::array<int, N>> tuples;
  while (static_cast<int>(tuples.size()) < count) {
    std::array<int, N> sizes;
    long work = 1;
    bool allowed = true;
    for (std::size_t i = 0; i < N; ++i) {
      sizes[i] = edges[static_cast<std::size_t>(random.integer(0, last))];
      work *= sizes[i];
      allowed = allowed && sizes[i] <= most[i];
    }
    if (allowed && work <= most_work && all_different(sizes)) tuples.push_back(sizes);
  }
  return tuples;
}

}  // namespace

std::vector<int> edge_sizes(int most) {
  std::vector<int> sizes;
  for (const int size :
       {1,  2,   3,   5,   7,   8,   13,  15,  16,  17,  31,  32,  33,  61,   64,   65,
        97, 127, 128, 129, 191, 255, 256, 257, 383, 511, 512, 513, 769, 1023, 1024, 1025}) {
    if (size <= most) sizes.push_back(size);
  }
  return sizes;
}

std::vector<std::array<int, 2>> unequal_pairs(Random& random, int count, int most_work,
                                              std::array<int, 2> most) {
  return unequal_tuples<2>(random, count, most_work, most);
}

std::vector<std::array<int, 3>> unequal_triples(Random& random, int count, int most_work,
                                                std::array<int, 3> most) {
  return unequal_tuples<3>(random, count, most_work, most);
}

std::vector<float> tall_terms(Random& random, int rows, int cols) {
  // The last rows weigh more than any of the first: a row taken for another one shows, even one.
  constexpr int kLarge = 16;
  std::vector<float> terms;
  for (int r = 0; r < rows; ++r) {
    const float scale = r < kLarge           ? 1.0f
                        : r >= rows - kLarge ? 3.0f
                                             : 10.0f / static_cast<float>(rows);
    for (int c = 0; c < cols; ++c) terms.push_back(scale * random.uniform(1, 2));
  }
  return terms;
}

std::vector<int> random_offsets(Random& random, int rows, int experts) {
  std::vector<int> offsets{0};
  for (int e = 1; e < experts; ++e) offsets.push_back(random.integer(0, rows));
  offsets.push_back(rows);
  std::ranges::sort(offsets);
  return offsets;
}

std::vector<std::vector<int>> offsets_at_tile_ends() {
  std::vector<std::vector<int>> all;
  for (const int first : {30, 31, 32, 33}) {
    all.push_back({0, first, first + 32, first + 64, first + 96, first + 224, 270});
  }
  return all;
}

std::vector<int> crowded_offsets() {
  return {0, 12, 21, 21, 1446, 1456, 1470, 1483, 1500};
}

int owner_of_row(const std::vector<int>& offsets, int row) {
  return static_cast<int>(std::ranges::upper_bound(offsets, row) - offsets.begin()) - 1;
}

std::vector<int> row_owners(const std::vector<int>& offsets) {
  std::vector<int> owners;
  for (int row = 0; row < offsets.back(); ++row) owners.push_back(owner_of_row(offsets, row));
  return owners;
}

}  // namespace testing
