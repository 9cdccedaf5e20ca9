#include "host_calls.h"

#include <cuda_runtime.h>

#include <vector>

#include "modules.h"

namespace simt {
namespace {

struct Call {
  std::uintptr_t caller;
  std::uintptr_t inside;
  const char* function;
  std::vector<HostCall::Size> sizes;
};

std::vector<Call>& running() {
  static std::vector<Call>* const calls = new std::vector<Call>;
  return *calls;
}

std::uintptr_t object_of(std::uintptr_t pc) {
  return module_of(pc).text_begin;
}

}  // namespace

HostCall::HostCall(void* caller, const char* function, std::initializer_list<Size> sizes) {
  running().push_back({reinterpret_cast<std::uintptr_t>(caller),
                       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), function,
                       sizes});
}

HostCall::~HostCall() {
  running().pop_back();
}

host_calls::Found host_calls::into_another_object() {
  Found found;
  if (running().size() < 2) return found;
  const std::uintptr_t first = object_of(running().front().inside);
  for (const Call& call : running()) {
    if (object_of(call.inside) == first) continue;
    found.caller = call.caller;
    found.text = std::string(call.function) + "(";
    for (const HostCall::Size& size : call.sizes) {
      found.text += (found.text.back() == '(' ? "" : ", ") + std::string(size.name) + "=" +
                    std::to_string(size.value);
    }
    found.text += ")";
    break;
  }
  return found;
}

}  // namespace simt
