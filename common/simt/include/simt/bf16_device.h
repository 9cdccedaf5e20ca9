// The part of cuda_bf16.h for device code alone. Included through that header, or by the legality
// gate.
#pragma once

#include "atomics.h"
#include "bf16_type.h"
#include "cache_hints.h"
#include "float16_device.inc"
#include "warp.h"
