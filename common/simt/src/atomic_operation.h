// An atomic read-modify-write of device code.
#pragma once

#include <cstring>

#include "detector.h"
#include "device_code.h"
#include "launch.h"
#include "order.h"
#include "scheduler.h"

namespace simt {

// What spinning threads do: after an operation that changed nothing, twice in a row at one address,
// the others get their turn.
inline void after_atomic(Thread& thread, std::uintptr_t address, bool changed, std::uintptr_t pc) {
  thread.spin_pc = pc;
  if (changed) {
    thread.spin_address = 0;
    ++current_launch->progress;
  } else if (thread.spin_address == address) {
    scheduler::yield(thread);
  } else {
    thread.spin_address = address;
  }
}

template <class T, class Update>
T atomic_update(T* address, AccessStrength strength, std::uintptr_t pc, Update update) {
  Thread& thread = running_thread("an atomic function");
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  detector::check({place, sizeof(T), AccessType::atomic, strength, pc});
  current_launch->uses_atomics = true;
  order::learn(thread, place);
  const T old = *address;
  const T updated = update(old);
  order::publish(thread, place);
  *address = updated;
  // Bit for bit: a NaN that stays the same NaN is no progress.
  const bool changed = std::memcmp(static_cast<const void*>(&old),
                                   static_cast<const void*>(&updated), sizeof(T)) != 0;
  after_atomic(thread, place, changed, pc);
  return old;
}

}  // namespace simt
