#include "testing/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "testing/shapes.h"

using namespace testing;

TEST_CASE("the same seed and name give the same numbers, others give others") {
  CHECK(Random(5, "case", 1).values(50) == Random(5, "case", 1).values(50));
  CHECK(Random(5, "case", 1).values(50) != Random(6, "case", 1).values(50));
  CHECK(Random(5, "case", 1).values(50) != Random(5, "other", 1).values(50));
  CHECK(Random(5, "case", 1).values(50) != Random(5, "case", 2).values(50));
}

TEST_CASE("values are of size 1 and unlike each other") {
  const std::vector<float> values = Random(1, "values").values(2000);
  CHECK(
      std::ranges::all_of(values, [](float v) { return std::abs(v) >= 0.5f && std::abs(v) <= 2; }));
  CHECK(std::set<float>(values.begin(), values.end()).size() > 1990);
  CHECK(std::ranges::count_if(values, [](float v) { return v < 0; }) > 800);
}

TEST_CASE("distributions") {
  Random random(2, "distributions");
  const std::vector<float> normals = random.normals(20000, 3, 2);
  const double mean = std::accumulate(normals.begin(), normals.end(), 0.0) / 20000;
  CHECK(std::abs(mean - 3) < 0.1);
  const std::vector<int> dice = random.integers(6000, 1, 6);
  for (int face = 1; face <= 6; ++face) CHECK(std::ranges::count(dice, face) > 800);
  std::vector<int> order = random.permutation(100);
  CHECK_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (int i = 0; i < 100; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
  const std::vector<float> extremes = random.extremes(500);
  CHECK(std::ranges::none_of(extremes, [](float v) { return !std::isfinite(v); }));
  CHECK(std::ranges::any_of(extremes, [](float v) { return v != 0 && std::abs(v) < 0x1p-126f; }));
}

TEST_CASE("shapes: all sizes of a tuple differ, and the work is bounded") {
  Random random(3, "shapes");
  for (const auto [m, n, k] : unequal_triples(random, 50, 4000)) {
    CHECK(m != n);
    CHECK(n != k);
    CHECK(m != k);
    CHECK(m * n * k <= 4000);
  }
  CHECK(unequal_pairs(random, 5, 100).size() == 5);
  for (const auto [pairs, E] : unequal_pairs(random, 200, 20'000, {any_size, most_experts})) {
    CHECK(E <= 1024);
  }
  CHECK(edge_sizes(33).back() == 33);
}
