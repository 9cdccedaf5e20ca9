#include "heap.h"

namespace simt {

RegisterSymbol::RegisterSymbol(const volatile void* address, size_t bytes, const ArrayShape& shape,
                               const char* name, SymbolKind kind)
    : address_(address) {
  heap::add_symbol(reinterpret_cast<std::uintptr_t>(address), bytes, shape, name, kind);
}

RegisterSymbol::~RegisterSymbol() {
  heap::remove_symbol(reinterpret_cast<std::uintptr_t>(address_));
}

}  // namespace simt
