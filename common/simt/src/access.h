// What an access is, for the checks and for reports.
#pragma once

#include <cstddef>
#include <cstdint>

#include "record.h"

namespace simt {

enum class AccessType : std::uint8_t { read, write, atomic };

struct Access {
  std::uintptr_t address;
  std::size_t bytes;
  AccessType type;
  AccessStrength strength = AccessStrength::plain;
  std::uintptr_t pc;
  bool vector_unit = true;  // the hardware wants the address to be a multiple of the size
  bool counted = true;      // in profile runs; false: the second check of one access
};

}  // namespace simt
