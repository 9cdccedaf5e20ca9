// FP32 matrix products by whichever kernel is the fastest for their size on this GPU.
#pragma once

#include "gemm.h"
#include "gemm_tensor.h"

namespace fast {

template <Lies kA, Lies kB, bool kAccumulate, bool kColumnSums = false, class Tasks>
void product(const Tasks& tasks, cudaStream_t stream) {
  const ProductShape shape = tasks.shape();
  if (suits_tensor_cores(shape) && tensor_gemm<kA, kB, kAccumulate, kColumnSums>(tasks, stream)) {
    return;
  }
  gemm<kA, kB, kAccumulate, kColumnSums>(tile_size(shape), tasks, stream);
}

}  // namespace fast
