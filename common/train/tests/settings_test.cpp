// What a resumed run may be told, and how long a part of a run is.
#include "settings.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "pace.h"

namespace {

std::string contradiction(const std::vector<std::string>& arguments,
                          const train::Settings& checkpoint) {
  try {
    train::check_same(train::parse_settings(arguments), checkpoint);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

// The steps of a part after so many parts of steps that take `seconds` each.
int steps_after(int parts, double seconds, int most) {
  train::Pace pace(most);
  for (int i = 0; i < parts; ++i) pace.took(train::Pace::Duration(seconds * pace.steps()));
  return pace.steps();
}

}  // namespace

TEST_CASE("an option that contradicts the checkpoint is refused with both values") {
  train::Settings checkpoint;
  checkpoint.config.T = 24;
  checkpoint.lr = 0.1f;
  checkpoint.seed = 18446744073709551615u;
  CHECK(contradiction({}, checkpoint).empty());
  CHECK(contradiction({"--tokens", "24", "--lr", "0.1", "--seed", "18446744073709551615", "--alpha",
                       "0.01", "--activation", "relu", "--steps", "9"},
                      checkpoint)
            .empty());
  const auto names_both = [&](const char* option, const char* given, const char* kept) {
    const std::string text = contradiction({option, given}, checkpoint);
    INFO(option, ": ", text);
    CHECK(text.find(std::string(option) + " " + given + " contradicts") != std::string::npos);
    CHECK(text.ends_with(std::string("begun with ") + kept));
  };
  names_both("--tokens", "25", "24");
  names_both("--width", "9", "8");
  names_both("--hidden", "9", "16");
  names_both("--experts", "9", "8");
  names_both("--top", "1", "2");
  names_both("--activation", "gelu", "relu");
  names_both("--alpha", "0.5", "0.01");
  names_both("--lr", "0.3", "0.1");
  names_both("--seed", "1", "18446744073709551615");
}

TEST_CASE("a part takes a quarter of a second, or one step where that is longer") {
  CHECK(train::Pace(100).steps() == 1);
  CHECK(steps_after(20, 1e-6, 100) == 100);
  CHECK(steps_after(20, 0.01, 100) == 25);
  CHECK(steps_after(20, 3, 100) == 1);
  CHECK(steps_after(20, 0, 100) == 100);
  CHECK(steps_after(3, 1e-6, 100) == 8);
  CHECK(steps_after(20, 1e-6, 0) == 1);
}
