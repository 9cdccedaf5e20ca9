// The kernel objects that make up the layer.
#pragma once

#include <string>
#include <vector>

namespace train {

// Opens them for good, callees first. Throws std::runtime_error for one that cannot be loaded,
// std::invalid_argument when none defines train_loop.
void open_objects(const std::vector<std::string>& objects);

}  // namespace train
