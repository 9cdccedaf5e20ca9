#include "host_access.h"

#include "arena.h"
#include "heap.h"
#include "reports.h"

namespace simt::host_access {

void check(const Access& access) {
  if (hot.base == 0) return;
  if (!arena::contains(access.address)) {
    const Allocation* symbol = heap::find_symbol(access.address);
    if (symbol == nullptr || symbol->kind == MemoryKind::managed) return;
    reports::host_access(access, *symbol);
    return;
  }
  const Allocation* allocation = heap::find(access.address);
  if (allocation == nullptr) allocation = heap::nearest(access.address);
  if (allocation == nullptr) return;
  if (!allocation->freed &&
      (allocation->kind == MemoryKind::managed || allocation->kind == MemoryKind::host)) {
    return;
  }
  reports::host_access(access, *allocation);
}

}  // namespace simt::host_access
