// Timing of 052 train_loop: ten steps of training.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(train_loop) {
  const MoeConfig config = bench::layer_config(bench);
  const int steps = 10;
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::changed);
  const bench::ParamArrays grads = bench::param_arrays(bench, config, Kept::scratch);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(config.T, config.D));
  const auto target = bench.input(count(config.T, config.D));
  const auto out = bench.scratch(count(config.T, config.D));
  const auto dOut = bench.scratch(count(config.T, config.D));
  const auto dX = bench.scratch(count(config.T, config.D));
  const auto history = bench.output(count(2, steps));
  bench.work = {.read = 3.0 * steps * bench::forward_read(config),
                .written = 3.0 * steps * bench::forward_written(config),
                .flops = steps * (bench::forward_flops(config) + bench::backward_flops(config)),
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    function(config, params, grads, X, target, ws, out, dOut, dX, 1e-3f, steps, history, stream);
  });
}
