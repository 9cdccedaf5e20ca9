// Shuffles of values of any size, word by word.
#pragma once

#include <cuda_runtime.h>
#include <simt/device_begin.h>

namespace simt::detail {

// `shuffle` exchanges one word.
template <class T, class Shuffle>
inline T shuffled(const T& value, Shuffle shuffle) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
  for (unsigned& word : bits) word = shuffle(word);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), bits, sizeof(T));
  return result;
}

}  // namespace simt::detail

#include <simt/device_end.h>
