// The symbols of an ELF object file.
#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

struct Symbol {
  std::string name;       // as the linker sees it
  std::string demangled;  // for people; equal to `name` when it is not mangled
  bool defined = false;
  bool global = false;  // or weak
  bool weak = false;
  bool function = false;
};

// Reads the symbol table of a relocatable object, or the dynamic one of a shared object. Throws
// std::runtime_error when the file is no 64-bit little-endian ELF file.
std::vector<Symbol> read_symbols(const std::string& path);

// The function's name without namespaces, template arguments and parameters.
std::string base_name(const std::string& demangled);

}  // namespace simt::compiler
