// Timing of 049 moe_forward: the layer forward.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(moe_forward) {
  const MoeConfig config = bench::layer_config(bench);
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::read);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(config.T, config.D));
  const auto out = bench.output(count(config.T, config.D));
  bench.work = {.read = bench::forward_read(config),
                .written = bench::forward_written(config),
                .flops = bench::forward_flops(config),
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    function(config, params, X, ws, out, stream);
  });
}
