// right: each step of the rows is a kernel of its own, over another shape of grid.
#include "moe/kernels.h"

namespace {

__global__ void auxiliary_kernel(const float* dprobs_aux, float* d, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    d[i] = dprobs_aux ? dprobs_aux[i] : 0.0f;
}

__global__ void gates_kernel(const float* probs, const int* experts, const float* dgates, float* d,
                             int T, int E, int K) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= T) return;
  float sum = 0.0f;
  for (int j = 0; j < K; ++j) sum += probs[t * E + experts[t * K + j]];
  float dot = 0.0f;
  for (int j = 0; j < K; ++j) dot += dgates[t * K + j] * (probs[t * E + experts[t * K + j]] / sum);
  for (int j = 0; j < K; ++j) d[t * E + experts[t * K + j]] += (dgates[t * K + j] - dot) / sum;
}

__global__ void softmax_kernel(const float* probs, float* d, int E) {
  __shared__ float parts[64];
  const float* p = probs + blockIdx.x * E;
  float* row = d + blockIdx.x * E;
  float part = 0.0f;
  for (int e = threadIdx.x; e < E; e += 64) part += p[e] * row[e];
  parts[threadIdx.x] = part;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  for (int e = threadIdx.x; e < E; e += 64) row[e] = p[e] * (row[e] - parts[0]);
}

}  // namespace

void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream) {
  if (T == 0) return;
  auxiliary_kernel<<<32, 256, 0, stream>>>(dprobs_aux, dlogits, T * E);
  gates_kernel<<<(T + 255) / 256, 256, 0, stream>>>(probs, experts, dgates, dlogits, T, E, K);
  softmax_kernel<<<T, 64, 0, stream>>>(probs, dlogits, E);
  matmul_nt(dlogits, Wg, dX, T, D, E, stream);
  matmul_tn(X, dlogits, dWg, D, E, T, stream);
}
