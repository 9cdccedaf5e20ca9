// What a harness set for later launches.
#pragma once

#include "heap.h"
#include "launch.h"
#include "simt/inspect.h"

namespace simt {

struct LaunchSettings {
  Schedule schedule;
  Sampling sampling;
  // Since the last set_sampling():
  bool was_cut = false;
  bool left_blocks_out = false;
  int launches = 0;
  heap::VariableValues variables;  // as they were then, where launches may be sampled or cut
};
LaunchSettings& launch_settings();

// Checks the configuration and runs the launch; the error is recorded as CUDA records it.
cudaError_t start_launch(Launch& launch);

}  // namespace simt
