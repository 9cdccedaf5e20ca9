// Reads typed fields of a JSON object; what is wrong is reported with the file and the field.
#pragma once

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/error.h"

namespace grade {

class Fields {
 public:
  // `where` names the object inside the file ("quiz[1]"); empty for the file's own object.
  // `object` must outlive this.
  Fields(const nlohmann::json& object, std::string file, std::string where = {})
      : object_(object), file_(std::move(file)), where_(std::move(where)) {
    if (!object_.is_object()) {
      throw Error(Exit::unavailable,
                  fmt::format("{}: {} should be a JSON object", file_,
                              where_.empty() ? "the data" : "field \"" + where_ + "\""),
                  repair);
    }
  }

  static constexpr const char* repair =
      "This file belongs to the workbook. Put it back (git checkout -- FILE), or mend the field.";

  bool has(const char* name) const { return object_.contains(name); }

  template <class T>
  T get(const char* name) const {
    const auto field = object_.find(name);
    if (field == object_.end()) fail(name, "is missing");
    return convert<T>(*field, name);
  }

  template <class T>
  T get(const char* name, T otherwise) const {
    const auto field = object_.find(name);
    return field == object_.end() ? std::move(otherwise) : convert<T>(*field, name);
  }

  const nlohmann::json& list(const char* name) const {
    const auto field = object_.find(name);
    if (field == object_.end()) fail(name, "is missing");
    if (!field->is_array()) fail(name, "should be a list");
    return *field;
  }

  // The object in entry `index` of list `name`.
  Fields entry(const char* name, const nlohmann::json& value, std::size_t index) const {
    return {value, file_, full_name(fmt::format("{}[{}]", name, index).c_str())};
  }

  Fields object(const char* name) const {
    const auto field = object_.find(name);
    if (field == object_.end()) fail(name, "is missing");
    return {*field, file_, full_name(name)};
  }

  const nlohmann::json& value(const char* name) const {
    const auto field = object_.find(name);
    if (field == object_.end()) fail(name, "is missing");
    return *field;
  }

  [[noreturn]] void fail(const char* name, const std::string& problem) const {
    throw Error(Exit::unavailable,
                fmt::format("{}: field \"{}\" {}", file_, full_name(name), problem), repair);
  }

 private:
  std::string full_name(const char* name) const {
    return where_.empty() ? std::string(name) : where_ + "." + name;
  }

  template <class T>
  T convert(const nlohmann::json& value, const char* name) const {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!value.is_string()) fail(name, "should be a string");
    } else if constexpr (std::is_same_v<T, int>) {
      if (!value.is_number_integer()) fail(name, "should be a whole number");
    } else if constexpr (std::is_same_v<T, double>) {
      if (!value.is_number()) fail(name, "should be a number");
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      if (!value.is_array()) fail(name, "should be a list of strings");
      for (const auto& each : value) {
        if (!each.is_string()) fail(name, "should be a list of strings");
      }
    } else if constexpr (std::is_same_v<T, std::vector<int>>) {
      if (!value.is_array()) fail(name, "should be a list of whole numbers");
      for (const auto& each : value) {
        if (!each.is_number_integer()) fail(name, "should be a list of whole numbers");
      }
    }
    return value.get<T>();
  }

  const nlohmann::json& object_;
  std::string file_;
  std::string where_;
};

// Parses `text`; a syntax error names the file and the line (the text's first line is
// `first_line`).
nlohmann::json parse_json(const std::string& text, const std::string& file, int first_line);

}  // namespace grade
