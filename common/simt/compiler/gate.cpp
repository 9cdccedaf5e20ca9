#include "gate.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "toolchain.h"

namespace simt::compiler {

Gate::Gate(const Job& job) {
  if (!job.gate || job.product == Product::rewritten_source) return;
  const Arguments command = gate_command(job);
  if (command.empty()) return;
  try {
    clang_ = std::make_unique<Process>(command);
  } catch (const std::system_error&) {
    // No gate, then.
  }
}

std::vector<Message> Gate::objections(const TranslateOptions& options, bool unusual_launches) {
  if (clang_ == nullptr || unusual_launches) return {};
  const ProcessResult result = clang_->finish();
  clang_ = nullptr;
  if (result.status == 0) return {};
  std::vector<Message> found = parse_messages(result.errors, options);
  std::erase_if(found, [](const Message& message) {
    // nvcc takes `__shared__ alignas(16) float`, clang wants the attributes the other way round.
    return message.kind != MessageKind::error ||
           message.text == "an attribute list cannot appear here" ||
           message.text.starts_with("too many errors");
  });
  const auto in_header = [&](const Message& message) {
    return message.file.empty() || !options.is_own(message.file);
  };
  // An error in a header: clang cannot read this system's headers, so what it says about the rest is
  // worth nothing. (Host code that device code reaches is another matter; clang does not always say
  // by which way it got there.)
  const bool lost = std::any_of(found.begin(), found.end(), [&](const Message& message) {
    return in_header(message) && message.text.find("__host__") == std::string::npos;
  });
  if (lost) return {};
  std::erase_if(found, in_header);
  std::set<std::pair<std::string, int>> blamed;
  std::erase_if(found, [&](Message& message) {
    if (!message.from_library) return false;
    message.text =
        "this uses code of the C++ library that runs on the host alone; device code "
        "cannot call it (" +
        message.text + ")";
    return !blamed.emplace(message.file, message.line).second;
  });
  return found;
}

void prefer_objections(std::vector<Message>& errors, const std::vector<Message>& objections) {
  for (const Message& objection : objections) {
    for (Message& error : errors) {
      if (error.kind == MessageKind::error && error.from_library && error.file == objection.file &&
          error.line == objection.line) {
        error = objection;
        break;
      }
    }
  }
}

}  // namespace simt::compiler
