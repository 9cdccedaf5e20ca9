// A group's copy from global to shared memory, shared out among its threads.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>
// From here on:
#include <simt/device_begin.h>

namespace cooperative_groups {

namespace details {
template <size_t Bytes, class Group>
__attribute__((always_inline)) inline void copy_chunks(const Group& group, char* to,
                                                       const char* from, size_t bytes) {
  const size_t step = static_cast<size_t>(group.size()) * Bytes;
  for (size_t i = static_cast<size_t>(group.thread_rank()) * Bytes; i < bytes; i += step) {
    __pipeline_memcpy_async(to + i, from + i, Bytes);
  }
}
}  // namespace details

// `bytes` is that of the whole group. Each call is a stage of its own.
template <class Group, class To, class From>
__attribute__((always_inline)) inline void memcpy_async(const Group& group, To* to,
                                                        const From* from, size_t bytes) {
  char* target = reinterpret_cast<char*>(to);
  const char* source = reinterpret_cast<const char*>(from);
  const size_t alignment =
      reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source) | bytes;
  if (!__isShared(to) || alignment % 4 != 0) {
    for (size_t i = group.thread_rank(); i < bytes; i += group.size()) target[i] = source[i];
  } else if (alignment % 16 == 0) {
    details::copy_chunks<16>(group, target, source, bytes);
  } else if (alignment % 8 == 0) {
    details::copy_chunks<8>(group, target, source, bytes);
  } else {
    details::copy_chunks<4>(group, target, source, bytes);
  }
  __pipeline_commit();
}

// All copies of the group are done, and all its threads know.
template <class Group>
__attribute__((always_inline)) inline void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
template <unsigned int Stages, class Group>
__attribute__((always_inline)) inline void wait_prior(const Group& group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}
// At a block's barrier the line of the call counts.
__attribute__((always_inline)) inline void wait(const thread_block& block,
                                                int line = __builtin_LINE()) {
  __pipeline_wait_prior(0);
  block.sync(line);
}
template <unsigned int Stages>
__attribute__((always_inline)) inline void wait_prior(const thread_block& block,
                                                      int line = __builtin_LINE()) {
  __pipeline_wait_prior(Stages);
  block.sync(line);
}

}  // namespace cooperative_groups

#include <simt/device_end.h>
