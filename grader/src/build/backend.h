// Where a kernel runs.
#pragma once

namespace grade {

enum class Backend {
  cpu,   // the runtime of common/simt, with every check
  cuda,  // an NVIDIA GPU, through nvcc
};

constexpr const char* name(Backend backend) {
  return backend == Backend::cpu ? "cpu" : "cuda";
}

}  // namespace grade
