// What is known of kernels by their address: names, launch bounds, attributes that host code set.
#pragma once

#include <cstddef>
#include <string>

namespace simt::kernels {

struct Kernel {
  std::string name;
  int launch_bound = 0;
  void (*invoke)(void*) = nullptr;       // with a detail::PointerCall
  std::size_t dynamic_shared_limit = 0;  // set by cudaFuncSetAttribute, 0: never
};

// Null when nothing is known of the address.
Kernel* find(const void* entry);
Kernel& get(const void* entry);
// Forgets what host code set.
void reset();

}  // namespace simt::kernels
