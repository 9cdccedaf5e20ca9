// Items of a block's threads in two orders: blocked (each thread has consecutive items) and striped
// (item i of thread t is number i * threads + t of the block's, or of the warp's); and loads and
// stores in each.
#pragma once

#include "collective.h"
// From here on:
#include <simt/device_begin.h>

namespace simt::collective {

// Shared memory for an exchange of `Count` items; nothing where none takes place.
template <class T, int Count, bool Exchanges>
struct ExchangeStorage {
  Uninitialised<T, Count> items;
};
template <class T, int Count>
struct ExchangeStorage<T, Count, false> {};

// Where the i-th of this thread's N items lies in memory: striped over the block or over its warp,
// or blocked.
template <int N, int Threads, bool StripedByBlock, bool StripedByWarp>
SIMT_COLLECTIVE int place_in_memory(int i) {
  const int rank = thread();
  if constexpr (StripedByBlock) return i * Threads + rank;
  if constexpr (StripedByWarp) return rank / 32 * 32 * N + i * 32 + rank % 32;
  return rank * N + i;
}

// `Size` consecutive threads of which this is number `rank` exchange items through `storage`.
template <int Size, class T, int N, class Storage, class Wait>
SIMT_COLLECTIVE void striped_to_blocked(Storage& storage, int rank, int base, T (&items)[N],
                                        Wait wait) {
  for (int i = 0; i < N; ++i) storage[base + i * Size + rank] = items[i];
  wait();
  for (int i = 0; i < N; ++i) items[i] = storage[base + rank * N + i];
}
template <int Size, class T, int N, class Storage, class Wait>
SIMT_COLLECTIVE void blocked_to_striped(Storage& storage, int rank, int base, T (&items)[N],
                                        Wait wait) {
  for (int i = 0; i < N; ++i) storage[base + rank * N + i] = items[i];
  wait();
  for (int i = 0; i < N; ++i) items[i] = storage[base + i * Size + rank];
}

// Items of several elements at once, as wide as the hardware loads.
template <class T, int N>
struct Vector {
  static constexpr bool fits(int count) {
    return N % count == 0 && sizeof(T) * static_cast<unsigned>(count) <= 16;
  }
  static constexpr int count = fits(4) ? 4 : fits(2) ? 2 : 1;
  struct alignas(sizeof(T) * static_cast<unsigned>(count)) Type {
    T elements[count];
  };
};

template <class T, int N>
SIMT_COLLECTIVE void load_vectors(const T* from, T (&items)[N]) {
  using V = Vector<T, N>;
  const auto* vectors = reinterpret_cast<const typename V::Type*>(from);
  for (int i = 0; i < N / V::count; ++i) {
    const typename V::Type vector = vectors[i];
    for (int j = 0; j < V::count; ++j) items[i * V::count + j] = vector.elements[j];
  }
}
template <class T, int N>
SIMT_COLLECTIVE void store_vectors(T* to, T (&items)[N]) {
  using V = Vector<T, N>;
  auto* vectors = reinterpret_cast<typename V::Type*>(to);
  for (int i = 0; i < N / V::count; ++i) {
    typename V::Type vector;
    for (int j = 0; j < V::count; ++j) vector.elements[j] = items[i * V::count + j];
    vectors[i] = vector;
  }
}

template <class T>
struct IsPointer {
  static constexpr bool value = false;
};
template <class T>
struct IsPointer<T*> {
  static constexpr bool value = true;
};

}  // namespace simt::collective

#include <simt/device_end.h>
