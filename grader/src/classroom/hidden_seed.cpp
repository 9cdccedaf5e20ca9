#include "classroom/hidden_seed.h"

#include <fmt/core.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "cli/error.h"
#include "system/files.h"

namespace grade::classroom {

std::optional<HiddenSeed> HiddenSeed::find(const std::string& given) {
  std::string text = given;
  if (const char* variable = std::getenv("GRADE_HIDDEN_SEED"); text.empty() && variable) {
    text = variable;
  }
  unsetenv("GRADE_HIDDEN_SEED");
  if (text.empty()) return std::nullopt;
  // What is left of it in this process's first environment, and the memory, no other process of the
  // same user may read (root may).
  prctl(PR_SET_DUMPABLE, 0);
  const bool number =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number) return HiddenSeed(text);
  const auto content = read_file_if_there(text);
  if (!content) {
    throw Error(Exit::usage, fmt::format("there is no file {} with a hidden seed", text),
                "--hidden-seed takes a number, or the path of a file that holds a secret: `head -c "
                "16 /dev/urandom >FILE` makes one.");
  }
  std::string secret = *content;
  while (!secret.empty() && std::isspace(static_cast<unsigned char>(secret.back())) != 0) {
    secret.pop_back();
  }
  if (secret.empty()) {
    throw Error(Exit::usage, fmt::format("the file {} with the hidden seed is empty", text));
  }
  return HiddenSeed(secret);
}

std::uint64_t HiddenSeed::of(const Lesson& lesson) const {
  return std::stoull(content_hash(secret_ + '\n' + lesson.slug).substr(0, 16), nullptr, 16);
}

}  // namespace grade::classroom
