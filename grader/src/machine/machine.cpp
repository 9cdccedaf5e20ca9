#include "machine/machine.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "cli/error.h"
#include "system/process.h"

namespace grade {
namespace {

// The few functions of the driver API that are needed, with their types (from the public CUDA
// documentation), so that no toolkit is.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) return;
    load("cuInit", init);
    load("cuDeviceGetCount", device_count);
    load("cuDeviceGet", device);
    load("cuDeviceGetName", device_name);
    load("cuDeviceGetAttribute", attribute);
    load("cuDeviceTotalMem_v2", total_memory);
    load("cuDriverGetVersion", version);
  }
  bool present() const { return library_ != nullptr && complete_; }

  int (*init)(unsigned) = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*device)(int*, int) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*total_memory)(std::size_t*, int) = nullptr;
  int (*version)(int*) = nullptr;

 private:
  template <class F>
  void load(const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    complete_ = complete_ && function != nullptr;
  }

  void* library_;  // never closed: the driver does not like to be unloaded
  bool complete_ = true;
};

std::optional<Gpu> ask_driver(std::string& why_not) {
  static Driver driver;
  if (!driver.present()) {
    why_not = "there is no NVIDIA driver (libcuda.so.1)";
    return std::nullopt;
  }
  if (const int error = driver.init(0); error != 0) {
    why_not = error == 100 ? "the NVIDIA driver sees no GPU"
                           : fmt::format("the NVIDIA driver does not start (error {})", error);
    return std::nullopt;
  }
  int count = 0;
  int device = 0;
  if (driver.device_count(&count) != 0 || count == 0 || driver.device(&device, 0) != 0) {
    why_not = "the NVIDIA driver sees no GPU";
    return std::nullopt;
  }
  Gpu gpu;
  std::array<char, 256> name{};
  driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device);
  gpu.name = name.data();
  constexpr int capability_major = 75;
  constexpr int capability_minor = 76;
  driver.attribute(&gpu.major, capability_major, device);
  driver.attribute(&gpu.minor, capability_minor, device);
  std::size_t bytes = 0;
  driver.total_memory(&bytes, device);
  gpu.memory_gib = static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
  int version = 0;
  driver.version(&version);
  gpu.driver = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  return gpu;
}

}  // namespace

std::optional<Gpu> find_gpu(std::string* why_not) {
  static std::once_flag once;
  static std::optional<Gpu> gpu;
  static std::string reason;
  std::call_once(once, [] { gpu = ask_driver(reason); });
  if (why_not != nullptr) *why_not = reason;
  return gpu;
}

void refuse_cuda(const std::string& why) {
  throw Error(Exit::unavailable, "the CUDA backend cannot be used here: " + why,
              "`grade doctor` says what is missing; without --backend the CPU is used.");
}

void require_gpu() {
  std::string why_not;
  if (!find_gpu(&why_not)) refuse_cuda(why_not);
}

std::string find_nvcc() {
  if (const char* chosen = std::getenv("CUDACXX"); chosen != nullptr && *chosen != '\0') {
    return find_program(chosen);
  }
  if (std::string path = find_program("nvcc"); !path.empty()) return path;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char* folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') continue;
    std::string path = find_program(std::string(folder) + "/bin/nvcc");
    if (!path.empty()) return path;
  }
  return find_program("/usr/local/cuda/bin/nvcc");
}

}  // namespace grade
