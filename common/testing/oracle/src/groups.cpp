#include "groups.h"

#include <stdexcept>

#include "sizes.h"

namespace oracle {

std::vector<Group> groups(const std::vector<int>& offsets, int P, int E) {
  require_size(offsets.size(), to_size(E) + 1, "offsets");
  std::vector<Group> out;
  for (std::size_t e = 0; e + 1 < offsets.size(); ++e) {
    if (offsets[e + 1] < offsets[e]) throw std::invalid_argument("oracle: offsets fall");
    out.push_back({to_size(offsets[e]), to_size(offsets[e + 1] - offsets[e])});
  }
  if (offsets.front() != 0 || offsets.back() != P) {
    throw std::invalid_argument("oracle: offsets do not span the rows");
  }
  return out;
}

}  // namespace oracle
