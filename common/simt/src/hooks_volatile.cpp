// Accesses of volatile objects. Those of global memory are strong: two of them are no race, and
// they carry what fences ordered. A thread that polls lets the others run.
#include "detector.h"
#include "device_code.h"
#include "fiber.h"
#include "launch.h"
#include "order.h"
#include "scheduler.h"

namespace simt {
namespace {

void volatile_access(void* pointer, std::size_t bytes, AccessType type, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Thread* thread = in_cuda_thread() ? hot.thread : nullptr;
  if (thread != nullptr) {
    if (address - thread->fiber->stack_low < fibers::stack_bytes) return;
    if (type == AccessType::read) {
      thread->spin_pc = pc;
      if (thread->spin_address == address) scheduler::yield(*thread);
      thread->spin_address = address;
    } else {
      ++current_launch->progress;
    }
  }
  detector::check({address, bytes, type, AccessStrength::strong, pc});
  if (thread == nullptr) return;
  if (type == AccessType::read) {
    order::learn(*thread, address);
  } else {
    order::publish(*thread, address);
  }
}

}  // namespace
}  // namespace simt

extern "C" {

#define SIMT_VOLATILE(n)                                               \
  void __tsan_volatile_read##n(void* p) {                              \
    simt::volatile_access(p, n, simt::AccessType::read, SIMT_CALLER);  \
  }                                                                    \
  void __tsan_volatile_write##n(void* p) {                             \
    simt::volatile_access(p, n, simt::AccessType::write, SIMT_CALLER); \
  }
SIMT_VOLATILE(1)
SIMT_VOLATILE(2)
SIMT_VOLATILE(4)
SIMT_VOLATILE(8)
SIMT_VOLATILE(16)

}  // extern "C"
