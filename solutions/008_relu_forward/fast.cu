// 008 relu_forward, fast: the clear kernel has the accesses of 16 bytes already; what differs is
// that a grid which covers the data once needs no loop.
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct Relu {
  // A NaN is not below 0, so it passes.
  __device__ float operator()(float x) const { return x < 0.0f ? 0.0f : x; }
};

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  fast::map(Relu{}, x, y, n, stream);
}
