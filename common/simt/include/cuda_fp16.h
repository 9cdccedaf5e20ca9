// CUDA's half precision numbers: __half, __half2. Every operation rounds to nearest even, once.
#pragma once

#include <cuda_runtime.h>
// Host and device code:
#include "simt/fp16_type.h"
// Device code alone:
#include "simt/fp16_device.h"
