// Lessons 021 to 028: counts, offsets and slots; gathering, combining, and both backward.
//
// Pair p = t*K + j is token t's j-th choice. A slot is a row of the expert-major buffer.
#pragma once

#include <vector>

#include "oracle/bounded.h"

namespace oracle {

// Exact.
std::vector<int> count_tokens(const std::vector<int>& experts, int E);  // 021: [E]
std::vector<int> expert_offsets(const std::vector<int>& counts);        // 022: [E+1]
struct Slots {
  std::vector<int> slot_of_pair;  // [P]
  std::vector<int> pair_of_slot;  // [P], its inverse
};
// 023: stable, so that the pairs of one expert keep their order.
Slots assign_slots(const std::vector<int>& experts, const std::vector<int>& offsets);
// The permutation that undoes this one.
std::vector<int> inverse_permutation(const std::vector<int>& permutation);

// 024: Xs[s] = X[pair_of_slot[s] / K]; copies, exact.
Bounded gather_tokens(const Input& X, const std::vector<int>& pair_of_slot, int T, int D, int K);
// 025: dX[t] = sum over j of dXs[slot_of_pair[t*K+j]]
Bounded gather_tokens_backward(const Input& dXs, const std::vector<int>& slot_of_pair, int T, int D,
                               int K);
// 026: out[t] = sum over j of gates[t,j] Ys[slot(t,j)]
Bounded combine_tokens(const Input& Ys, const std::vector<int>& slot_of_pair, const Input& gates,
                       int T, int D, int K);
// 027: dYs[s] = gates[p] dOut[p / K], p = pair_of_slot[s]; one rounding.
Bounded combine_backward_experts(const Input& dOut, const Input& gates,
                                 const std::vector<int>& pair_of_slot, int T, int D, int K);
// 028: dgates[t,j] = <dOut[t], Ys[slot(t,j)]>
Bounded combine_backward_gates(const Input& dOut, const Input& Ys,
                               const std::vector<int>& slot_of_pair, int T, int D, int K);

}  // namespace oracle
