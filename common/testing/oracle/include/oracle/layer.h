// Lessons 049 to 052: the whole layer, forward, backward and trained, in double precision.
//
// Two kinds of bound. "Stages": each array from what the kernel itself left in the arrays before
// it, which is tight, and points at the first wrong stage. "From the inputs": each array from X and
// the parameters alone, with the errors of every stage carried along; for outputs whose stages
// cannot be seen. The latter holds as long as rounding cannot change a choice of experts: `certain`
// says so, and a grader draws new inputs when it is false.
#pragma once

#include <vector>

#include "moe/types.h"
#include "oracle/bounded.h"
#include "oracle/experts.h"
#include "oracle/params.h"

namespace oracle {

// The forward fields of MoeWorkspace, as inputs.
struct ForwardInputs {
  Input logits, probs;                          // [T,E]
  std::vector<int> experts;                     // [T,K]
  Input gates;                                  // [T,K]
  std::vector<int> counts, offsets;             // [E], [E+1]
  std::vector<int> slot_of_pair, pair_of_slot;  // [P]
  Input Xs, Z, A, Ys;                           // [P,D] [P,H] [P,H] [P,D]
  Input fractions, mean_probs;                  // [E]
};

struct Forward {
  Bounded logits, probs;
  std::vector<int> experts;
  Bounded gates;
  std::vector<int> counts, offsets;
  std::vector<int> slot_of_pair, pair_of_slot;
  Bounded Xs, Z, A, Ys;
  Bounded fractions, mean_probs;
  Bounded aux;           // [1]
  Bounded out;           // [T,D]
  bool certain = false;  // no rounding can change `experts`

  ForwardInputs inputs() const;  // refers to this object's memory
};

// 049 from the inputs.
Forward moe_forward(const MoeConfig& config, const ParamInputs& params, const Input& X);
// The same with the experts given: what finite differences need, since a choice has no gradient.
Forward moe_forward_frozen(const MoeConfig& config, const ParamInputs& params, const Input& X,
                           const std::vector<int>& experts);
// 049 by stages: `kernel` holds what the kernel computed. Only its floats are read: the integers
// are exact, and follow from kernel.probs.
Forward moe_forward_stages(const MoeConfig& config, const ParamInputs& params, const Input& X,
                           const ForwardInputs& kernel);

struct Backward {
  Bounded dgates;            // [T,K]
  Bounded dYs, dA, dZ, dXs;  // [P,D] [P,H] [P,H] [P,D]
  Bounded dprobs_aux;        // [T,E], the auxiliary loss's part (ws.dprobs)
  Bounded dprobs, dlogits;   // [T,E], both parts
  Bounded dX_router;         // [T,D]
  BoundedParams grads;       // what they held before included
  Bounded dX;                // [T,D]
};
// 050 from the saved forward fields: the workspace's gradient fields are scratch, so only grads and
// dX are the contract.
Backward moe_backward(const MoeConfig& config, const ParamInputs& params, const Input& X,
                      const Input& dOut, const ForwardInputs& saved, const ParamInputs& grads0);

struct TrainStep {
  Forward forward;
  Bounded mse;  // [1]
  Bounded dOut;
  Backward backward;
  BoundedParams params;  // after the update
};
// 051 from the inputs. (By stages: moe_forward_stages, mse_loss, mse_loss_backward, moe_backward
// and sgd_update, each on the kernel's own arrays.)
TrainStep train_step(const MoeConfig& config, const ParamInputs& params, const Input& X,
                     const Input& target, double lr);

struct TrainLoop {
  Bounded loss_history;  // [2 steps]: mse, aux of each step before its update
  TrainStep last;        // of the last step; empty when steps = 0
  BoundedParams params;  // after the last update
  bool certain = true;   // in every step
};
// 052 from the inputs. Errors in the parameters feed back, and a bound assumes the worst of each:
// it grows by a factor of about 3 a step at lr = 0.01 and 10 to 20 at lr = 0.1 (layers of width 5),
// so grade two to four steps at a small rate.
TrainLoop train_loop(const MoeConfig& config, const ParamInputs& params, const Input& X,
                     const Input& target, double lr, int steps);

}  // namespace oracle
