// Timing of 049 moe_forward: the layer forward.
#include "bench/benchmark.h"
#include "bench/layer.h"

using bench::count;
using bench::Kept;

BENCHMARK(moe_forward) {
  const int T = bench.size("T", {512, 4'096, 16'384}, 29);
  const int D = bench.size("D", {64, 1'024, 1'024}, 13);
  const int H = bench.size("H", {256, 4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 8, 64}, 5);
  const int K = bench.size("K", {2, 2, 4}, 2);
  const MoeConfig config{T, D, H, E, K, Activation::gelu, 0.01f};
  const bench::ParamArrays params = bench::param_arrays(bench, config, Kept::read);
  const bench::WorkspaceArrays arrays = bench::workspace_arrays(bench, config);
  const auto X = bench.input(count(T, D));
  const auto out = bench.output(count(T, D));
  bench.work = {.bytes = bench::forward_bytes(config),
                .flops = bench::forward_flops(config),
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    MoeWorkspace ws = arrays;
    function(config, params, X, ws, out, stream);
  });
}
