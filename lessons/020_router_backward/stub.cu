// 020 router_backward: from the gates back to the logits, a warp per token; then two products.
//
// X [T,D], Wg [D,E], probs [T,E], experts [T,K], dgates [T,K], dprobs_aux [T,E] or null,
// dlogits [T,E], dWg [D,E] and dX [T,D] are row-major arrays in device memory. A token's experts
// are distinct. T may be 0, which leaves dWg as it is; D and E are at least 1, K is at most 16.
#include "moe/kernels.h"

namespace {

constexpr int kWarps = 8;  // of a block: a token each

// The sum over the warp's lanes, in all of them (018).
__device__ float warp_sum(float x) {
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffffu, x, offset);
  return x;
}

__global__ void router_backward_kernel(const float* probs, const int* experts, const float* dgates,
                                       const float* dprobs_aux, float* dlogits, int T, int E,
                                       int K) {
  const int lane = threadIdx.x;
  const int token = blockIdx.x * kWarps + threadIdx.y;
  if (token >= T) return;  // a whole warp: no other waits for it

  // This token's rows. `d` holds the gradient of the probabilities first, then that of the logits.
  const float* p = probs + token * E;
  const float* aux = dprobs_aux != nullptr ? dprobs_aux + token * E : nullptr;
  float* d = dlogits + token * E;

  // Lane j has the token's j-th choice; lanes from K on add nothing to the sums.
  const bool has_choice = lane < K;
  const int expert = has_choice ? experts[token * K + lane] : 0;
  const float chosen = has_choice ? p[expert] : 0.0f;
  const float dgate = has_choice ? dgates[token * K + lane] : 0.0f;

  // TODO(1): from the gates to the chosen probabilities (016): `sum` of the chosen, the dot product
  // of dgates and gates, and from both `dchosen`, the gradient of this lane's probability. All 32
  // lanes take part in a warp_sum.
  // END TODO(1)

  // TODO(2): the gradient of all E probabilities, into d: the auxiliary term (or 0) everywhere, and
  // what the task sends on top, at the chosen ones. Whose element does a lane add to?
  // END TODO(2)

  // TODO(3): from the probabilities to the logits (013), in place: p (d - <p, d>).
  // END TODO(3)
}

}  // namespace

void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream) {
  if (T == 0) return;

  const dim3 block(32, kWarps);
  const dim3 grid((T + kWarps - 1) / kWarps);
  router_backward_kernel<<<grid, block, 0, stream>>>(probs, experts, dgates, dprobs_aux, dlogits, T,
                                                     E, K);

  // TODO(4): dWg and dX, by matmul_tn (003) and matmul_nt (002). Which sizes are their M, N, K?
  // END TODO(4)
}
