#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "parallel/transport.h"

namespace parallel {
namespace {

std::filesystem::path module_file() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "bin" / "train-nccl.so";
}

}  // namespace

bool has_nccl() {
  return std::filesystem::exists(module_file());
}

std::unique_ptr<Transport> make_nccl_transport(const Group& group) {
  const std::string file = module_file().string();
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw std::runtime_error(fmt::format("no NCCL: {}", dlerror()));
  using Maker = Transport* (*)(const Group&);
  const auto make = reinterpret_cast<Maker>(dlsym(module, "make_transport"));
  if (make == nullptr) throw std::runtime_error(fmt::format("{} is no module of NCCL", file));
  return std::unique_ptr<Transport>(make(group));
}

}  // namespace parallel
