// What a run of several ranks adds to one of a single process.
#pragma once

#include <memory>

#include "checkpoint.h"
#include "layer.h"
#include "parallel/group.h"
#include "parallel/transport.h"
#include "settings.h"

namespace train {

// Takes this rank's device and the way to the others that the settings ask for. Throws
// std::invalid_argument where there is none.
std::unique_ptr<parallel::Transport> connect(const Settings& settings,
                                             const parallel::Group& group);

// Throws std::invalid_argument unless all ranks are to train the same, from the same parameters.
void check_agreement(const parallel::Group& group, const Settings& settings,
                     const Checkpoint& start);

// What is done before the ranks speak to each other again: rank 0 says how many steps and whether a
// checkpoint comes first; any may stop.
struct Plan {
  int steps = 0;
  bool keep = false;
  bool stop = false;
};
Plan agree(const parallel::Group& group, const Plan& mine);

}  // namespace train
