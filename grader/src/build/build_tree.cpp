#include "build/build_tree.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "cli/error.h"
#include "sandbox/sandbox.h"
#include "system/files.h"
#include "system/process.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

constexpr const char* mend = "Run tools/setup, or ./grade doctor, which names what is missing.";

// Held while a build runs in one tree; tools/setup takes the same lock.
class BuildLock {
 public:
  BuildLock(const fs::path& folder, const std::atomic<bool>* cancelled) {
    fs::create_directories(folder);
    fd_ = open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) {
      throw Error(Exit::unavailable, fmt::format("cannot write in {}", folder.string()),
                  "The workbook needs to write in its own folder.");
    }
    if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    terminal::StatusLine status;
    for (int tries = 0; flock(fd_, LOCK_EX | LOCK_NB) != 0; ++tries) {
      if (errno != EWOULDBLOCK && errno != EINTR) break;  // a network disk without locks
      if (cancelled != nullptr && *cancelled) {
        close(fd_);
        throw Cancelled();
      }
      if (tries == 0) {
        status.announce(fmt::format("waiting for another build in {} to end …",
                                    terminal::printable(folder.string())));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  ~BuildLock() { close(fd_); }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int fd_;
};

std::string last_lines(const std::string& text, int count) {
  std::size_t at = text.size();
  while (count-- > 0 && at > 0) {
    const std::size_t before = text.rfind('\n', at - 1);
    if (before == std::string::npos) return text;
    at = before;
  }
  return text.substr(at == 0 ? 0 : at + 1);
}

// A clock that was set back leaves files from the future. Where the configuration depends on one,
// ninja would repeat it a hundred times and give up. Such a file becomes as new as it can be.
void mend_times(const fs::path& manifest) {
  static constexpr std::string_view kRule = "\nbuild build.ninja:";
  const auto text = read_file_if_there(manifest);
  std::size_t at = text ? text->find(kRule) : std::string::npos;
  if (at == std::string::npos) return;
  at += kRule.size();
  const auto now = fs::file_time_type::clock::now();
  std::string word;
  for (; at < text->size(); ++at) {
    const char c = (*text)[at];
    if (c != ' ' && c != '\n') {
      if (c == '$' && at + 1 < text->size()) ++at;  // ninja's escape
      word += (*text)[at];
      continue;
    }
    std::error_code error;
    const auto time = fs::last_write_time(word, error);
    if (!error && time > now + std::chrono::seconds(1)) fs::last_write_time(word, now, error);
    word.clear();
    if (c == '\n') break;
  }
}

// Shows ninja's "[12/80] ..." as a bar.
class NinjaProgress {
 public:
  explicit NinjaProgress(std::string what) : what_(std::move(what)) {}

  void operator()(std::string_view text) {
    for (const char c : text) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      std::size_t done = 0;
      std::size_t of = 0;
      if (std::sscanf(line_.c_str(), "[%zu/%zu]", &done, &of) == 2) status_.show(what_, done, of);
      line_.clear();
    }
  }

 private:
  std::string what_;
  std::string line_;
  terminal::StatusLine status_;
};

sandbox::Command trusted(const std::string& program, std::vector<std::string> arguments,
                         const fs::path& folder) {
  sandbox::Command command;
  command.program = find_program(program);
  if (command.program.empty()) {
    throw Error(Exit::unavailable, fmt::format("{} is not on this machine", program), mend);
  }
  command.arguments = std::move(arguments);
  command.environment = own_environment();
  command.environment.push_back("NINJA_STATUS=[%f/%t] ");
  command.folder = folder;
  command.grace = std::chrono::seconds(2);
  command.limits.timeout = {};
  command.limits.memory = 0;
  command.limits.file_size = 0;
  command.limits.output = std::size_t{16} << 20;
  return command;
}

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) variables.emplace_back(*each);
  return variables;
}

BuildTree::BuildTree(const Paths& paths, Backend backend)
    : paths_(paths), backend_(backend), folder_(paths.root / "build" / name(backend)) {}

fs::path BuildTree::grader(const std::string& lesson) const {
  return folder_ / "graders" / ("grader_" + lesson);
}

fs::path BuildTree::reference(const std::string& lesson) const {
  return folder_ / "kernels" / ("reference_" + lesson + ".so");
}

fs::path BuildTree::fast(const std::string& lesson) const {
  return folder_ / "kernels" / ("fast_" + lesson + ".so");
}

fs::path BuildTree::fast_part(const std::string& lesson) const {
  return folder_ / "kernels" / ("fast_" + lesson + ".o");
}

fs::path BuildTree::kernel_compiler() const {
  return paths_.root / "build" / "cpu" / "bin" / "simt-cc";
}

fs::path BuildTree::runtime() const {
  return backend_ == Backend::cpu ? folder_ / "lib" / "libsimt.so" : fs::path();
}

void BuildTree::configure(const std::atomic<bool>* cancelled) {
  terminal::StatusLine status;
  status.show(fmt::format("configuring the {} build …", name(backend_)));
  sandbox::Command command = trusted("cmake", {"-S", ".", "--preset", name(backend_)}, paths_.root);
  command.cancelled = cancelled;
  const sandbox::Outcome outcome = sandbox::run(command);
  status.clear();
  if (outcome.ending == sandbox::Ending::cancelled) throw Cancelled();
  if (outcome.ending == sandbox::Ending::exited && outcome.code == 0) return;
  throw Error(Exit::unavailable,
              fmt::format("the {} build cannot be configured:\n{}", name(backend_),
                          terminal::printable(last_lines(outcome.output + outcome.detail, 30))),
              way_out());
}

std::string BuildTree::way_out() const {
  if (backend_ == Backend::cpu) return mend;
  return "The CUDA toolkit of this machine does not work; --backend cpu grades without the GPU.";
}

bool BuildTree::build(const std::vector<std::string>& targets, std::string& output,
                      const std::atomic<bool>* cancelled) {
  std::vector<std::string> arguments{"-C", folder_.string()};
  arguments.insert(arguments.end(), targets.begin(), targets.end());
  sandbox::Command command = trusted("ninja", std::move(arguments), paths_.root);
  NinjaProgress progress("building the workbook's own code");
  command.on_output = [&](std::string_view text) { progress(text); };
  command.cancelled = cancelled;
  const sandbox::Outcome outcome = sandbox::run(command);
  if (outcome.ending == sandbox::Ending::cancelled) throw Cancelled();
  output = outcome.output + outcome.detail;
  return outcome.ending == sandbox::Ending::exited && outcome.code == 0;
}

void BuildTree::ensure(const std::vector<std::string>& targets,
                       const std::atomic<bool>* cancelled) {
  const BuildLock lock(folder_, cancelled);
  if (!fs::exists(folder_ / "build.ninja")) configure(cancelled);
  mend_times(folder_ / "build.ninja");
  std::string output;
  if (build(targets, output, cancelled)) return;
  if (output.find("unknown target") != std::string::npos) {  // a lesson added since
    configure(cancelled);
    if (build(targets, output, cancelled)) return;
  }
  throw Error(Exit::unavailable,
              fmt::format("the workbook's own code does not build (this is not your kernel):\n{}",
                          terminal::printable(last_lines(output, 30))),
              way_out());
}

}  // namespace grade
