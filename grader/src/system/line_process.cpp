#include "system/line_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace grade {
namespace {

using Clock = std::chrono::steady_clock;

// Waits until the channel is ready for `events`.
bool wait_for(int channel, short events, Clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waited{channel, events, 0};
    const int ready = poll(&waited, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

LineProcess::LineProcess(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const int failed =
      posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  channel_ = ends[0];
  if (failed != 0) {
    child_ = -1;
    end();
  }
}

LineProcess::~LineProcess() {
  end();
}

void LineProcess::end() {
  if (channel_ >= 0) close(channel_);
  channel_ = -1;
  if (child_ <= 0) return;
  kill(child_, SIGKILL);  // it only computes: nothing is lost
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

std::optional<std::string> LineProcess::ask(std::string_view line,
                                            std::chrono::milliseconds limit) {
  if (channel_ < 0) return std::nullopt;
  const auto deadline = Clock::now() + limit;
  std::string text(line);
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t sent = send(channel_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EINTR && (errno != EAGAIN || !wait_for(channel_, POLLOUT, deadline))) {
      end();
      return std::nullopt;
    }
  }
  std::array<char, 65536> buffer{};
  std::size_t searched = 0;
  while (true) {
    const std::size_t at = received_.find('\n', searched);
    if (at != std::string::npos) {
      std::string answer = received_.substr(0, at);
      received_.erase(0, at + 1);
      return answer;
    }
    searched = received_.size();
    const ssize_t got =
        wait_for(channel_, POLLIN, deadline) ? recv(channel_, buffer.data(), buffer.size(), 0) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      end();
      return std::nullopt;
    }
    received_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace grade
