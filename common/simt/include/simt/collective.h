// What CUB's block and warp collectives share. All of it is inlined into the kernel, so that
// reports of what it touches stand on the kernel's lines.
#pragma once

#include <cuda_runtime.h>

#include "function_objects.h"
#include "shuffled.h"
// From here on:
#include <simt/device_begin.h>

namespace simt::detail {
unsigned rank_in_block() noexcept;
}

namespace simt::collective {

#define SIMT_COLLECTIVE __attribute__((always_inline)) inline

// The line of a collective's call: the last parameter of each, by default.
struct CallLine {
  int number;
};

// The barriers inside one call have ids of their own.
SIMT_COLLECTIVE void barrier(CallLine line, int which = 0) {
  ::simt::barrier(0x50000000 + line.number * 4 + which, line.number);
}

SIMT_COLLECTIVE int thread() {
  return static_cast<int>(detail::rank_in_block());
}

// Memory for values of a type that may have constructors, which shared memory cannot.
template <class T, int Count>
struct alignas(T) Uninitialised {
  unsigned char bytes[sizeof(T) * Count];
  SIMT_COLLECTIVE T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// A group of consecutive lanes of a warp; Size is a power of two, or any number up to 32.
template <int Size>
struct LogicalWarp {
  static_assert(Size >= 1 && Size <= 32, "a logical warp has 1 to 32 threads");
  static constexpr bool power_of_two = (Size & (Size - 1)) == 0;
  static constexpr int width = power_of_two ? Size : 32;

  SIMT_COLLECTIVE static int lane() { return thread() % 32 % Size; }
  SIMT_COLLECTIVE static unsigned mask() {
    if constexpr (Size == 32)
      return ~0u;
    else
      return ((1u << Size) - 1) << (power_of_two ? thread() % 32 / Size * Size : 0);
  }
  template <class T>
  SIMT_COLLECTIVE static T up(const T& value, int distance) {
    return detail::shuffled(value, [=](unsigned word) {
      return __shfl_up_sync(mask(), word, static_cast<unsigned>(distance), width);
    });
  }
  template <class T>
  SIMT_COLLECTIVE static T from(const T& value, int lane) {
    return detail::shuffled(value,
                            [=](unsigned word) { return __shfl_sync(mask(), word, lane, width); });
  }

  // Lane 0 gets op over the first `valid` lanes; the others get what is of no use.
  template <class T, class Op>
  SIMT_COLLECTIVE static T reduce(T value, Op op, int valid = Size) {
    for (int distance = 1; distance < Size; distance *= 2) {
      // A lane without a partner, whose partner may not even exist, reads itself.
      const bool has_partner = lane() + distance < valid;
      const T other = from(value, has_partner ? lane() + distance : lane());
      if (has_partner) value = op(value, other);
    }
    return value;
  }
  // Each lane gets op over the lanes up to itself.
  template <class T, class Op>
  SIMT_COLLECTIVE static T scan(T value, Op op) {
    for (int distance = 1; distance < Size; distance *= 2) {
      const T other = up(value, distance);
      if (lane() >= distance) value = op(other, value);
    }
    return value;
  }
};

template <class T, int N, class Op>
SIMT_COLLECTIVE T reduce_items(T (&items)[N], Op op) {
  T result = items[0];
  for (int i = 1; i < N; ++i) result = op(result, items[i]);
  return result;
}

}  // namespace simt::collective

#include <simt/device_end.h>
