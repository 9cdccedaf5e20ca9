// 006 elementwise_add, fast: four elements a thread.
//
// The clear kernel loops over 1,024 blocks and moves 4 bytes an access. Here a thread loads 16
// bytes of each array, both before it waits for either, and there is no loop: fewer instructions
// for the same bytes, and more bytes under way.
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

}  // namespace

void elementwise_add(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  fast::map(Sum{}, a, b, out, n, stream);
}

// Ordinary C++ on host memory: whether `out` is a right result of elementwise_add(a, b, out, n).
extern "C" bool check_elementwise_add(const float* a, const float* b, const float* out, int n) {
  for (int i = 0; i < n; ++i) {
    // One addition, rounded once: there is one right answer. A NaN equals nothing, so it fails.
    const float sum = a[i] + b[i];
    if (out[i] != sum) return false;
  }
  return true;
}
