// Timing of 052 train_loop: ten steps of training.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(train_loop) {
  const int T = bench.size("T", {512, 4'096, 16'384}, 29);
  const int D = bench.size("D", {64, 1'024, 1'024}, 13);
  const int H = bench.size("H", {256, 4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 8, 64}, 5);
  const int K = bench.size("K", {2, 2, 4}, 2);
  const MoeConfig config{T, D, H, E, K, Activation::gelu, 0.01f};
  const int steps = 10;
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::changed);
  const bench::ParamArrays grads = bench::param_arrays(bench, config, Kept::scratch);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(T, D));
  const auto target = bench.input(count(T, D));
  const auto out = bench.scratch(count(T, D));
  const auto dOut = bench.scratch(count(T, D));
  const auto dX = bench.scratch(count(T, D));
  const auto history = bench.output(count(2, steps));
  bench.work = {.bytes = 3.0 * steps * bench::forward_bytes(config),
                .flops = steps * (bench::forward_flops(config) + bench::backward_flops(config)),
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    function(config, params, grads, X, target, ws, out, dOut, dX, 1e-3f, steps, history, stream);
  });
}
