// Lessons 029 to 040: the experts' two-layer networks on the packed rows, forward and backward.
//
// Expert e owns rows offsets[e] .. offsets[e+1]-1; offsets has E+1 entries from 0 to P. The
// parameters and arrays are named as the lessons name them; `dW0` and `db0` are what an accumulated
// gradient held before. An expert without rows leaves its gradients exactly as they were.
#pragma once

#include <vector>

#include "moe/types.h"
#include "oracle/bounded.h"
#include "oracle/params.h"

namespace oracle {

using Offsets = std::vector<int>;

Bounded expert_up(const Input& Xs, const Input& W1, const Offsets& offsets, int P, int E, int D,
                  int H);  // 029: [P,H]
Bounded expert_up_bias(const Input& Z0, const Input& b1, const Offsets& offsets, int P, int E,
                       int H);                              // 030: Z0 + b1 of the row's expert
Bounded expert_activation(const Input& Z, Activation act);  // 031
Bounded expert_down(const Input& A, const Input& W2, const Offsets& offsets, int P, int E, int H,
                    int D);  // 032: [P,D]
Bounded expert_down_bias(const Input& Ys0, const Input& b2, const Offsets& offsets, int P, int E,
                         int D);  // 033

// Rows W + b in one: a kernel may start its sum from the bias. X[P,in], W[E,in,out], b[E,out].
Bounded expert_linear(const Input& X, const Input& W, const Input& b, const Offsets& offsets, int P,
                      int E, int in, int out);

struct ExpertForward {
  Bounded Z;   // [P,H], bias included
  Bounded A;   // [P,H]
  Bounded Ys;  // [P,D]
};
// 034 from the inputs to the end: A and Ys allow for the error of the kernel's own Z and A.
ExpertForward expert_forward(const Input& Xs, const ParamInputs& params, const Offsets& offsets,
                             int P, int E, int D, int H, Activation act);
// 034 stage by stage: A from the kernel's own Z, Ys from its own A. Tighter.
ExpertForward expert_forward_stages(const Input& Xs, const Input& Z, const Input& A,
                                    const ParamInputs& params, const Offsets& offsets, int P, int E,
                                    int D, int H, Activation act);

Bounded expert_down_bias_grad(const Input& dYs, const Offsets& offsets, const Input& db0, int P,
                              int E, int D);  // 035
Bounded expert_down_weight_grad(const Input& A, const Input& dYs, const Offsets& offsets,
                                const Input& dW0, int P, int E, int H, int D);  // 036
Bounded expert_hidden_grad(const Input& dYs, const Input& W2, const Offsets& offsets, int P, int E,
                           int H, int D);                                         // 037: [P,H]
Bounded expert_activation_grad(const Input& Z, const Input& dA, Activation act);  // 038

struct UpGrads {
  Bounded dW1;
  Bounded db1;
};
UpGrads expert_up_grads(const Input& Xs, const Input& dZ, const Offsets& offsets, const Input& dW0,
                        const Input& db0, int P, int E, int D, int H);  // 039

struct ExpertBackward {
  Bounded dA;           // [P,H]
  Bounded dZ;           // [P,H]
  Bounded dXs;          // [P,D]
  BoundedParams grads;  // Wg as it was
};
// 040 from the inputs to the end.
ExpertBackward expert_backward(const Input& Xs, const Input& Z, const Input& A, const Input& dYs,
                               const ParamInputs& params, const Offsets& offsets,
                               const ParamInputs& grads0, int P, int E, int D, int H,
                               Activation act);
// 040 stage by stage: dZ from the kernel's own dA, the rest from its own dZ.
ExpertBackward expert_backward_stages(const Input& Xs, const Input& Z, const Input& A,
                                      const Input& dYs, const Input& dA, const Input& dZ,
                                      const ParamInputs& params, const Offsets& offsets,
                                      const ParamInputs& grads0, int P, int E, int D, int H,
                                      Activation act);

}  // namespace oracle
