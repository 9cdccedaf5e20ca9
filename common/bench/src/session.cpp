#include "session.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "bench/check.h"
#include "bench/statistics.h"

namespace bench {
namespace {

void* open_object(const std::string& path, int scope) {
  void* const handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | scope);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

// The one C++ function that a kernel object exports.
void* exported_function(void* handle, const std::string& path) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) throw std::runtime_error(dlerror());
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) {
      symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    }
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  // The string table follows the symbol table.
  for (const ElfW(Sym)* each = symbols; reinterpret_cast<const char*>(each) < names; ++each) {
    const bool defined = each->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(each->st_info) == STT_FUNC;
    if (defined && std::string_view(names + each->st_name).starts_with("_Z")) {
      return dlsym(handle, names + each->st_name);
    }
  }
  throw std::runtime_error(path + " exports no function");
}

// ceilings.cu
using BenchCeiling = void (*)(int what, const float* from, float* to, int count,
                              cudaStream_t stream);
constexpr int kCopy = 0;
constexpr int kMultiplyAdd = 1;
constexpr int kFill = 2;
constexpr int kRead = 3;
constexpr double kFlopsOfAThread = 4096.0 * 8 * 2;

}  // namespace

Session::Session(const Options& options) : options_(options) {
  if (options.list) return;
  check(cudaStreamCreate(&stream_), "a stream");
  flush_.emplace();
  for (const std::string& each : options.with) open_object(each, RTLD_GLOBAL);
  for (const Options::Object& each : options.kernels) {
    subjects_.push_back(
        {each.label, exported_function(open_object(each.path, RTLD_LOCAL), each.path)});
  }
}

Ceilings Session::ceilings() const {
  if (options_.ceilings.empty()) return {};
  const auto function = reinterpret_cast<BenchCeiling>(
      exported_function(open_object(options_.ceilings, RTLD_LOCAL), options_.ceilings));
  const int floats = options_.smoke ? 1 << 12 : 1 << 26;
  const int threads = options_.smoke ? 256 : 1 << 20;
  ArrayMemory from(Role::scratch, static_cast<std::size_t>(floats), {}, false);
  ArrayMemory to(Role::scratch, static_cast<std::size_t>(floats), {}, false);
  from.allocate(1);
  to.allocate(1);
  TimingOptions timing;
  timing.calls_before = 1;
  if (options_.smoke) timing.least_samples = timing.most_samples = 2;
  const auto median = [&](const std::function<void(int)>& call) {
    return summarise(time_calls(call, stream_, *flush_, timing)).median;
  };
  const auto seconds = [&](int what, int count) {
    return median([&](int) {
      function(what, static_cast<const float*>(from.copy(0)), static_cast<float*>(to.copy(0)),
               count, stream_);
    });
  };
  // A pure stream is no slower than a mixed one, so that a rate below the copy's is the kernel's
  // fault, not the memory's.
  Ceilings ceilings;
  ceilings.copy_bytes_per_second = 8.0 * floats / seconds(kCopy, floats);
  const double copy = ceilings.copy_bytes_per_second;
  const double set = median(
      [&](int) { check(cudaMemsetAsync(to.copy(0), 0, to.bytes(), stream_), "filling an array"); });
  ceilings.fill_bytes_per_second =
      std::max(copy, 4.0 * floats / std::min(set, seconds(kFill, floats)));
  ceilings.read_bytes_per_second = std::max(copy, 4.0 * floats / seconds(kRead, floats));
  if (has_cublas() && !options_.smoke) {
    constexpr int kSize = 4096;  // 2^26 floats hold four such matrices
    const auto* const A = static_cast<const float*>(from.copy(0));
    auto* const C = static_cast<float*>(to.copy(0));
    const double time = median([&](int) {
      cublas_product(stream_, Layout::nn, kSize, kSize, kSize, A, A + kSize * kSize, false, C,
                     Precision::tf32);
    });
    ceilings.product_flops_per_second = 2.0 * kSize * kSize * kSize / time / 3;
  }
  ceilings.flops_per_second = kFlopsOfAThread * threads / seconds(kMultiplyAdd, threads);
  return ceilings;
}

void* Session::object_function(const std::string& name) const {
  const auto path =
      std::filesystem::path(options_.kernels.front().path).replace_filename(name + ".so");
  if (!std::filesystem::exists(path)) return nullptr;
  return exported_function(open_object(path, RTLD_LOCAL), path);
}

Session::~Session() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

}  // namespace bench
