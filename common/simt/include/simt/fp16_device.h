// The part of cuda_fp16.h for device code alone. Included through that header, or by the legality
// gate.
#pragma once

#include "atomics.h"
#include "cache_hints.h"
#include "float16_device.inc"
#include "fp16_type.h"
#include "warp.h"
