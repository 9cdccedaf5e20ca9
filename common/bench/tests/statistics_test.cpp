#include "bench/statistics.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "bench/roofline.h"

TEST_CASE("a summary is the median and the middle half of the samples") {
  const bench::Summary summary = bench::summarise({5, 1, 2, 4, 3});
  CHECK(summary.median == 3);
  CHECK(summary.lower == 2);
  CHECK(summary.upper == 4);
  CHECK(summary.least == 1);
  CHECK(summary.spread() == doctest::Approx(2.0 / 3));
}

TEST_CASE("quartiles between two samples are interpolated") {
  const bench::Summary summary = bench::summarise({1, 2});
  CHECK(summary.median == 1.5);
  CHECK(summary.lower == 1.25);
  CHECK_THROWS_AS(bench::summarise({}), std::invalid_argument);
}

TEST_CASE("the roofline is the longer of memory's and arithmetic's time") {
  const bench::Ceilings ceilings{.copy_bytes_per_second = 100,
                                 .read_bytes_per_second = 125,
                                 .fill_bytes_per_second = 200,
                                 .flops_per_second = 10,
                                 .product_flops_per_second = 20};
  CHECK(bench::least_time({.read = 100, .written = 100, .flops = 5}, ceilings) == 2);
  CHECK(bench::least_time({.read = 1, .flops = 40}, ceilings) == 4);
  CHECK(bench::least_time({.read = 1, .flops = 40, .product = true}, ceilings) == 2);
  CHECK(bench::least_time({.read = 1, .flops = 40}, {}) == 0);  // nothing measured, no bound
}

TEST_CASE("memory's time fits what is read and what is written") {
  const bench::Ceilings ceilings{
      .copy_bytes_per_second = 100, .read_bytes_per_second = 125, .fill_bytes_per_second = 200};
  CHECK(bench::least_time({.read = 250}, ceilings) == 2);
  CHECK(bench::least_time({.written = 400}, ceilings) == 2);
  CHECK(bench::least_time({.read = 100, .written = 100}, ceilings) == 2);
  // A copy of 50 bytes and, above it, 125 bytes read or 200 written.
  CHECK(bench::least_time({.read = 175, .written = 50}, ceilings) == 2);
  CHECK(bench::least_time({.read = 50, .written = 250}, ceilings) == 2);
  // Faster than a copy, but only because it writes: no error.
  CHECK_FALSE(bench::too_fast(bench::least_time({.written = 100}, ceilings), 0.6));
  CHECK(bench::too_fast(bench::least_time({.read = 50, .written = 50}, ceilings), 0.6));
}

TEST_CASE("a time below the roofline is no record") {
  CHECK(bench::too_fast(1.0, 0.9));
  CHECK_FALSE(bench::too_fast(1.0, 0.97));
  CHECK_FALSE(bench::too_fast(0, 0.1));
}
