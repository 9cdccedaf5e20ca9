// Loads and stores that the runtime makes for a kernel, checked as its own.
#pragma once

#include "detector.h"
#include "device_code.h"

namespace simt {

template <class T>
T checked_load(const T* pointer, std::uintptr_t pc) {
  detector::check({reinterpret_cast<std::uintptr_t>(pointer), sizeof(T), AccessType::read,
                   AccessStrength::plain, pc});
  return *pointer;
}

template <class T>
void checked_store(T* pointer, T value, std::uintptr_t pc) {
  detector::check({reinterpret_cast<std::uintptr_t>(pointer), sizeof(T), AccessType::write,
                   AccessStrength::plain, pc});
  *pointer = value;
}

}  // namespace simt
