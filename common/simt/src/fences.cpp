#include <ctime>

#include "arena.h"
#include "device_code.h"
#include "fiber.h"
#include "heap.h"
#include "launch.h"
#include "order.h"
#include "scheduler.h"
#include "simt/synchronisation.h"

void __threadfence() noexcept {
  simt::order::fence(simt::running_thread("__threadfence"), false);
}
void __threadfence_system() noexcept {
  simt::order::fence(simt::running_thread("__threadfence_system"), false);
}
void __threadfence_block() noexcept {
  simt::order::fence(simt::running_thread("__threadfence_block"), true);
}

void __nanosleep(unsigned int) noexcept {
  simt::scheduler::yield(simt::running_thread("__nanosleep"));
}

long long clock64() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

unsigned int __isGlobal(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return simt::arena::contains(address) && address - simt::hot.base < simt::hot.shared_begin;
}
unsigned int __isShared(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return simt::arena::contains(address) && address - simt::hot.base >= simt::hot.shared_begin;
}
unsigned int __isConstant(const void* pointer) noexcept {
  const simt::Allocation* symbol =
      simt::heap::find_symbol(reinterpret_cast<std::uintptr_t>(pointer));
  return symbol != nullptr && symbol->kind == simt::MemoryKind::constant_symbol;
}
unsigned int __isLocal(const void* pointer) noexcept {
  return simt::fibers::contains(reinterpret_cast<std::uintptr_t>(pointer));
}
