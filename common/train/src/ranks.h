// What a run of several ranks adds to one of a single process.
#pragma once

#include <memory>

#include "checkpoint.h"
#include "layer.h"
#include "parallel/group.h"
#include "rank_layer.h"
#include "settings.h"

namespace train {

// The layer that the settings ask for: on one device, or this rank's part.
struct ChosenLayer {
  std::unique_ptr<Layer> layer;
  RankLayer* part = nullptr;      // the same, where ranks exchange rows
  const char* exchange = "none";  // by which they do
};
// `task` and `parameters` are this rank's slices. Throws std::invalid_argument where there is no
// device for it, or no such way to the others.
ChosenLayer make_layer(const Settings& settings, const parallel::Group& group, const Task& task,
                       const Parameters& parameters);

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
