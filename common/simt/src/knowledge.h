// Order between threads that no barrier gives: a fence followed by an atomic (or a volatile store)
// publishes what came before at that address; an atomic (or a volatile load) there learns of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

struct ReleaseList;

// What a thread, or all threads of a block, learned: the first releases at some addresses.
struct Knowledge {
  struct Prefix {
    const ReleaseList* list;
    std::size_t length;
  };
  std::vector<Prefix> prefixes;

  void learn(const ReleaseList* list, std::size_t length) {
    for (Prefix& known : prefixes) {
      if (known.list != list) continue;
      if (known.length < length) known.length = length;
      return;
    }
    prefixes.push_back({list, length});
  }
  void learn(const Knowledge& other) {
    for (const Prefix& known : other.prefixes) learn(known.list, known.length);
  }
  bool empty() const { return prefixes.empty(); }
  void clear() { prefixes.clear(); }
};

}  // namespace simt
