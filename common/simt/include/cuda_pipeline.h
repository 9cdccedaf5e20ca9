// CUDA's pipeline primitives: copies from global to shared memory that run beside the thread.
//
// Here a copy is made when its thread waits for it; until then the target holds nothing, and
// whoever reads it is told so.
#pragma once

#include <cuda_runtime.h>
// From here on:
#include <simt/device_begin.h>

// 4, 8 or 16 bytes, both sides aligned to as many; the last `zero_fill` of them become zero.
void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                             size_t zero_fill = 0) noexcept;
// The thread's copies since the last commit become one stage.
void __pipeline_commit() noexcept;
// Waits for all stages but the last `pending`.
void __pipeline_wait_prior(size_t pending) noexcept;

#include <simt/device_end.h>
