// The arrays of a whole layer, for the benchmarks of lessons 049 to 052.
#pragma once

#include "bench/benchmark.h"

namespace bench {

// A small layer, where launches are what costs, and two large ones.
MoeConfig layer_config(Benchmark& bench);

// The learned arrays or their gradients, in the shapes of MoeParams.
struct ParamArrays {
  Array<float> Wg, W1, b1, W2, b2;
  operator MoeParams() const { return {Wg, W1, b1, W2, b2}; }
};

enum class Kept { read, changed, scratch };

ParamArrays param_arrays(Benchmark& bench, const MoeConfig& config, Kept kept);

// Every field is scratch: the layer's outputs are what is checked.
struct WorkspaceArrays {
  Array<float> logits, probs;
  Array<int> experts;
  Array<float> gates;
  Array<int> counts, offsets, slot_of_pair, pair_of_slot;
  Array<float> Xs, Z, A, Ys, fractions, mean_probs;
  Array<float> dgates, dprobs, dlogits, dYs, dA, dZ, dXs, dX_router, losses;
  operator MoeWorkspace() const;
};

WorkspaceArrays workspace_arrays(Benchmark& bench, const MoeConfig& config);

// Three products each way over P rows, and the router's.
double forward_flops(const MoeConfig& config);
double backward_flops(const MoeConfig& config);
// Bytes: every parameter and every token once; every token's output, and what the workspace is
// given.
double forward_read(const MoeConfig& config);
double forward_written(const MoeConfig& config);

}  // namespace bench
