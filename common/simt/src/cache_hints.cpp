#include "simt/cache_hints.h"

#include "checked_access.h"

// clang-format off
#define PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define LOAD(name, T) T name(const T* pointer) noexcept { return simt::checked_load(pointer, PC); }
#define STORE(name, T) void name(T* pointer, T value) noexcept { simt::checked_store(pointer, value, PC); }
#define HINTS(T) LOAD(__ldg, T) LOAD(__ldca, T) LOAD(__ldcg, T) LOAD(__ldcs, T) LOAD(__ldlu, T) LOAD(__ldcv, T) STORE(__stwb, T) STORE(__stcg, T) STORE(__stcs, T) STORE(__stwt, T)

HINTS(char)
HINTS(signed char)
HINTS(short)
HINTS(int)
HINTS(long)
HINTS(long long)
HINTS(unsigned char)
HINTS(unsigned short)
HINTS(unsigned int)
HINTS(unsigned long)
HINTS(unsigned long long)
HINTS(char2)
HINTS(char4)
HINTS(short2)
HINTS(short4)
HINTS(int2)
HINTS(int4)
HINTS(longlong2)
HINTS(uchar2)
HINTS(uchar4)
HINTS(ushort2)
HINTS(ushort4)
HINTS(uint2)
HINTS(uint4)
HINTS(ulonglong2)
HINTS(float)
HINTS(float2)
HINTS(float4)
HINTS(double)
HINTS(double2)
// clang-format on
