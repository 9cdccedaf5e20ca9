#include "classroom/hidden_seed.h"

#include <fmt/core.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "cli/error.h"
#include "system/files.h"

namespace grade::classroom {
namespace {

bool is_number(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string content_of(const std::string& file) {
  std::optional<std::string> secret = read_file_if_there(file);
  if (!secret) {
    throw Error(Exit::usage, fmt::format("there is no file {} with a hidden seed", file),
                "--hidden-seed takes a number, or the path of a file that holds a secret: `head -c "
                "16 /dev/urandom >FILE` makes one.");
  }
  while (!secret->empty() && std::isspace(static_cast<unsigned char>(secret->back())) != 0) {
    secret->pop_back();
  }
  if (secret->empty()) {
    throw Error(Exit::usage, fmt::format("the file {} with the hidden seed is empty", file));
  }
  return *secret;
}

}  // namespace

std::optional<HiddenSeed> HiddenSeed::find(const std::string& given) {
  std::string secret;
  if (char* const variable = std::getenv("GRADE_HIDDEN_SEED"); variable != nullptr) {
    secret = variable;
    // Here lies what /proc shows as this process's environment.
    std::fill_n(variable, secret.size(), '\0');
    unsetenv("GRADE_HIDDEN_SEED");
  }
  if (!given.empty()) secret = is_number(given) ? given : content_of(given);
  if (secret.empty()) return std::nullopt;
  // This process's memory no other process of the same user may read, unless it is root's.
  prctl(PR_SET_DUMPABLE, 0);
  return HiddenSeed(secret);
}

std::uint64_t HiddenSeed::of(const Lesson& lesson) const {
  return std::stoull(content_hash(secret_ + '\n' + lesson.slug).substr(0, 16), nullptr, 16);
}

}  // namespace grade::classroom
