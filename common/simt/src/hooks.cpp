// The functions that -fsanitize=thread calls before every load and store. This file is the hot
// path: an aligned 4-, 8- or 16-byte access of initialised memory that no other thread races for is
// decided here, in a few nanoseconds; everything else goes to the detector.
#include <cstdint>

#include "access.h"
#include "arena.h"
#include "detector.h"
#include "device.h"
#include "fiber.h"
#include "hot.h"

namespace simt {
namespace {

#define SIMT_LIKELY(x) __builtin_expect(!!(x), 1)
#define SIMT_UNLIKELY(x) __builtin_expect(!!(x), 0)

// The pc's bits are only needed where a record is stored.
inline Record record_of(std::uintptr_t pc) {
  return hot.me | ((pc - hot.pc_base) & pc_mask);
}

// Is the access ordered before the running thread's, by a barrier of its block or an older one?
inline bool passed_shared(Record record) {
  return record < hot.block_first + hot.span_shared;
}
inline bool passed_global(Record record) {
  return record < hot.launch_first || record - hot.block_first < hot.span_global;
}

// One word. False: the detector must look.
template <bool shared>
inline bool quick_read(Cell& cell, std::uintptr_t pc) {
  const auto passed = shared ? passed_shared : passed_global;
  const Record me = hot.me;
  if (SIMT_UNLIKELY(cell.state != state::normal)) return false;
  const Record write = cell.write;
  // Shared memory that an earlier block wrote counts as unwritten.
  const bool settled = shared ? write - hot.block_first < hot.span_shared : passed(write);
  if (SIMT_UNLIKELY(!settled && !same_stamp(write, me))) return false;
  const Record read1 = cell.read1;
  if (same_stamp(read1, me)) return true;
  if (passed(read1)) {
    cell.read1 = record_of(pc);
    return true;
  }
  const Record read2 = cell.read2;
  if (same_stamp(read2, me)) return true;
  if (passed(read2) || (group_of(read1) == group_of(read2) && group_of(me) != group_of(read1))) {
    cell.read2 = record_of(pc);
  }
  return true;
}

template <bool shared>
inline bool quick_write(Cell& cell, std::uintptr_t pc) {
  const auto passed = shared ? passed_shared : passed_global;
  const Record me = hot.me;
  if (SIMT_UNLIKELY(cell.state != state::normal)) return false;
  const auto fine = [&](Record record) { return passed(record) || same_stamp(record, me); };
  if (SIMT_UNLIKELY(!(fine(cell.read1) && fine(cell.read2)))) return false;
  if (SIMT_LIKELY(passed(cell.write))) {
    cell.write = record_of(pc);
    return true;
  }
  return same_stamp(cell.write, me);  // the first of a thread's stores stays remembered
}

[[gnu::noinline]] void slow(void* pointer, std::size_t bytes, AccessType type, std::uintptr_t pc,
                            AccessStrength strength = AccessStrength::plain,
                            bool vector_unit = true) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - hot.stack_low < fibers::stack_bytes && hot.thread != nullptr) return;
  detector::check({address, bytes, type, strength, pc, vector_unit});
}

template <AccessType type, unsigned words, bool shared>
inline bool quick(Cell* cells, std::uintptr_t pc) {
  bool done = true;
  for (unsigned i = 0; i < words; ++i) {
    done &= type == AccessType::read ? quick_read<shared>(cells[i], pc)
                                     : quick_write<shared>(cells[i], pc);
  }
  return done;
}

template <AccessType type, unsigned words>
inline void access(void* pointer, std::uintptr_t pc) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - hot.base;
  if (SIMT_LIKELY(offset < hot.fast_bytes && offset % (4 * words) == 0)) {
    Cell* cells = reinterpret_cast<Cell*>(hot.shadow + offset * (sizeof(Cell) / 4));
    if (offset >= hot.shared_begin) {
      if (SIMT_LIKELY((quick<type, words, true>(cells, pc)))) return;
    } else {
      if (SIMT_LIKELY((quick<type, words, false>(cells, pc)))) return;
    }
  }
  slow(pointer, 4 * words, type, pc);
}

}  // namespace
}  // namespace simt

using simt::AccessStrength;
using simt::AccessType;

#define SIMT_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

extern "C" {

void __tsan_init() {}

void __tsan_func_entry(void* call) {
  if (!simt::in_cuda_thread()) return;
  simt::Thread* thread = simt::hot.thread;
  const int depth = thread->depth++;
  if (depth < simt::max_call_depth) thread->calls[depth] = reinterpret_cast<std::uintptr_t>(call);
}
void __tsan_func_exit() {
  if (simt::in_cuda_thread()) --simt::hot.thread->depth;
}

void __tsan_read4(void* p) {
  simt::access<AccessType::read, 1>(p, SIMT_PC);
}
void __tsan_read8(void* p) {
  simt::access<AccessType::read, 2>(p, SIMT_PC);
}
void __tsan_read16(void* p) {
  simt::access<AccessType::read, 4>(p, SIMT_PC);
}
void __tsan_write4(void* p) {
  simt::access<AccessType::write, 1>(p, SIMT_PC);
}
void __tsan_write8(void* p) {
  simt::access<AccessType::write, 2>(p, SIMT_PC);
}
void __tsan_write16(void* p) {
  simt::access<AccessType::write, 4>(p, SIMT_PC);
}

void __tsan_read1(void* p) {
  simt::slow(p, 1, AccessType::read, SIMT_PC);
}
void __tsan_read2(void* p) {
  simt::slow(p, 2, AccessType::read, SIMT_PC);
}
void __tsan_write1(void* p) {
  simt::slow(p, 1, AccessType::write, SIMT_PC);
}
void __tsan_write2(void* p) {
  simt::slow(p, 2, AccessType::write, SIMT_PC);
}

// Accesses whose type promises less alignment than its size: no vector access on the hardware.
#define SIMT_UNALIGNED(n)                                                        \
  void __tsan_unaligned_read##n(void* p) {                                       \
    simt::slow(p, n, AccessType::read, SIMT_PC, AccessStrength::plain, false);   \
  }                                                                              \
  void __tsan_unaligned_write##n(void* p) {                                      \
    simt::slow(p, n, AccessType::write, SIMT_PC, AccessStrength::plain, false);  \
  }                                                                              \
  void __tsan_unaligned_volatile_read##n(void* p) {                              \
    simt::slow(p, n, AccessType::read, SIMT_PC, AccessStrength::strong, false);  \
  }                                                                              \
  void __tsan_unaligned_volatile_write##n(void* p) {                             \
    simt::slow(p, n, AccessType::write, SIMT_PC, AccessStrength::strong, false); \
  }
SIMT_UNALIGNED(2)
SIMT_UNALIGNED(4)
SIMT_UNALIGNED(8)
SIMT_UNALIGNED(16)

void __tsan_read_range(void* p, std::size_t bytes) {
  simt::slow(p, bytes, AccessType::read, SIMT_PC, AccessStrength::plain, false);
}
void __tsan_write_range(void* p, std::size_t bytes) {
  simt::slow(p, bytes, AccessType::write, SIMT_PC, AccessStrength::plain, false);
}

void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

}  // extern "C"
