// right: a thread for each element of Xs, in a grid-stride loop; every lane reads its own index.
#include "moe/kernels.h"

namespace {

__global__ void gather(const float* X, const int* pair_of_slot, float* Xs, int count, int D,
                       int K) {
  const long step = static_cast<long>(gridDim.x) * blockDim.x;
  for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    Xs[i] = X[static_cast<long>(pair_of_slot[i / D] / K) * D + i % D];
  }
}

}  // namespace

void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream) {
  const int count = T * K * D;
  if (count > 0) gather<<<(count + 511) / 512, 512, 0, stream>>>(X, pair_of_slot, Xs, count, D, K);
}
