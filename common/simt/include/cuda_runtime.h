// CUDA C++ on the CPU: what a .cu file and plain host code see.
//
// In a .cu file, the words that nvcc adds to C++ (__global__, __shared__, <<<>>> ...) are lowered
// by the launch rewriter before the compiler sees them (simt/lowering.h). Host code needs no
// rewriting.
#pragma once

#ifdef __CUDACC__
// nvcc brings these along.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <initializer_list>
#endif

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "simt/atomics.h"
#include "simt/cache_hints.h"
#include "simt/intrinsics.h"
#include "simt/lowering.h"
#include "simt/math_functions.h"
#include "simt/synchronisation.h"
#include "simt/warp.h"
#include "vector_functions.h"
#include "vector_types.h"

#define __align__(n) __attribute__((aligned(n)))
#if !defined(__clang__) && !defined(__builtin_assume)
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) __builtin_assume(condition)

#ifdef __SANITIZE_THREAD__
// In checked kernels these move memory through the checks, also where the compiler calls them to
// copy a structure.
extern "C" {
void* memcpy(void* to, const void* from, size_t bytes) noexcept __asm__("simt_memcpy");
void* memmove(void* to, const void* from, size_t bytes) noexcept __asm__("simt_memmove");
void* memset(void* to, int value, size_t bytes) noexcept __asm__("simt_memset");
// In kernels, from the device's heap.
void* malloc(size_t bytes) noexcept __asm__("simt_malloc");
void free(void* pointer) noexcept __asm__("simt_free");
}
#endif
