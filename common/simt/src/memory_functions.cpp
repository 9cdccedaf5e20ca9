// memcpy and its kin in checked kernels, where the compiler's checks do not see what they touch.
#include <cstring>

#include "detector.h"
#include "device.h"
#include "fiber.h"
#include "hot.h"

namespace {

void check(const void* pointer, std::size_t bytes, simt::AccessType type, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (simt::hot.thread != nullptr &&
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

}  // extern "C"
