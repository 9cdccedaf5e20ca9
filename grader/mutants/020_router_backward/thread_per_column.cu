// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

// C[r, c] = sum of A[r, i] B[c, i]: a thread a column.
__global__ void product(const float* A, const float* B, float* C, int inner) {
  const int r = blockIdx.x, c = threadIdx.x, width = blockDim.x;
  float sum = 0.0f;
  for (int i = 0; i < inner; ++i) sum += A[r * inner + i] * B[c * inner + i];
  C[r * width + c] = sum;
}

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

  // From the gates to the chosen probabilities (016).
  const float sum = warp_sum(chosen);
  const float gates_dot = warp_sum(dgate * (chosen / sum));
  const float dchosen = (dgate - gates_dot) / sum;

  // The auxiliary term reaches every probability, the task only the chosen ones. The barriers:
  // lane j adds to an element that another lane has written, and that a third will read.
  for (int e = lane; e < E; e += 32) d[e] = aux != nullptr ? aux[e] : 0.0f;
  __syncwarp();
  if (has_choice) d[expert] += dchosen;
  __syncwarp();

  // From the probabilities to the logits (013), in place.
  float dot = 0.0f;
  for (int e = lane; e < E; e += 32) dot += p[e] * d[e];
  dot = warp_sum(dot);
  for (int e = lane; e < E; e += 32) d[e] = p[e] * (d[e] - dot);
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

  // On one stream, so each begins when the one before has ended: dlogits is complete by now.
  matmul_tn(X, dlogits, dWg, D, E, T, stream);                  // dWg += X^T dlogits
  if (T > 0) product<<<T, D, 0, stream>>>(dlogits, Wg, dX, E);  // dX = dlogits Wg^T
}
