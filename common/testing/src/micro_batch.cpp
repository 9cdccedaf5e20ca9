#include "testing/micro_batch.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "micro_batch_data.h"

namespace testing::micro_batch {
namespace {

const nlohmann::json& entry(std::initializer_list<std::string_view> path) {
  static const nlohmann::json root = nlohmann::json::parse(json);
  const nlohmann::json* at = &root;
  for (const std::string_view key : path) {
    const auto found = at->find(std::string(key));
    if (found == at->end()) {
      throw std::runtime_error("lessons/micro_batch.json has no \"" + std::string(key) + "\"");
    }
    at = &*found;
  }
  return *at;
}

}  // namespace

int example_int(std::string_view lesson, std::string_view name) {
  return entry({"examples", lesson, name}).get<int>();
}

std::vector<float> example(std::string_view lesson, std::string_view name) {
  return entry({"examples", lesson, name}).get<std::vector<float>>();
}

std::vector<float> floats(std::string_view array) {
  return entry({"arrays", array, "values"}).get<std::vector<float>>();
}

std::vector<int> ints(std::string_view array) {
  return entry({"arrays", array, "values"}).get<std::vector<int>>();
}

double scalar(std::string_view name) {
  return entry({"scalars", name}).get<double>();
}

}  // namespace testing::micro_batch
