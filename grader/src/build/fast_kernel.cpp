#include "build/fast_kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/error.h"
#include "system/files.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

void add_parts(const Paths& paths, const std::string& lesson, Backend backend,
               std::vector<std::string>& parts) {
  for (const std::string& call : fast_kernel(paths, lesson).calls) {
    const FastKernel called = fast_kernel(paths, call);
    const bool here = called.exists && (backend == Backend::cuda || called.needs_gpu.empty());
    if (!here || std::find(parts.begin(), parts.end(), call) != parts.end()) continue;
    parts.push_back(call);
    add_parts(paths, call, backend, parts);
  }
}

bool has_number(const fs::path& folder, std::string_view number) {
  std::error_code none;
  const fs::directory_iterator entries(folder, none);
  return std::any_of(begin(entries), end(entries), [&](const auto& entry) {
    return entry.path().filename().string().starts_with(number);
  });
}

// What is wrong with a name in `// calls:`; cmake/Lessons.cmake has the same rules.
std::string fault(const Paths& paths, const std::string& lesson, const std::string& call,
                  const std::vector<std::string>& before) {
  static const std::regex kName("[0-9]{3}_[a-z0-9_]+");
  if (!std::regex_match(call, kName)) return "is no NNN_slug";
  if (call == lesson) return "is the lesson itself";
  if (std::find(before.begin(), before.end(), call) != before.end()) return "is there twice";
  if (call > lesson) return "comes after this lesson";
  const fs::path kernel = paths.solutions() / call / "kernel.cu";
  const std::string number = call.substr(0, 4);
  // A copy of the workbook may have some of its lessons only.
  if (fs::exists(kernel) ||
      (!has_number(paths.lessons(), number) && !has_number(paths.solutions(), number))) {
    return {};
  }
  return fmt::format("has no solutions/{}/kernel.cu", call);
}

}  // namespace

FastKernel fast_kernel(const Paths& paths, const std::string& lesson) {
  static constexpr std::string_view kNeedsGpu = "// needs-gpu: ", kCalls = "// calls:";
  FastKernel kernel;
  kernel.file = paths.solutions() / lesson / "fast.cu";
  const auto text = read_file_if_there(kernel.file);
  kernel.exists = text.has_value();
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    if (line.starts_with(kNeedsGpu)) kernel.needs_gpu = line.substr(kNeedsGpu.size());
    if (line.starts_with(kCalls)) {
      std::istringstream words(line.substr(kCalls.size()));
      for (std::string call; words >> call; kernel.calls.push_back(call)) {
        const std::string wrong = fault(paths, lesson, call, kernel.calls);
        if (wrong.empty()) continue;
        throw Error(
            Exit::unavailable,
            fmt::format("solutions/{}/fast.cu: in `// calls:`, '{}' {}", lesson, call, wrong),
            "Expected are earlier lessons, NNN_slug, each once, with spaces between.");
      }
    }
  }
  return kernel;
}

std::vector<std::string> fast_parts(const Paths& paths, const std::string& lesson,
                                    Backend backend) {
  std::vector<std::string> parts;
  add_parts(paths, lesson, backend, parts);
  return parts;
}

}  // namespace grade
