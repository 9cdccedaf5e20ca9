// Lessons 017 to 020: logits, probabilities, the choice of experts, and the way back.
#pragma once

#include <vector>

#include "oracle/bounded.h"

namespace oracle {

Bounded router_logits(const Input& X, const Input& Wg, int T, int D, int E);  // 017: as 001
Bounded router_probs(const Input& logits, int T, int E);                      // 018: as 012

struct RouterChoice {
  std::vector<int> experts;  // [T,K], exact: the top-K of the probabilities given
  Bounded gates;             // [T,K]
};
RouterChoice router_topk(const Input& probs, int T, int E, int K);  // 019

// [T,K]: the probabilities of the experts given.
Bounded chosen_probs(const Input& probs, const std::vector<int>& experts, int T, int E, int K);

struct RouterBackward {
  Bounded dprobs;   // [T,E]: the chosen experts' gradient and dprobs_aux
  Bounded dlogits;  // [T,E]
  Bounded dWg;      // [D,E], dWg0 included
  Bounded dX;       // [T,D]
};
// 020, from the inputs to the end: dWg and dX allow for the error of the kernel's own dlogits. An
// empty `dprobs_aux` stands for the null pointer. (For a bound from the kernel's dlogits alone,
// call matmul_tn and matmul_nt with them.)
RouterBackward router_backward(const Input& X, const Input& Wg, const Input& probs,
                               const std::vector<int>& experts, const Input& dgates,
                               const Input& dprobs_aux, const Input& dWg0, int T, int D, int E,
                               int K);

}  // namespace oracle
