// 031 expert_activation, fast: 008 or 010, fast, chosen once on the host.
#include "../fast/gelu.h"
#include "../fast/map.h"
#include "../fast/relu.h"
#include "moe/kernels.h"

void expert_activation(const float* Z, float* A, int n, Activation act, cudaStream_t stream) {
  if (act == Activation::relu) {
    fast::map(fast::Relu{}, Z, A, n, stream);
  } else {
    fast::map(fast::Gelu{}, Z, A, n, stream);
  }
}
