#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "figure.h"

namespace figures {

MicroBatch MicroBatch::read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  const nlohmann::json file = nlohmann::json::parse(in);

  MicroBatch batch;
  for (const auto& [name, array] : file.at("arrays").items())
    batch.values_[name] = array.at("values").get<std::vector<double>>();
  for (const auto& [lesson, example] : file.at("examples").items()) {
    for (const auto& [name, value] : example.items()) {
      auto& values = batch.values_[lesson + "/" + name];
      if (value.is_array())
        values = value.get<std::vector<double>>();
      else
        values = {value.get<double>()};
    }
  }
  return batch;
}

const std::vector<double>& MicroBatch::array(const std::string& name) const {
  return values_.at(name);
}

std::size_t MicroBatch::size(const std::string& lesson, const std::string& name) const {
  return static_cast<std::size_t>(example(lesson, name).at(0));
}

const std::vector<double>& MicroBatch::example(const std::string& lesson,
                                               const std::string& name) const {
  return values_.at(lesson + "/" + name);
}

}  // namespace figures
