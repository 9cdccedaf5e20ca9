// 046 mse_loss_backward, fast: four elements a thread, by accesses of 16 bytes (006).
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct ScaledDifference {
  float scale;
  __device__ float operator()(float y, float target) const { return scale * (y - target); }
};

}  // namespace

void mse_loss_backward(const float* y, const float* target, float* dy, int n, cudaStream_t stream) {
  if (n == 0) return;
  // In double: from 2^24 on a float cannot hold every n.
  fast::map(ScaledDifference{static_cast<float>(2.0 / n)}, y, target, dy, n, stream);
}
