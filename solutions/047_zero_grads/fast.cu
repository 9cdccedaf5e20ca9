// 047 zero_grads, fast: one launch for all five arrays.
//
// A large fill runs at the memory's speed either way. A small one takes about a microsecond
// whatever its size, and the clear version queues five.
#include "../fast/vectors.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kFoursPerThread = 4;
constexpr unsigned kFloatsPerBlock = 4 * kFoursPerThread * kThreads;
constexpr int kArrays = 5;

struct Fill {
  float* array[kArrays];
  unsigned count[kArrays];      // floats
  unsigned end_block[kArrays];  // blocks up to this one are for this array or those before it
  bool vectors[kArrays];
};

__global__ void __launch_bounds__(kThreads)
zero_kernel(Fill fill) {
  // Which array is this block's? Indices known when compiled keep the arguments out of local
  // memory.
  float* array = nullptr;
  unsigned count = 0, block = 0, begin_block = 0;
  bool vectors = false;
#pragma unroll
  for (int k = 0; k < kArrays; ++k) {
    if (blockIdx.x >= begin_block && blockIdx.x < fill.end_block[k]) {
      array = fill.array[k];
      count = fill.count[k];
      vectors = fill.vectors[k];
      block = blockIdx.x - begin_block;
    }
    begin_block = fill.end_block[k];
  }

  const unsigned first = block * kFloatsPerBlock + 4 * threadIdx.x;
#pragma unroll
  for (int k = 0; k < kFoursPerThread; ++k) {
    const unsigned i = first + k * 4 * kThreads;
    if (vectors && i + 4 <= count) {
      fast::store4(array + i, fast::filled<float4>(0.0f));
    } else {
      for (unsigned j = i; j < count && j < i + 4; ++j) array[j] = 0.0f;
    }
  }
}

}  // namespace

void zero_grads(const MoeParams& grads, const MoeConfig& config, cudaStream_t stream) {
  const unsigned D = config.D, H = config.H, E = config.E;
  Fill fill{{grads.Wg, grads.W1, grads.b1, grads.W2, grads.b2},
            {D * E, E * D * H, E * H, E * H * D, E * D},
            {},
            {}};
  unsigned blocks = 0;
  for (int k = 0; k < kArrays; ++k) {
    blocks += (fill.count[k] - 1) / kFloatsPerBlock + 1;
    fill.end_block[k] = blocks;
    fill.vectors[k] = fast::aligned(fill.array[k]);
  }
  zero_kernel<<<blocks, kThreads, 0, stream>>>(fill);
}
