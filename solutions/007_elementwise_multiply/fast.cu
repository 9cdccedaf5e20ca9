// 007 elementwise_multiply, fast: four elements a thread, by accesses of 16 bytes (006).
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct Product {
  __device__ float operator()(float a, float b) const { return a * b; }
};

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  fast::map(Product{}, a, b, out, n, stream);
}
