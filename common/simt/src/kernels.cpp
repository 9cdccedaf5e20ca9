#include "kernels.h"

#include <unordered_map>

#include "simt/lowering.h"

namespace simt {
namespace kernels {
namespace {
std::unordered_map<const void*, Kernel>& table() {
  static auto* const instance = new std::unordered_map<const void*, Kernel>;
  return *instance;
}
}  // namespace

Kernel* find(const void* entry) {
  auto found = table().find(entry);
  return found == table().end() ? nullptr : &found->second;
}

Kernel& get(const void* entry) {
  return table()[entry];
}

void reset() {
  for (auto& [entry, kernel] : table()) kernel.dynamic_shared_limit = 0;
}

}  // namespace kernels

RegisterKernel::RegisterKernel(const void* kernel, const char* name, int launch_bound,
                               void (*invoke)(void*))
    : kernel_(kernel) {
  kernels::Kernel& known = kernels::get(kernel);
  known.name = name;
  known.launch_bound = launch_bound;
  known.invoke = invoke;
}

RegisterKernel::~RegisterKernel() {
  if (kernels::Kernel* known = kernels::find(kernel_)) *known = {};
}

}  // namespace simt
