#include "object_file.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "source_text.h"

namespace simt::compiler {
namespace {

template <class T>
T read_at(const std::string& bytes, std::size_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    throw std::runtime_error("truncated object file");
  }
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

}  // namespace

std::vector<Symbol> read_symbols(const std::string& path) {
  const std::string bytes = read_file(path);
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    throw std::runtime_error(path + " is no 64-bit ELF object");
  }
  const auto wanted = header.e_type == ET_REL ? SHT_SYMTAB : SHT_DYNSYM;
  std::vector<Symbol> symbols;
  auto section = [&](std::size_t index) {
    return read_at<Elf64_Shdr>(bytes, header.e_shoff + index * header.e_shentsize);
  };
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != static_cast<Elf64_Word>(wanted)) continue;
    const Elf64_Shdr strings = section(table.sh_link);
    for (std::size_t at = sizeof(Elf64_Sym); at < table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto entry = read_at<Elf64_Sym>(bytes, table.sh_offset + at);
      const std::size_t begin = strings.sh_offset + entry.st_name;
      if (entry.st_name == 0 || begin >= bytes.size()) continue;
      Symbol symbol;
      symbol.name = bytes.substr(begin, bytes.find('\0', begin) - begin);
      symbol.demangled = demangle(symbol.name);
      symbol.defined = entry.st_shndx != SHN_UNDEF;
      symbol.global = ELF64_ST_BIND(entry.st_info) != STB_LOCAL;
      symbol.weak = ELF64_ST_BIND(entry.st_info) == STB_WEAK;
      symbol.function = ELF64_ST_TYPE(entry.st_info) == STT_FUNC;
      symbols.push_back(std::move(symbol));
    }
  }
  return symbols;
}

std::string base_name(const std::string& demangled) {
  std::string name = demangled;
  // "(anonymous namespace)::" has parentheses of its own.
  static constexpr std::string_view anonymous = "(anonymous namespace)::";
  const std::size_t prefix = name.find(anonymous);
  if (prefix != std::string::npos) name.erase(0, prefix + anonymous.size());
  name.erase(std::min(name.find('('), name.size()));
  name.erase(std::min(name.find('<'), name.size()));
  const std::size_t colons = name.rfind("::");
  if (colons != std::string::npos) name.erase(0, colons + 2);
  const std::size_t space = name.rfind(' ');
  if (space != std::string::npos) name.erase(0, space + 1);
  return name;
}

}  // namespace simt::compiler
