// One launch for all five arrays of the parameters, or of their gradients: each block has a part of
// one of them. Small arrays take about a microsecond a launch, whatever their size.
#pragma once

#include "moe/types.h"
#include "vectors.h"

namespace fast {

constexpr int kParamThreads = 256;
constexpr int kParamFours = 4;  // fours of elements a thread
constexpr unsigned kParamFloats = 4 * kParamFours * kParamThreads;
constexpr int kParamArrays = 5;

// What is done to the arrays `to`, with those of `from` beside them; without any, `from` is null.
struct ParamBlocks {
  float* to[kParamArrays];
  const float* from[kParamArrays];
  unsigned count[kParamArrays];      // floats
  unsigned end_block[kParamArrays];  // blocks up to this one are for this array or those before it
  bool vectors[kParamArrays];

  ParamBlocks(const MoeParams& arrays, const MoeParams& beside, const MoeConfig& config)
      : to{arrays.Wg, arrays.W1, arrays.b1, arrays.W2, arrays.b2},
        from{beside.Wg, beside.W1, beside.b1, beside.W2, beside.b2} {
    const unsigned D = config.D, H = config.H, E = config.E;
    const unsigned counts[] = {D * E, E * D * H, E * H, E * H * D, E * D};
    unsigned all = 0;
    for (int k = 0; k < kParamArrays; ++k) {
      count[k] = counts[k];
      all += (count[k] - 1) / kParamFloats + 1;
      end_block[k] = all;
      vectors[k] = aligned(to[k], from[k]);
    }
  }

  unsigned blocks() const { return end_block[kParamArrays - 1]; }
};

// body.four(to, from, i) for four elements from i on, body.one for a single one. By all threads of
// a block of kParamThreads; `at` is the number of the block among those of the arrays.
template <class Body>
__device__ void for_params(const ParamBlocks& arrays, unsigned at, const Body& body) {
  // Which array is this block's? Indices known at compile time keep the arguments out of
  // local memory.
  float* to = nullptr;
  const float* from = nullptr;
  unsigned count = 0, block = 0, begin_block = 0;
  bool vectors = false;
#pragma unroll
  for (int k = 0; k < kParamArrays; ++k) {
    if (at >= begin_block && at < arrays.end_block[k]) {
      to = arrays.to[k];
      from = arrays.from[k];
      count = arrays.count[k];
      vectors = arrays.vectors[k];
      block = at - begin_block;
    }
    begin_block = arrays.end_block[k];
  }

  const unsigned first = block * kParamFloats + 4 * threadIdx.x;
#pragma unroll
  for (int k = 0; k < kParamFours; ++k) {
    const unsigned i = first + k * 4 * kParamThreads;
    if (vectors && i + 4 <= count) {
      body.four(to, from, i);
    } else {
      for (unsigned j = i; j < count && j < i + 4; ++j) body.one(to, from, j);
    }
  }
}

struct ZeroParams {
  __device__ void one(float* to, const float*, unsigned i) const { to[i] = 0.0f; }
  __device__ void four(float* to, const float*, unsigned i) const {
    store4(to + i, filled<float4>(0.0f));
  }
};

struct UpdateParams {
  float lr;
  __device__ void one(float* to, const float* from, unsigned i) const { to[i] -= lr * from[i]; }
  __device__ void four(float* to, const float* from, unsigned i) const {
    store4(to + i, load4(to + i) - filled<float4>(lr) * load4(from + i));
  }
};

template <class Body>
__global__ void __launch_bounds__(kParamThreads)
params_kernel(ParamBlocks arrays, Body body) {
  for_params(arrays, blockIdx.x, body);
}

template <class Body>
void in_params(const ParamBlocks& arrays, const Body& body, cudaStream_t stream) {
  params_kernel<<<arrays.blocks(), kParamThreads, 0, stream>>>(arrays, body);
}

}  // namespace fast
