// The functions of host code that run now, as far as they take a stream (simt::HostCall).
#pragma once

#include <cstdint>
#include <string>

namespace simt::host_calls {

// The call by which the outermost function got into another object: of a lesson's function, its
// call of a reference.
struct Found {
  std::uintptr_t caller = 0;  // return address of the call; 0: there is none
  std::string text;           // "matmul_nt(M=3, N=4, K=2)"
};
Found into_another_object();

}  // namespace simt::host_calls
