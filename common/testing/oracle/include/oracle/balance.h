// Lessons 041 to 044: the load-balancing auxiliary loss.
#pragma once

#include <vector>

#include "oracle/bounded.h"

namespace oracle {

Bounded dispatch_fractions(const std::vector<int>& counts, int pairs);  // 041: [E]; 0 for 0 pairs
Bounded mean_probs(const Input& probs, int T, int E);                   // 042: [E]; 0 for T = 0
// 043: [1], alpha E sum f_e P_e
Bounded aux_loss(const Input& fractions, const Input& means, double alpha);
// 044: [T,E], alpha E f_e / T, the same row for every token
Bounded aux_loss_backward(const Input& fractions, int T, double alpha);

}  // namespace oracle
