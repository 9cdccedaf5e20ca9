// The layer in device memory: parameters, gradients, workspace, data.
#pragma once

#include <vector>

#include "layer.h"
#include "layer_arrays.h"
#include "moe/types.h"
#include "parameters.h"
#include "task.h"

namespace train {

class DeviceLayer final : public Layer, LayerArrays {
 public:
  DeviceLayer(const MoeConfig& config, const Task& task, const Parameters& parameters);
  DeviceLayer(const DeviceLayer&) = delete;
  DeviceLayer& operator=(const DeviceLayer&) = delete;

  std::vector<float> train(int steps, float lr) override;
  std::vector<float> load() override;
  Parameters parameters() const override;
  // Of the last step's loss, as train() left them.
  Parameters gradients() const;
  std::vector<float> input_gradient() const;  // [T,D]

 private:
  Parameters download(const MoeParams& arrays) const;
};

}  // namespace train
