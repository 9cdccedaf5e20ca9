// CUDA's half precision numbers: __half, __half2. Every operation rounds to nearest even, once.
#pragma once

#include "cuda_runtime.h"
#include "simt/fp16_device.h"
#include "simt/fp16_type.h"
