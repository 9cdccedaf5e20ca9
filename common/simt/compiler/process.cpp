#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace simt::compiler {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    read = ends[0];
    write = ends[1];
  }
};

void close_end(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Messages are read by this program: no translation, no colour.
std::vector<std::string> plain_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LC_ALL=") || text.starts_with("LANGUAGE=") ||
        text.starts_with("GCC_COLORS=")) {
      continue;
    }
    environment.emplace_back(text);
  }
  environment.emplace_back("LC_ALL=C");
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::string& folder) {
  signal(SIGPIPE, SIG_IGN);  // a child may end before it has read its input
  signal(SIGCHLD, SIG_DFL);  // ignored, how it ended would be forgotten
  Pipe in;
  Pipe out;
  Pipe err;
  std::vector<std::string> words = arguments;
  std::vector<std::string> environment = plain_environment();
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failure = posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in.read);
  ::close(out.write);
  ::close(err.write);
  input_ = in.write;
  output_ = out.read;
  errors_ = err.read;
  if (failure != 0) {
    close_all();
    pid_ = -1;
    throw std::system_error(failure, std::generic_category(), arguments[0]);
  }
}

Process::~Process() {
  stop();
  close_all();
}

void Process::close_all() {
  close_end(input_);
  close_end(output_);
  close_end(errors_);
}

void Process::stop() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

ProcessResult Process::finish(const std::string& input) {
  ProcessResult result;
  std::size_t written = 0;
  if (input.empty()) {
    close_end(input_);
  } else {
    fcntl(input_, F_SETFL, O_NONBLOCK);
  }
  std::array<char, 65536> buffer;
  auto drain = [&](int& descriptor, std::string& text) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      close_end(descriptor);
    }
  };
  while (input_ >= 0 || output_ >= 0 || errors_ >= 0) {
    std::array<pollfd, 3> waits = {pollfd{input_, POLLOUT, 0}, pollfd{output_, POLLIN, 0},
                                   pollfd{errors_, POLLIN, 0}};
    if (poll(waits.data(), waits.size(), -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (input_ >= 0 && waits[0].revents != 0) {
      const ssize_t count = ::write(input_, input.data() + written, input.size() - written);
      if (count > 0) written += static_cast<std::size_t>(count);
      const bool failed = count < 0 && errno != EAGAIN && errno != EINTR;
      if (failed || written == input.size()) close_end(input_);
    }
    if (output_ >= 0 && waits[1].revents != 0) drain(output_, result.output);
    if (errors_ >= 0 && waits[2].revents != 0) drain(errors_, result.errors);
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace simt::compiler
