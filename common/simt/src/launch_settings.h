// What a harness set for later launches.
#pragma once

#include "launch.h"
#include "simt/inspect.h"

namespace simt {

struct LaunchSettings {
  Schedule schedule;
  Sampling sampling;
  bool was_cut = false;  // both since the last set_sampling()
  int launches = 0;
};
LaunchSettings& launch_settings();

// Checks the configuration and runs the launch; the error is recorded as CUDA records it.
cudaError_t start_launch(Launch& launch);

}  // namespace simt
