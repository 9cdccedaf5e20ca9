// A layer that is trained: on one device, or on several.
#pragma once

#include <vector>

#include "parameters.h"

namespace train {

class Layer {
 public:
  virtual ~Layer() = default;

  // Trains `steps` steps and returns their losses, [2*steps].
  virtual std::vector<float> train(int steps, float lr) = 0;
  // Each expert's share of the pairs, [E], as the parameters stand.
  virtual std::vector<float> load() = 0;
  virtual Parameters parameters() const = 0;
};

}  // namespace train
