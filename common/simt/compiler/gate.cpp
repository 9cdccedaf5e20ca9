#include "gate.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "toolchain.h"

namespace simt::compiler {

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Is this about CUDA's own rules? About C++ g++ has the last word: clang may be the older of the
// two.
bool is_about_cuda(const Message& message) {
  if (!message.mismatch.empty()) return true;
  for (const std::string_view word :
       {"__host__", "__device__", "__global__", "__shared__", "__constant__", "__managed__",
        "kernel function", "kernel call", "global function", "execution configuration",
        "device code", "variable-length array", "variadic function", "hread-local storage"}) {
    if (contains(message.text, word)) return true;
  }
  return false;
}

// "no matching function for call to 'f'" hides the reason in its notes.
void explain_mismatch(Message& message) {
  if (message.mismatch.empty()) return;
  const std::size_t open = message.text.find('\'');
  const std::size_t close = message.text.rfind('\'');
  if (open == std::string::npos || close <= open) return;
  std::string name = message.text.substr(open + 1, close - open - 1);
  if (name == "thread_index" || name == "dimension")
    name = "threadIdx (or blockIdx, blockDim, gridDim)";
  if (name == "barrier") name = "__syncthreads";
  message.text = "'" + name + "' cannot be used here: " + message.mismatch;
  message.notes.clear();
}

}  // namespace

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
  // An error in a header: clang cannot read this system's headers, so what it says about the rest
  // is worth nothing. (Host code that device code reaches is another matter; clang does not always
  // say by which way it got there.)
  const bool lost = std::any_of(found.begin(), found.end(), [&](const Message& message) {
    return in_header(message) && message.text.find("__host__") == std::string::npos;
  });
  if (lost) return {};
  std::erase_if(found, in_header);
  for (Message& message : found) {
    explain_mismatch(message);
    if (contains(message.text, "variable-length array")) {
      message.text +=
          ": the size must be a constant expression (a parameter is none, nor is warpSize)";
    }
  }
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

void keep_cuda_rules(std::vector<Message>& objections) {
  std::erase_if(objections, [](const Message& message) { return !is_about_cuda(message); });
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
