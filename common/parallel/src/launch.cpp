#include "parallel/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

namespace parallel {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace(2);
constexpr int kLook = 10;                   // milliseconds between two looks at who has ended
constexpr std::size_t kLongestLine = 4096;  // kept of what a rank writes

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

struct Child {
  pid_t pid = -1;
  int errors = -1;  // the reading end of its standard error
  bool running = true;
  std::string line;  // what it writes, up to the next line's end
};

// Ends what runs, however the launcher leaves.
struct Children : std::vector<Child> {
  using std::vector<Child>::vector;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const Child& child : *this) {
      if (child.errors >= 0) close(child.errors);
      if (child.pid < 0 || !child.running) continue;
      kill(child.pid, SIGKILL);
      waitpid(child.pid, nullptr, 0);
    }
  }
};

// sockets[a][b]: rank a's end of the pair between a and b.
using Mesh = std::vector<std::vector<int>>;

Mesh make_mesh(std::size_t count) {
  Mesh mesh(count, std::vector<int>(count, -1));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      int ends[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
      mesh[a][b] = ends[0];
      mesh[b][a] = ends[1];
    }
  }
  return mesh;
}

// Without the others' ends closed, nobody would see a rank end.
void close_others(const Mesh& mesh, std::size_t keep) {
  for (std::size_t rank = 0; rank < mesh.size(); ++rank) {
    if (rank == keep) continue;
    for (const int socket : mesh[rank]) {
      if (socket >= 0) close(socket);
    }
  }
}

void keep_line(Child& child, Ended& ended, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      if (!child.line.empty()) ended.last = child.line;
      child.line.clear();
    } else if (child.line.size() < kLongestLine) {
      child.line += c;
    }
  }
}

// Passes on what has come; closes at the end.
void pass_errors(Child& child, Ended& ended) {
  char buffer[4096];
  const ssize_t got = read(child.errors, buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    close(child.errors);
    child.errors = -1;
    return;
  }
  const std::string_view text(buffer, static_cast<std::size_t>(got));
  keep_line(child, ended, text);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void start(Child& child, const Mesh& mesh, int rank, const std::function<int(Group)>& body) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) fail("pipe");
  const pid_t parent = getpid();
  child.pid = fork();
  if (child.pid < 0) fail("starting a rank");
  if (child.pid > 0) {
    close(pipe_ends[1]);
    child.errors = pipe_ends[0];
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kPeerGone);
  dup2(pipe_ends[1], STDERR_FILENO);
  const auto own = static_cast<std::size_t>(rank);
  close_others(mesh, own);
  int code = EXIT_FAILURE;
  try {
    code = body(Group(rank, rank, mesh[own]));
  } catch (const PeerGone&) {
    code = kPeerGone;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

std::vector<Ended> run_ranks(int count, const std::function<int(Group)>& body,
                             const std::function<bool()>& stop) {
  const auto size = static_cast<std::size_t>(count);
  std::fflush(nullptr);  // or every rank would write what is still in a buffer
  // Where whoever started this process ignores it, the system forgets how a child ended.
  signal(SIGCHLD, SIG_DFL);
  const Mesh mesh = make_mesh(size);
  Children children(size);
  std::vector<Ended> ended(size);
  for (int rank = 0; rank < count; ++rank) {
    start(children[static_cast<std::size_t>(rank)], mesh, rank, body);
  }
  close_others(mesh, size);

  std::size_t running = size;
  bool asked = false;
  bool killed = false;  // by this function, all that still ran
  std::optional<Clock::time_point> failed;
  const auto signal_all = [&](int number) {
    for (const Child& child : children) {
      if (child.running) kill(child.pid, number);
    }
  };
  while (running > 0) {
    std::vector<pollfd> watched;
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < size; ++rank) {
      if (children[rank].errors < 0) continue;
      watched.push_back({children[rank].errors, POLLIN, 0});
      ranks.push_back(rank);
    }
    poll(watched.data(), watched.size(), kLook);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].revents != 0) pass_errors(children[ranks[i]], ended[ranks[i]]);
    }
    for (std::size_t rank = 0; rank < size; ++rank) {
      Child& child = children[rank];
      int status = 0;
      if (!child.running || waitpid(child.pid, &status, WNOHANG) != child.pid) continue;
      child.running = false;
      --running;
      if (child.errors >= 0) {
        fcntl(child.errors, F_SETFL, O_NONBLOCK);
        pollfd rest{child.errors, POLLIN, 0};
        while (child.errors >= 0 && poll(&rest, 1, 0) > 0) pass_errors(child, ended[rank]);
      }
      if (!child.line.empty()) ended[rank].last = child.line;
      if (WIFSIGNALED(status)) {
        ended[rank].signal = WTERMSIG(status);
        ended[rank].cut = killed && ended[rank].signal == SIGKILL;
      } else {
        ended[rank].code = WEXITSTATUS(status);
      }
      if (status != 0 && !failed) failed = Clock::now();
    }
    if (failed && Clock::now() - *failed > kGrace) {
      signal_all(SIGKILL);
      killed = true;
    }
    if (!asked && stop && stop()) {
      signal_all(SIGTERM);
      asked = true;
    }
  }
  return ended;
}

int first_failure(const std::vector<Ended>& ranks) {
  int other = -1;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Ended& ended = ranks[rank];
    if (ended.signal == 0 && ended.code == 0) continue;
    const bool own = !ended.cut && (ended.signal != 0 || ended.code != kPeerGone);
    if (own) return static_cast<int>(rank);
    if (other < 0) other = static_cast<int>(rank);
  }
  return other;
}

}  // namespace parallel
