#include "kernel_object.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace testing {
namespace {

// The dynamic symbols of the executable that are defined elsewhere. The GNU hash table leaves them
// out and says where the others begin.
struct UndefinedSymbols {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;

  UndefinedSymbols() {
    for (const ElfW(Dyn)* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry) {
      // glibc relocates these addresses in place.
      const auto* const address = reinterpret_cast<const void*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) symbols = static_cast<const ElfW(Sym)*>(address);
      if (entry->d_tag == DT_STRTAB) names = static_cast<const char*>(address);
      if (entry->d_tag == DT_GNU_HASH) gnu_hash = static_cast<const std::uint32_t*>(address);
    }
  }

  template <class F>
  void each(F visit) const {
    if (symbols == nullptr || names == nullptr || gnu_hash == nullptr) return;
    const std::uint32_t first_defined = gnu_hash[1];
    for (std::uint32_t i = 1; i < first_defined; ++i) {
      const bool strong = ELF64_ST_BIND(symbols[i].st_info) == STB_GLOBAL;
      if (symbols[i].st_shndx == SHN_UNDEF && strong) visit(names + symbols[i].st_name);
    }
  }
};

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : symbol;
}

}  // namespace

std::string load_kernel_object(const std::string& path) {
  std::error_code error;
  // A name without a slash would be searched for in the system's folders.
  const std::string absolute = std::filesystem::absolute(path, error).string();
  if (!std::filesystem::exists(absolute, error)) return path + " does not exist";
  if (dlopen(absolute.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return "";
  const char* const reason = dlerror();
  return path + " cannot be loaded: " + (reason != nullptr ? reason : "unknown reason");
}

std::string missing_functions() {
  std::string missing;
  UndefinedSymbols().each([&](const char* symbol) {
    if (!std::string_view(symbol).starts_with("_Z") || dlsym(RTLD_DEFAULT, symbol) != nullptr)
      return;
    missing += (missing.empty() ? "" : ", ") + demangled(symbol);
  });
  return missing;
}

void* find_function(const char* name) {
  return dlsym(RTLD_DEFAULT, name);
}

}  // namespace testing
