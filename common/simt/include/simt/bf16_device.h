// The part of cuda_bf16.h for device code alone. Included through that header, or by the legality
// gate.
#pragma once

#include <cuda_runtime.h>

#include "bf16_type.h"
// From here on:
#include <simt/device_begin.h>
// Uses what bf16_type.h defined.
#include "float16_device.inc"
// No more.
#include <simt/device_end.h>
