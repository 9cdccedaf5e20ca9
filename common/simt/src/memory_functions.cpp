// memcpy and its kin in checked kernels, where the compiler's checks do not see what they touch.
#include <cstdlib>
#include <cstring>

#include "arena.h"
#include "detector.h"
#include "device.h"
#include "fiber.h"
#include "heap.h"
#include "hot.h"
#include "reports.h"
#include "scheduler.h"

namespace {

void check(const void* pointer, std::size_t bytes, simt::AccessType type, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (simt::in_cuda_thread() &&
      address - simt::hot.thread->fiber->stack_low < simt::fibers::stack_bytes) {
    return;
  }
  simt::detector::check({address, bytes, type, simt::AccessStrength::plain, pc, false});
}

}  // namespace

#define PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

extern "C" {

void* simt_memcpy(void* to, const void* from, std::size_t bytes) {
  check(from, bytes, simt::AccessType::read, PC);
  check(to, bytes, simt::AccessType::write, PC);
  return std::memcpy(to, from, bytes);
}

void* simt_memmove(void* to, const void* from, std::size_t bytes) {
  check(from, bytes, simt::AccessType::read, PC);
  check(to, bytes, simt::AccessType::write, PC);
  return std::memmove(to, from, bytes);
}

void* simt_memset(void* to, int value, std::size_t bytes) {
  check(to, bytes, simt::AccessType::write, PC);
  return std::memset(to, value, bytes);
}

// In a kernel: memory of the device's heap, which the checks know.
void* simt_malloc(std::size_t bytes) {
  if (!simt::in_cuda_thread()) return std::malloc(bytes);
  const simt::Allocation* made =
      simt::heap::allocate(bytes == 0 ? 1 : bytes, simt::MemoryKind::device, PC);
  return made == nullptr ? nullptr : reinterpret_cast<void*>(made->begin);
}

void simt_free(void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!simt::in_cuda_thread() || !simt::arena::contains(address)) {
    if (!simt::in_cuda_thread()) std::free(pointer);
    return;
  }
  simt::Allocation* allocation = simt::heap::find(address);
  if (allocation == nullptr || allocation->freed || allocation->begin != address) {
    simt::reports::bad_access(
        allocation != nullptr && allocation->freed ? simt::DiagnosticKind::use_after_free
                                                   : simt::DiagnosticKind::out_of_bounds,
        {address, 1, simt::AccessType::write, simt::AccessStrength::plain, PC}, *simt::hot.thread);
    simt::scheduler::retire(*simt::hot.thread);
  }
  simt::heap::release(*allocation);
}

}  // extern "C"
