#include "train/training_json.h"

#include <nlohmann/json.hpp>

namespace grade {
namespace {

nlohmann::json object_of(const Training& training, const char* kernels) {
  return {{"status", training.status},
          {"message", training.message},
          {"kernels", kernels},
          {"tokens", training.tokens},
          {"width", training.width},
          {"hidden", training.hidden},
          {"experts", training.experts},
          {"top", training.top},
          {"activation", training.activation},
          {"alpha", training.alpha},
          {"lr", training.lr},
          {"seed", training.seed},
          {"steps", training.steps},
          {"first_step", training.first_step},
          {"ranks", training.ranks},
          {"exchange", training.exchange},
          {"mse", training.mse},
          {"aux", training.aux},
          {"load_before", training.load_before},
          {"load_after", training.load_after}};
}

}  // namespace

std::string training_json(const Training& training, const char* kernels,
                          const Training* reference) {
  nlohmann::json object = object_of(training, kernels);
  if (reference != nullptr) object["reference"] = object_of(*reference, "reference");
  return object.dump();
}

}  // namespace grade
