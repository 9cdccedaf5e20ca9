// Timing of 047 zero_grads: five arrays out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(zero_grads) {
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {2'048}, 11);
  const int E = bench.size("E", {64}, 5);
  const MoeConfig config{1, D, H, E, 1, Activation::gelu, 0};
  const auto Wg = bench.output(count(D, E));
  const auto W1 = bench.output(count(E, D, H));
  const auto b1 = bench.output(count(E, H));
  const auto W2 = bench.output(count(E, H, D));
  const auto b2 = bench.output(count(E, D));
  bench.work = {.written = 4.0 * static_cast<double>(2 * count(E, D, H) + count(D, E) +
                                                     count(E, H) + count(E, D))};
  bench.time([&](auto function, cudaStream_t stream) {
    const MoeParams grads{Wg, W1, b1, W2, b2};
    function(grads, config, stream);
  });
}
