// Order between threads that no barrier gives: a fence followed by an atomic (or a volatile store)
// publishes what came before at that address; an atomic (or a volatile load) there learns of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace simt {

struct ReleaseList;

// What a thread, or all threads of a block, learned: the first releases at some addresses, and with
// them all that those who released knew.
struct Knowledge {
  struct Prefix {
    const ReleaseList* list;
    std::size_t length;
  };
  std::vector<Prefix> prefixes;  // by list

  std::size_t length_of(const ReleaseList* list) const {
    const auto place = find(list);
    return place != prefixes.end() && place->list == list ? place->length : 0;
  }
  void learn(const ReleaseList* list, std::size_t length) {
    const auto place = prefixes.begin() + (find(list) - prefixes.begin());
    if (place != prefixes.end() && place->list == list) {
      place->length = std::max(place->length, length);
    } else {
      prefixes.insert(place, {list, length});
    }
  }
  void learn(const Knowledge& other) {
    std::vector<Prefix> both;
    both.reserve(prefixes.size() + other.prefixes.size());
    std::merge(prefixes.begin(), prefixes.end(), other.prefixes.begin(), other.prefixes.end(),
               std::back_inserter(both), before);
    prefixes.clear();
    for (const Prefix& each : both) {
      if (!prefixes.empty() && prefixes.back().list == each.list) {
        prefixes.back().length = std::max(prefixes.back().length, each.length);
      } else {
        prefixes.push_back(each);
      }
    }
  }
  void forget(const ReleaseList* list) {
    const auto place = find(list);
    if (place != prefixes.end() && place->list == list) prefixes.erase(place);
  }
  bool empty() const { return prefixes.empty(); }
  void clear() { prefixes.clear(); }

 private:
  static bool before(const Prefix& a, const Prefix& b) {
    return std::less<const ReleaseList*>()(a.list, b.list);
  }
  std::vector<Prefix>::const_iterator find(const ReleaseList* list) const {
    return std::lower_bound(prefixes.begin(), prefixes.end(), Prefix{list, 0}, before);
  }
};

}  // namespace simt
