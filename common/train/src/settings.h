// What a run of the trainer is told on its command line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "moe/types.h"

namespace train {

struct Settings {
  MoeConfig config{256, 8, 16, 8, 2, Activation::relu, 0.01f};
  float lr = 0.3f;
  int steps = 300;  // in all, those of a resumed checkpoint included
  std::uint64_t seed = 1;
  int report_every = 100;            // at most so many steps between two lines of losses
  std::vector<std::string> objects;  // kernel objects, callees first
  std::string checkpoint;            // where to keep it; empty: nowhere
  std::string resume;                // a checkpoint to go on from; it brings its own sizes and seed
  int ranks = 1;                     // to be started on this host
  bool world = false;                // this is one of those that a launcher started
  // One rank alone exchanges nothing, unless it is told how.
  enum class Exchange { best, nccl, sockets } exchange = Exchange::best;
  int bench = 0;                // time so many steps, and train nothing
  std::set<std::string> given;  // the options named, "--width"
};

// With `resume`: what was given must be what the checkpoint has. Throws std::invalid_argument that
// names both values.
void check_same(const Settings& given, const Settings& checkpoint);

// Throws std::invalid_argument that names the option.
Settings parse_settings(const std::vector<std::string>& arguments);

}  // namespace train
