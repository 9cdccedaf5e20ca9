#include "build/fast_kernel.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "system/files.h"

namespace grade {
namespace {

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

}  // namespace

FastKernel fast_kernel(const Paths& paths, const std::string& lesson) {
  static constexpr std::string_view kNeedsGpu = "// needs-gpu: ", kCalls = "// calls: ";
  FastKernel kernel;
  kernel.file = paths.solutions() / lesson / "fast.cu";
  const auto text = read_file_if_there(kernel.file);
  kernel.exists = text.has_value();
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    if (line.starts_with(kNeedsGpu)) kernel.needs_gpu = line.substr(kNeedsGpu.size());
    if (line.starts_with(kCalls)) {
      std::istringstream words(line.substr(kCalls.size()));
      kernel.calls.insert(kernel.calls.end(), std::istream_iterator<std::string>(words), {});
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
