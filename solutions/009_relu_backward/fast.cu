// 009 relu_backward, fast: four elements a thread, by accesses of 16 bytes (006).
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct ReluBackward {
  // A select, not a product: dy may be infinite or NaN where x is not above 0.
  __device__ float operator()(float x, float dy) const { return x > 0.0f ? dy : 0.0f; }
};

}  // namespace

void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  fast::map(ReluBackward{}, x, dy, dx, n, stream);
}
