// Barriers, fences, clocks and traps of device code.
#pragma once

#include "lowering.h"

// clang-format off
#define __syncthreads() (::simt::barrier(__COUNTER__, __LINE__))
#define __syncthreads_count(predicate) (::simt::barrier_count((predicate) ? 1 : 0, __COUNTER__, __LINE__))
#define __syncthreads_and(predicate) (::simt::barrier_and((predicate) ? 1 : 0, __COUNTER__, __LINE__))
#define __syncthreads_or(predicate) (::simt::barrier_or((predicate) ? 1 : 0, __COUNTER__, __LINE__))
// clang-format on

void __threadfence() noexcept;
void __threadfence_block() noexcept;
void __threadfence_system() noexcept;

void __nanosleep(unsigned int nanoseconds) noexcept;
long long clock64() noexcept;
extern "C" long clock() noexcept;

// Ends the kernel with cudaErrorLaunchFailure.
[[noreturn]] void __trap() noexcept;
void __brkpt() noexcept;

unsigned int __isGlobal(const void* pointer) noexcept;
unsigned int __isShared(const void* pointer) noexcept;
unsigned int __isConstant(const void* pointer) noexcept;
unsigned int __isLocal(const void* pointer) noexcept;
