// What the legality gate reads in place of cuda_fp16.h: the same declarations, marked with where
// they may be called.
#pragma once

#include <cuda_runtime.h>

#pragma clang force_cuda_host_device begin
#include <simt/fp16_type.h>
#pragma clang force_cuda_host_device end

#pragma clang attribute push(__attribute__((device)), apply_to = function)
#include <simt/fp16_device.h>
#pragma clang attribute pop
