// Atomic functions. One OS thread runs everything, so the operation itself is a plain one; what
// counts is what the checks learn of it.
#include "simt/atomics.h"

#include "atomic_operation.h"

namespace {

using simt::AccessStrength;
using simt::atomic_update;

template <class T>
T add(T a, T b) {
  return static_cast<T>(a + b);
}
// Signed sums wrap on a GPU.
template <>
int add(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <>
float2 add(float2 a, float2 b) {
  return {a.x + b.x, a.y + b.y};
}
template <>
float4 add(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

}  // namespace

// clang-format off
#define PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define ATOMIC(name, T, expression)                                                              \
  T name(T* address, T value) noexcept { return atomic_update(address, AccessStrength::device_atomic, PC, [=](T old) { return static_cast<T>(expression); }); }                  \
  T name##_block(T* address, T value) noexcept { return atomic_update(address, AccessStrength::block_atomic, PC, [=](T old) { return static_cast<T>(expression); }); }           \
  T name##_system(T* address, T value) noexcept { return atomic_update(address, AccessStrength::device_atomic, PC, [=](T old) { return static_cast<T>(expression); }); }
#define COMPARE_AND_SWAP(T)                                                                      \
  T atomicCAS(T* address, T compare, T value) noexcept { return atomic_update(address, AccessStrength::device_atomic, PC, [=](T old) { return old == compare ? value : old; }); } \
  T atomicCAS_block(T* address, T compare, T value) noexcept { return atomic_update(address, AccessStrength::block_atomic, PC, [=](T old) { return old == compare ? value : old; }); } \
  T atomicCAS_system(T* address, T compare, T value) noexcept { return atomic_update(address, AccessStrength::device_atomic, PC, [=](T old) { return old == compare ? value : old; }); }

ATOMIC(atomicAdd, int, add(old, value))
ATOMIC(atomicAdd, unsigned int, add(old, value))
ATOMIC(atomicAdd, unsigned long long int, add(old, value))
ATOMIC(atomicAdd, float, add(old, value))
ATOMIC(atomicAdd, double, add(old, value))
ATOMIC(atomicAdd, float2, add(old, value))
ATOMIC(atomicAdd, float4, add(old, value))
ATOMIC(atomicSub, int, add(old, static_cast<int>(0u - static_cast<unsigned>(value))))
ATOMIC(atomicSub, unsigned int, add(old, static_cast<unsigned int>(0u - static_cast<unsigned>(value))))
ATOMIC(atomicExch, int, (static_cast<void>(old), value))
ATOMIC(atomicExch, unsigned int, (static_cast<void>(old), value))
ATOMIC(atomicExch, unsigned long long int, (static_cast<void>(old), value))
ATOMIC(atomicExch, float, (static_cast<void>(old), value))
ATOMIC(atomicMin, int, value < old ? value : old)
ATOMIC(atomicMin, unsigned int, value < old ? value : old)
ATOMIC(atomicMin, long long int, value < old ? value : old)
ATOMIC(atomicMin, unsigned long long int, value < old ? value : old)
ATOMIC(atomicMax, int, value > old ? value : old)
ATOMIC(atomicMax, unsigned int, value > old ? value : old)
ATOMIC(atomicMax, long long int, value > old ? value : old)
ATOMIC(atomicMax, unsigned long long int, value > old ? value : old)
ATOMIC(atomicInc, unsigned int, old >= value ? 0 : old + 1)
ATOMIC(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)
ATOMIC(atomicAnd, int, old & value)
ATOMIC(atomicAnd, unsigned int, old & value)
ATOMIC(atomicAnd, unsigned long long int, old & value)
ATOMIC(atomicOr, int, old | value)
ATOMIC(atomicOr, unsigned int, old | value)
ATOMIC(atomicOr, unsigned long long int, old | value)
ATOMIC(atomicXor, int, old ^ value)
ATOMIC(atomicXor, unsigned int, old ^ value)
ATOMIC(atomicXor, unsigned long long int, old ^ value)
COMPARE_AND_SWAP(int)
COMPARE_AND_SWAP(unsigned int)
COMPARE_AND_SWAP(unsigned long long int)
COMPARE_AND_SWAP(unsigned short int)
// clang-format on
