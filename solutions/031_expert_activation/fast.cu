// 031 expert_activation, fast: 008 or 010, fast, chosen once on the host.
#include "../fast/gelu.h"
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct Relu {
  __device__ float operator()(float z) const { return z < 0.0f ? 0.0f : z; }
};

}  // namespace

void expert_activation(const float* Z, float* A, int n, Activation act, cudaStream_t stream) {
  if (act == Activation::relu) {
    fast::map(Relu{}, Z, A, n, stream);
  } else {
    fast::map(fast::Gelu{}, Z, A, n, stream);
  }
}
