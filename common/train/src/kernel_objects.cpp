#include "kernel_objects.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace train {

void open_objects(const std::vector<std::string>& objects) {
  for (const std::string& object : objects) {
    if (dlopen(object.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      throw std::runtime_error(fmt::format("{} cannot be loaded: {}", object, dlerror()));
    }
  }
  if (dlsym(RTLD_DEFAULT,
            "_Z10train_loopRK9MoeConfigRK9MoeParamsS4_PKfS6_R12MoeWorkspacePfS9_S9_"
            "fiS9_P11CUstream_st") == nullptr) {
    throw std::invalid_argument("no --object defines train_loop");
  }
}

}  // namespace train
