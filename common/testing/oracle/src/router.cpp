// Lessons 017 to 020: each is a chain of functions of lessons 001 to 016, and so is its bound.
#include "oracle/router.h"

#include <cmath>
#include <stdexcept>

#include "oracle/building_blocks.h"
#include "oracle/gating.h"
#include "oracle/rounding.h"
#include "sizes.h"

namespace oracle {

Bounded router_logits(const Input& X, const Input& Wg, int T, int D, int E) {
  return matmul_nn(X, Wg, T, E, D);
}

Bounded router_probs(const Input& logits, int T, int E) {
  return softmax_rows(logits, T, E);
}

Bounded chosen_probs(const Input& probs, const std::vector<int>& experts, int T, int E, int K) {
  require_size(probs, to_size(T) * to_size(E), "probs");
  require_size(experts.size(), to_size(T) * to_size(K), "experts");
  Bounded out = make_bounded(experts.size());
  for (std::size_t p = 0; p < experts.size(); ++p) {
    if (experts[p] < 0 || experts[p] >= E) throw std::invalid_argument("oracle: no such expert");
    const std::size_t i = p / to_size(K) * to_size(E) + to_size(experts[p]);
    out.value[p] = probs[i];
    out.bound[p] = probs.error(i);
  }
  return out;
}

RouterChoice router_topk(const Input& probs, int T, int E, int K) {
  RouterChoice out;
  out.experts = topk_rows(probs, T, E, K).indices;
  out.gates = normalize_gates(chosen_probs(probs, out.experts, T, E, K), T, K);
  return out;
}

RouterBackward router_backward(const Input& X, const Input& Wg, const Input& probs,
                               const std::vector<int>& experts, const Input& dgates,
                               const Input& dprobs_aux, const Input& dWg0, int T, int D, int E,
                               int K) {
  const std::size_t size = to_size(T) * to_size(E);
  RouterBackward out;
  const Bounded dchosen =
      normalize_gates_backward(chosen_probs(probs, experts, T, E, K), dgates, T, K);
  out.dprobs = make_bounded(size);
  if (!dprobs_aux.empty()) {
    require_size(dprobs_aux, size, "dprobs_aux");
    for (std::size_t i = 0; i < size; ++i) {
      out.dprobs.value[i] = dprobs_aux[i];
      out.dprobs.bound[i] = dprobs_aux.error(i);
    }
  }
  for (std::size_t p = 0; p < experts.size(); ++p) {
    const std::size_t i = p / to_size(K) * to_size(E) + to_size(experts[p]);
    out.dprobs.value[i] += dchosen.value[p];
    out.dprobs.bound[i] += dchosen.bound[p];
    if (!dprobs_aux.empty()) {  // one addition
      out.dprobs.bound[i] += addition_bound(std::fabs(out.dprobs.value[i]) + out.dprobs.bound[i]);
    }
  }
  // A kernel may also use that the task's part of <dprobs, probs> is 0 and multiply out
  // probs_i dprobs_i = g_i (dg_i - dot): fewer roundings of the same quantities.
  out.dlogits = softmax_rows_backward(probs, out.dprobs, T, E);
  out.dWg = matmul_tn(X, out.dlogits, dWg0, D, E, T);
  out.dX = matmul_nt(out.dlogits, Wg, T, D, E);
  return out;
}

}  // namespace oracle
