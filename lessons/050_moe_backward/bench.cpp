// Timing of 050 moe_backward: the layer backward, from what a forward pass saved.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(moe_backward) {
  const int T = bench.size("T", {512, 4'096, 16'384}, 29);
  const int D = bench.size("D", {64, 1'024, 1'024}, 13);
  const int H = bench.size("H", {256, 4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 8, 64}, 5);
  const int K = bench.size("K", {2, 2, 4}, 2);
  const MoeConfig config{T, D, H, E, K, Activation::gelu, 0.01f};
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::read);
  const bench::ParamArrays grads = bench::param_arrays(bench, config, Kept::changed);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(T, D));
  const auto out = bench.scratch(count(T, D));
  const auto dOut = bench.input(count(T, D));
  const auto dX = bench.output(count(T, D));
  bench.work = {.bytes = 2 * bench::forward_bytes(config),
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
