// What the legality gate reads in place of cuda_runtime.h: clang's CUDA mode with the runtime's own
// declarations, each marked with where it may be called. Nothing here is ever compiled to code.
//
// The CPU compiler takes device code for ordinary C++, so it lets a kernel call a host function,
// read a host variable or throw. This header lets clang say so.
#pragma once

#pragma clang force_cuda_host_device begin
#include <stddef.h>
#include <vector_types.h>
#pragma clang force_cuda_host_device end

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <initializer_list>

// Host only.
#include <cuda_runtime_api.h>

extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                         cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = nullptr);

// Host and device.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <bits/std_abs.h>
// A C library may declare these for the host, which no declaration for both may join; the prelude
// has them for the device.
#define cospi gate_cospi
#define cospif gate_cospif
#define exp10 gate_exp10
#define exp10f gate_exp10f
#define rsqrt gate_rsqrt
#define rsqrtf gate_rsqrtf
#define sinpi gate_sinpi
#define sinpif gate_sinpif
#define sincos gate_sincos
#define sincosf gate_sincosf
#pragma clang force_cuda_host_device begin
#include <simt/math_functions.h>
#include <vector_functions.h>
#pragma clang force_cuda_host_device end
#undef cospi
#undef cospif
#undef exp10
#undef exp10f
#undef rsqrt
#undef rsqrtf
#undef sinpi
#undef sinpif
#undef sincos
#undef sincosf

// Device only.
#pragma clang attribute push(__attribute__((device)), apply_to = function)
#include <simt/atomics.h>
#include <simt/cache_hints.h>
#include <simt/intrinsics.h>
#include <simt/warp.h>

namespace simt::gate {
// Overloaded, because clang tells at once that no overload can be called from here; the misuse of a
// single function it tells only when it makes code.
struct None;
const uint3& thread_index();
const uint3& thread_index(None);
const dim3& dimension();
const dim3& dimension(None);
void barrier();
int barrier(int predicate);
}  // namespace simt::gate

// What the runtime's own headers call.
namespace simt {
void barrier(int id, int line) noexcept;
}

void __threadfence() noexcept;
void __threadfence_block() noexcept;
void __threadfence_system() noexcept;
void __nanosleep(unsigned int nanoseconds) noexcept;
long long clock64() noexcept;
[[noreturn]] void __trap() noexcept;
void __brkpt() noexcept;
unsigned int __isGlobal(const void* pointer) noexcept;
unsigned int __isShared(const void* pointer) noexcept;
unsigned int __isConstant(const void* pointer) noexcept;
unsigned int __isLocal(const void* pointer) noexcept;
#pragma clang attribute pop

#define threadIdx (::simt::gate::thread_index())
#define blockIdx (::simt::gate::thread_index())
#define blockDim (::simt::gate::dimension())
#define gridDim (::simt::gate::dimension())
// No constant expression, as in CUDA.
extern __device__ const int warpSize;
#define __syncthreads() (::simt::gate::barrier())
#define __syncthreads_count(predicate) (::simt::gate::barrier(predicate))
#define __syncthreads_and(predicate) (::simt::gate::barrier(predicate))
#define __syncthreads_or(predicate) (::simt::gate::barrier(predicate))

#define __align__(n) __attribute__((aligned(n)))
#define __assume(condition) __builtin_assume(condition)
