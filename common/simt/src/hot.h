// The few variables that every access of a kernel looks at, in one cache line.
#pragma once

#include <cstdint>

#include "record.h"

namespace simt {

struct Thread;

struct alignas(64) Hot {
  std::uintptr_t base = 0;          // start of the arena
  std::uintptr_t fast_bytes = 0;    // the arena's size while a kernel runs, 0: take the slow path
  std::uintptr_t shadow = 0;        // address of the cell of the arena's first word
  std::uintptr_t shared_begin = 0;  // offset in the arena where the blocks' shared memory begins
  std::uintptr_t pc_base = 0;       // start of the text of the kernel's module
  Record me = 0;                    // stamp of the running thread
  Record launch_first = 0;          // records below are of earlier launches
  Record block_first = 0;           // records below are older than the running block
  // Records in [block_first, block_first + span) are of the running block, before its last barrier.
  Record span_shared = 0;
  Record span_global = 0;        // the same; 0 while several blocks are resident
  Thread* thread = nullptr;      // the running CUDA thread, null in host code
  std::uintptr_t stack_low = 0;  // of the running thread
};

extern Hot hot __attribute__((visibility("hidden")));

// Is this the host thread on which the kernel runs? What another thread of the learner's program
// does meanwhile is no CUDA thread's, and not looked at: the runtime's tables are in use.
extern thread_local bool drives_kernel
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

inline bool in_cuda_thread() {
  return hot.thread != nullptr && drives_kernel;
}

}  // namespace simt
