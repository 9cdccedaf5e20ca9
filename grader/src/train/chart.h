// A training run in the terminal: its loss curve and the experts' load.
#pragma once

#include <string>
#include <vector>

#include "terminal/terminal.h"
#include "train/training.h"

namespace grade {

// The mean squared error over the steps, on a logarithmic scale; lines of at most `columns`. With
// `reference`, its curve lies beneath.
std::vector<std::string> loss_chart(const Training& training, const Training* reference,
                                    int columns, const terminal::Terminal& out);

// A bar for each expert before and after; of many experts the busiest and the idlest.
std::vector<std::string> load_chart(const Training& training, int columns,
                                    const terminal::Terminal& out);

}  // namespace grade
