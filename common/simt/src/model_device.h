// The GPU that the runtime models, and its limits.
#pragma once

#include <cuda_runtime_api.h>

namespace simt {

const cudaDeviceProp& model_device();

// Blocks of this shape that one multiprocessor holds at once; 0 when not even one fits.
int resident_blocks_per_multiprocessor(int threads_per_block, size_t shared_bytes);

}  // namespace simt
