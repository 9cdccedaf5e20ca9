// The text of progress.json: what it may hold (docs/progress.md), and what damage is.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace grade {

using ProgressJson = nlohmann::ordered_json;

// With "days" and "lessons", if only empty ones; unknown fields are kept. Throws std::runtime_error
// that says what is wrong with the text.
ProgressJson parse_progress(std::string_view text);

}  // namespace grade
