#include "modules.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>

namespace simt {
namespace {

struct Search {
  std::uintptr_t address;
  Module found;
};

int visit(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (search.address - begin >= segment.p_memsz) continue;
    search.found = {info->dlpi_addr, begin, begin + segment.p_memsz, info->dlpi_name};
    return 1;
  }
  return 0;
}

struct ReadOnlySearch {
  std::uintptr_t address;
  bool found;
};

int visit_read_only(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<ReadOnlySearch*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    if (search.address - (info->dlpi_addr + segment.p_vaddr) >= segment.p_memsz) continue;
    search.found = true;
    return 1;
  }
  return 0;
}

}  // namespace

bool in_read_only_data(std::uintptr_t address) {
  ReadOnlySearch search{address, false};
  dl_iterate_phdr(visit_read_only, &search);
  return search.found;
}

Module module_of(std::uintptr_t address) {
  Search search{address, {}};
  dl_iterate_phdr(visit, &search);
  if (search.found.text_end != 0 && search.found.path.empty()) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) search.found.path.assign(path, static_cast<std::size_t>(length));
  }
  return search.found;
}

}  // namespace simt
