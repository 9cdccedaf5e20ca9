// The whole layer as arrays of a trial, for lessons 049 to 052: drawn, laid out, and judged stage
// by stage.
#pragma once

#include <vector>

#include "moe/kernels.h"
#include "oracle/oracle.h"
#include "testing/trial.h"

namespace testing {

// The inputs of a layer on the host.
struct Layer {
  MoeConfig config{};
  std::vector<float> X, target;           // [T,D]
  std::vector<float> Wg, W1, b1, W2, b2;  // as in MoeParams

  oracle::ParamInputs params() const { return {Wg, W1, b1, W2, b2}; }
};

namespace micro_batch {
Layer layer();
}

// Drawn until no rounding can change a choice of experts, nor a ReLU be on the other side of its
// kink. No token chooses the experts in `empty`; without any, chance decides.
Layer random_layer(Random& random, const MoeConfig& config, const std::vector<int>& empty = {});

struct ParamArrays {
  Array<float> Wg, W1, b1, W2, b2;
  MoeParams pointers() const { return {Wg, W1, b1, W2, b2}; }
};
// Named `prefix`.Wg and so on.
ParamArrays param_inputs(Trial& trial, const Layer& layer);
ParamArrays params_in_place(Trial& trial, const Layer& layer);
ParamArrays grad_outputs(Trial& trial, const MoeConfig& config);
ParamArrays grads_accumulated(Trial& trial, const MoeConfig& config, bool cleared = false);

void expect(Trial& trial, const ParamArrays& arrays, const oracle::BoundedParams& right);
void mistake(Trial& trial, const char* slug, const ParamArrays& arrays,
             const oracle::BoundedParams& wrong);
oracle::ParamInputs values_before(const ParamArrays& arrays);

// MoeWorkspace.
struct WorkspaceArrays {
  Array<float> logits, probs;
  Array<int> experts;
  Array<float> gates;
  Array<int> counts, offsets, slot_of_pair, pair_of_slot;
  Array<float> Xs, Z, A, Ys, fractions, mean_probs;
  Array<float> dgates, dprobs, dlogits, dYs, dA, dZ, dXs, dX_router;  // scratch
  Array<float> losses;

  MoeWorkspace pointers() const;
};
WorkspaceArrays workspace_outputs(Trial& trial, const MoeConfig& config);
WorkspaceArrays workspace_scratch(Trial& trial, const MoeConfig& config);  // `losses` an output
// The forward's fields and the losses are inputs: those of `saved`, rounded to floats.
WorkspaceArrays workspace_inputs(Trial& trial, const MoeConfig& config,
                                 const oracle::Forward& saved);

// The workspace that a run left. Integers are not read but follow from its probabilities, so that
// wrong ones lead nowhere.
oracle::ForwardInputs forward_fields(const Layer& layer, const WorkspaceArrays& ws,
                                     const Results& results);

// What each stage must be, by the stages before it that the run left. Expects all but `losses`,
// where only the second is known.
oracle::Forward expect_forward(Trial& trial, const Layer& layer, const oracle::ParamInputs& params,
                               const WorkspaceArrays& ws, const Array<float>& out,
                               const Results& results);

}  // namespace testing
