// What this machine has. `doctor` prints it; `run` chooses the backend by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grade {

struct Gpu {
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  double memory_gib = 0;
  std::string driver;  // the CUDA version that the driver supports, "13.0"
  int count = 1;       // of all GPUs that the driver sees; the rest is the first one's
};

// Asks the CUDA driver (libcuda.so.1, loaded on demand: no dependency). Quick where there is no
// driver; with a GPU it costs the driver's start, so ask only when needed. CUDA_VISIBLE_DEVICES
// counts. `why_not` gets the reason when there is none, `broken` whether a driver is there that
// does not work.
std::optional<Gpu> find_gpu(std::string* why_not = nullptr, bool* broken = nullptr);

// Throws Error(unavailable): the CUDA backend cannot be used here, and why.
[[noreturn]] void refuse_cuda(const std::string& why);
// Refuses where there is no GPU.
void require_gpu();

// nvcc's path: CUDACXX, then PATH, then CUDA_PATH/CUDA_HOME/usr/local/cuda. Empty when there is
// none.
std::string find_nvcc();

}  // namespace grade
