// The launch that runs.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "device.h"
#include "launch_limits.h"
#include "modules.h"

namespace simt {

struct Launch {
  detail::LaunchSite site{};
  Config config;
  void (*invoke)(void*) = nullptr;
  void* closure = nullptr;
  std::size_t closure_bytes = 0;
  bool by_address = false;  // the closure is a detail::PointerCall
  bool cooperative = false;
  unsigned long long id = 0;
  Module module;  // of the kernel's code
  std::uintptr_t call_site = 0;

  std::size_t shared_limit = 0;  // dynamic bytes allowed by cudaFuncSetAttribute

  std::size_t total_blocks = 0;
  unsigned threads_per_block = 0;
  std::vector<std::size_t> chosen;  // blocks to run, in order; empty: all of them
  double seconds_before_cut = 0;    // a sampled launch that runs in full; 0: no limit of its own

  bool faulted = false;  // a thread was ended: cascades of other kinds are muted
  bool stop = false;     // abandon what still runs
  cudaError_t error = cudaSuccess;
  Refusal refusal;  // found by the kernel's own first lines
  bool sticky = false;
  bool uses_atomics = false;
  // So many races were found that looking for more would only take time.
  bool races_enough = false;
  std::size_t conflicts = 0;
  std::size_t unwritten_reads = 0;
  int assert_lines = 0;        // printed so far
  std::uint64_t progress = 0;  // grows whenever something other than spinning happened

  uint3 block_index(std::size_t linear) const {
    const dim3& g = config.grid;
    return {static_cast<unsigned>(linear % g.x), static_cast<unsigned>(linear / g.x % g.y),
            static_cast<unsigned>(linear / g.x / g.y)};
  }
  uint3 thread_index(unsigned linear) const {
    const dim3& b = config.block;
    return {linear % b.x, linear / b.x % b.y, linear / b.x / b.y};
  }
};

// Null outside launches.
extern Launch* current_launch;

}  // namespace simt
