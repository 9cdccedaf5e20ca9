// Host code of a kernel's file that touches device memory.
#pragma once

#include "access.h"

namespace simt::host_access {

void check(const Access& access);

}  // namespace simt::host_access
