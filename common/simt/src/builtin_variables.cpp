#include <device_launch_parameters.h>

#include <cstdio>
#include <cstdlib>

#include "device_code.h"
#include "launch.h"

namespace simt {

void not_in_a_kernel(const char* function) {
  std::fprintf(stderr, "simt: %s is for device code, but host code uses it\n", function);
  std::abort();
}

uint3 thread_idx() noexcept {
  return running_thread("threadIdx").index;
}
uint3 block_idx() noexcept {
  return running_thread("blockIdx").block->index;
}
dim3 block_dim() noexcept {
  running_thread("blockDim");
  return current_launch->config.block;
}
dim3 grid_dim() noexcept {
  running_thread("gridDim");
  return current_launch->config.grid;
}

}  // namespace simt
