// Timing of 050 moe_backward: the layer backward, from what a forward pass saved.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(moe_backward) {
  const MoeConfig config = bench::layer_config(bench);
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::read);
  const bench::ParamArrays grads = bench::param_arrays(bench, config, Kept::changed);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(config.T, config.D));
  const auto out = bench.scratch(count(config.T, config.D));
  const auto dOut = bench.input(count(config.T, config.D));
  const auto dX = bench.output(count(config.T, config.D));
  bench.work = {.read = 2 * bench::forward_read(config),
                .written = 2 * bench::forward_written(config),
                .flops = bench::backward_flops(config),
                .product = true};
  bench.prepare([&](cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    moe_forward(config, params, X, ws, out, stream);
  });
  bench.time([&](auto function, cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    function(config, params, X, dOut, ws, grads, dX, stream);
  });
}
