// CUDA's bfloat16 numbers: __nv_bfloat16, __nv_bfloat162. Every operation rounds to nearest even,
// once.
#pragma once

#include <cuda_fp16.h>
// Host and device code:
#include "simt/bf16_type.h"
// Device code alone:
#include "simt/bf16_device.h"
