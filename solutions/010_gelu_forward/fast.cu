// 010 gelu_forward, fast: four elements a thread (006), and x / (1 + e^(-2u)) for x/2 (1 + tanh u).
//
// The clear kernel is limited by tanhf's instructions as much as by the memory: at 8 bytes an
// element an H200 has time for some fifty of them. ../fast/gelu.h needs a dozen.
#include "../fast/gelu.h"
#include "../fast/map.h"
#include "moe/kernels.h"

void gelu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  fast::map(fast::Gelu{}, x, y, n, stream);
}
