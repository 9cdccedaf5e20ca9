// The rows of each expert.
#pragma once

#include <cstddef>
#include <vector>

namespace oracle {

struct Group {
  std::size_t first;  // row
  std::size_t count;  // rows
};

// One group an expert; throws unless offsets rises from 0 to P in E steps.
std::vector<Group> groups(const std::vector<int>& offsets, int P, int E);

}  // namespace oracle
