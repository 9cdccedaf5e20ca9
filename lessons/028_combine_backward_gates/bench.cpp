// Timing of 028 combine_backward_gates: K + 1 rows in for K numbers out.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(combine_backward_gates) {
  const int T = bench.size("T", {32'768}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int K = 2;
  const bench::Routing routing = bench::route(bench.random, T, T < 100 ? 5 : 64, K);
  const auto dOut = bench.input(count(T, D));
  const auto Ys = bench.input(count(T, K, D));
  const auto slot_of_pair = bench.input(routing.slot_of_pair);
  const auto dgates = bench.output(count(T, K));
  bench.work = {.read = 4.0 * T * D * (1 + K), .written = 4.0 * T * K, .flops = 2.0 * T * D * K};
  bench.time([&](auto function, cudaStream_t stream) {
    function(dOut, Ys, slot_of_pair, dgates, T, D, K, stream);
  });
}
