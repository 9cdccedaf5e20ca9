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
    if (library_ == nullptr) {
      const char* const reason = dlerror();
      const std::string text = reason != nullptr ? reason : "";
      // Not being there is the usual case; being there and not loading is worth its words.
      if (text.find("No such file") == std::string::npos) problem_ = text;
      return;
    }
    load("cuInit", init);
    load("cuDeviceGetCount", device_count);
    load("cuDeviceGet", device);
    load("cuDeviceGetName", device_name);
    load("cuDeviceGetAttribute", attribute);
    load("cuDeviceTotalMem_v2", total_memory);
    load("cuDriverGetVersion", version);
  }
  bool present() const { return library_ != nullptr && problem_.empty(); }
  const std::string& problem() const { return problem_; }  // of a driver that is there

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
    if (function == nullptr) problem_ = fmt::format("libcuda.so.1 has no {}", name);
  }

  void* library_;  // never closed: the driver does not like to be unloaded
  std::string problem_;
};

std::optional<Gpu> ask_driver(std::string& why_not, bool& broken) {
  static Driver driver;
  broken = !driver.problem().empty();
  if (!driver.present()) {
    why_not = broken ? "the NVIDIA driver cannot be used: " + driver.problem()
                     : "there is no NVIDIA driver (libcuda.so.1)";
    return std::nullopt;
  }
  constexpr int no_device = 100;
  if (const int error = driver.init(0); error != 0) {
    broken = error != no_device;
    why_not = broken ? fmt::format("the NVIDIA driver does not start (error {})", error)
                     : "the NVIDIA driver sees no GPU";
    return std::nullopt;
  }
  int count = 0;
  int device = 0;
  if (driver.device_count(&count) != 0 || count == 0 || driver.device(&device, 0) != 0) {
    why_not = "the NVIDIA driver sees no GPU";
    return std::nullopt;
  }
  Gpu gpu;
  gpu.count = count;
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

std::optional<Gpu> find_gpu(std::string* why_not, bool* broken) {
  static std::once_flag once;
  static std::optional<Gpu> gpu;
  static std::string reason;
  static bool is_broken = false;
  std::call_once(once, [] { gpu = ask_driver(reason, is_broken); });
  if (why_not != nullptr) *why_not = reason;
  if (broken != nullptr) *broken = is_broken;
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
