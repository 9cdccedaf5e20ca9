// grade-sandbox: runs one program under limits and leaves nothing of it behind (see protocol.h).

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "confine.h"
#include "own_time.h"
#include "process_tree.h"
#include "protocol.h"

namespace grade::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kScratch = "scratch:";
constexpr int kNotStartedCode = 127;
constexpr int kThreads = 512;  // of a filtered program; the limit of processes does not bind root

struct Settings {
  bool filtered;
  milliseconds timeout;
  std::uint64_t memory;
  std::uint64_t file_size;
  milliseconds grace;
  std::string folder;
  bool scratch = false;
  char** program;
};

struct Report {
  std::string ending;
  int code = 0;
  std::string detail;
};

std::uint64_t number(const char* text) {
  return std::strtoull(text, nullptr, 10);
}

Settings parse(char** argv) {
  Settings settings;
  settings.filtered = std::string_view(argv[0]) == "filtered";
  settings.timeout = milliseconds(number(argv[1]));
  settings.memory = number(argv[2]);
  settings.file_size = number(argv[3]);
  settings.grace = milliseconds(number(argv[4]));
  settings.folder = argv[5];
  settings.program = argv + kFixedArguments;
  if (settings.folder.starts_with(kScratch)) {
    settings.folder = settings.folder.substr(kScratch.size()) + "/run-XXXXXX";
    if (mkdtemp(settings.folder.data()) == nullptr) {
      throw std::runtime_error("no scratch folder at " + settings.folder + ": " +
                               std::strerror(errno));
    }
    settings.scratch = true;
  }
  return settings;
}

void limit(__rlimit_resource resource, rlim_t value) {
  rlimit current{};
  getrlimit(resource, &current);
  const rlim_t bounded = std::min(value, current.rlim_max);
  const rlimit wanted{bounded, bounded};
  setrlimit(resource, &wanted);
}

// Between fork and exec the child tells the supervisor, on a channel that its exec closes, what the
// supervisor needs to know: the descriptor of its announcements, or why it could not start.
class StartChannel {
 public:
  StartChannel() {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_) != 0) {
      throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
    }
  }

  // The child's side. `lowest` is a number from which descriptors outlive a clean-up.
  void keep_above(int lowest) { ends_[1] = fcntl(ends_[1], F_DUPFD_CLOEXEC, lowest); }
  void send(char kind, const std::string& text, int fd = -1) const {
    std::string payload = kind + text;
    iovec data{payload.data(), payload.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (fd >= 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    sendmsg(ends_[1], &message, 0);
  }

  // The supervisor's side: returns why the child could not start, or nothing; `announcements` is
  // the descriptor that it sent, or -1.
  std::string wait_for_exec(int& announcements) {
    close(ends_[1]);
    announcements = -1;
    std::string failure;
    for (;;) {
      char text[512];
      iovec data{text, sizeof text};
      alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
      msghdr message{};
      message.msg_iov = &data;
      message.msg_iovlen = 1;
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      const ssize_t got = recvmsg(ends_[0], &message, MSG_CMSG_CLOEXEC);
      if (got <= 0) break;
      if (text[0] == kFailure) failure.assign(text + 1, static_cast<std::size_t>(got) - 1);
      const cmsghdr* header = CMSG_FIRSTHDR(&message);
      if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        std::memcpy(&announcements, CMSG_DATA(header), sizeof announcements);
      }
    }
    close(ends_[0]);
    return failure;
  }

  static constexpr char kFailure = 'f';
  static constexpr char kAnnouncements = 'a';

 private:
  int ends_[2];
};

// In the child: becomes the program, or says why not. Never returns.
[[noreturn]] void become_program(const Settings& settings, pid_t supervisor,
                                 StartChannel& channel) {
  const auto fail = [&](const std::string& what) {
    channel.send(StartChannel::kFailure, what + ": " + std::strerror(errno));
    _exit(kNotStartedCode);
  };
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(kNotStartedCode);  // it died before the line above
  if (chdir(settings.folder.c_str()) != 0) fail(settings.folder);
  if (settings.scratch) {
    setenv("HOME", settings.folder.c_str(), 1);
    setenv("TMPDIR", settings.folder.c_str(), 1);
  }
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "we")) {
    std::fputs("1000", score);  // when memory runs out, this goes first
    std::fclose(score);
  }
  limit(RLIMIT_CORE, 0);
  if (settings.file_size > 0) limit(RLIMIT_FSIZE, settings.file_size);

  // The program is opened at a number just beyond the files that may be open from now on: the one
  // exec that the filter lets through can then never be repeated.
  constexpr rlim_t kOpenFiles = 1024;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const rlimit raised{files.rlim_max, files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &raised);
  const rlim_t allowed = std::min<rlim_t>(kOpenFiles, files.rlim_max - 3);
  const int opened = open(settings.program[0], O_PATH | O_CLOEXEC);
  const int exec_fd =
      opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, static_cast<int>(allowed) + 1);
  if (exec_fd < 0) fail(settings.program[0]);
  channel.keep_above(exec_fd + 1);
  close_range(kVerdictFd + 1, static_cast<unsigned>(exec_fd) - 1, 0);
  if (!settings.filtered) {
    setrlimit(RLIMIT_NOFILE, &files);
    execv(settings.program[0], settings.program);
    fail(settings.program[0]);
  }
  limit(RLIMIT_NOFILE, allowed);
  limit(RLIMIT_STACK, rlim_t{8} << 20);
  drop_capabilities();
  restrict_writes_to(settings.folder);
  try {
    channel.send(StartChannel::kAnnouncements, {}, install_system_call_filter(exec_fd));
  } catch (const std::exception& error) {
    fail(error.what());
  }
  syscall(SYS_execveat, exec_fd, "", settings.program, environ, AT_EMPTY_PATH);
  fail(settings.program[0]);
  std::abort();
}

class Supervisor {
 public:
  explicit Supervisor(const Settings& settings) : settings_(settings), time_(settings.timeout) {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      sigaddset(&watched, number);
    }
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    signals_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
  }

  Report supervise() {
    StartChannel channel;
    const pid_t self = getpid();
    started_ = Clock::now();
    program_ = fork();
    if (program_ < 0) return {kNotStarted, 0, std::string("fork: ") + std::strerror(errno)};
    if (program_ == 0) become_program(settings_, self, channel);
    // The program, which has the same user, may not look into this process.
    if (settings_.filtered) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // The tool must see the end of these when the program closes them.
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, kVerdictFd}) close(fd);
    const std::string failure = channel.wait_for_exec(notifications_);
    if (!failure.empty()) return {kNotStarted, 0, failure};
    return watch();
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }
  [[nodiscard]] const OwnTime& own_time() const { return time_; }
  [[nodiscard]] std::uint64_t peak_memory() const { return peak_memory_; }

 private:
  Report watch() {
    // A tree of processes costs a walk through /proc, one process a single small read.
    const milliseconds pace(settings_.filtered ? 20 : 100);
    auto next_look = Clock::now() + milliseconds(2);
    for (;;) {
      Report report;
      if (program_ended(report)) return report;
      const auto now = Clock::now();
      if (now >= next_look) {
        const std::vector<Process> processes = look_around(now);
        if (time_.used_up()) return end(kTimedOut);
        if (time_.starved()) return end(kStarved);
        if (memory_exceeded(processes)) return end(kMemory);
        if (settings_.filtered && !processes.empty() && processes[0].threads > kThreads) {
          return end(kForbidden, "threads");
        }
        next_look = now + std::clamp(time_.left(), milliseconds(1), pace);
      }
      const auto wait = std::chrono::ceil<milliseconds>(next_look - now);
      pollfd watched[] = {
          {kLifelineFd, POLLIN, 0}, {signals_, POLLIN, 0}, {notifications_, POLLIN, 0}};
      poll(watched, notifications_ >= 0 ? 3 : 2, static_cast<int>(wait.count()));
      if (watched[0].revents != 0) return end(kAbandoned);
      if ((watched[2].revents & POLLIN) != 0) {
        return end(kForbidden, next_forbidden_call(notifications_));
      }
      if ((watched[2].revents & POLLHUP) != 0) {  // the filtered program has gone
        close(notifications_);
        notifications_ = -1;
      }
      if (watched[1].revents != 0 && told_to_stop()) return end(kAbandoned);
    }
  }

  // Whether the program itself has ended (or stopped, which ends it).
  bool program_ended(Report& report) {
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED);
      if (pid <= 0) return false;
      if (pid != program_) continue;
      program_reaped_ = !WIFSTOPPED(status);
      if (WIFEXITED(status)) {
        report = {kExited, WEXITSTATUS(status), {}};
      } else if (WIFSIGNALED(status)) {
        report = {kSignalled, WTERMSIG(status), {}};
      } else if (WIFSTOPPED(status)) {
        kill_program();
        report = {kStopped, WSTOPSIG(status), {}};
      }
      return true;
    }
  }

  bool told_to_stop() const {
    signalfd_siginfo info{};
    bool stop = false;
    while (read(signals_, &info, sizeof info) == sizeof info) {
      if (info.ssi_signo != SIGCHLD) stop = true;
    }
    return stop;
  }

  // The program, and what it has started. Empty where /proc does not show it: then all the time
  // counts.
  std::vector<Process> look_around(Clock::time_point now) {
    std::vector<Process> processes;
    if (!settings_.filtered) {
      processes = descendants(getpid());
    } else if (const auto found = look_at(program_)) {
      processes.push_back(*found);
    }
    milliseconds worked{};
    for (const Process& process : processes) worked += process.worked;
    time_.look(std::chrono::duration_cast<milliseconds>(now - started_), worked,
               std::ranges::all_of(processes, waits));
    return processes;
  }

  bool memory_exceeded(const std::vector<Process>& processes) {
    std::uint64_t used = 0;
    for (const Process& process : processes) used += resident_bytes(process.pid);
    peak_memory_ = std::max(peak_memory_, used);
    return settings_.memory > 0 && used > settings_.memory;
  }

  Report end(const char* why, std::string detail = {}) {
    if (settings_.grace.count() > 0) {
      const auto give_up = Clock::now() + settings_.grace;
      kill(-program_, SIGTERM);
      Report ignored;
      while (Clock::now() < give_up && !program_ended(ignored)) {
        pollfd signalled{signals_, POLLIN, 0};
        poll(&signalled, 1, 20);
        told_to_stop();
      }
    }
    kill_program();
    return {why, 0, std::move(detail)};
  }

  void kill_program() {
    if (program_reaped_) return;
    kill(program_, SIGKILL);
    waitpid(program_, nullptr, 0);
    program_reaped_ = true;
  }

  const Settings& settings_;
  int signals_ = -1;
  int notifications_ = -1;
  pid_t program_ = -1;
  bool program_reaped_ = false;
  Clock::time_point started_;
  OwnTime time_;
  std::uint64_t peak_memory_ = 0;
};

double in_seconds(milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

void write_report(const Report& report, double seconds, const OwnTime& time, std::uint64_t peak,
                  int left_behind) {
  dprintf(kReportFd,
          "ending %s\ncode %d\nseconds %.3f\nworked %.3f\nwaited %.3f\npeak_memory %llu\n"
          "left_behind %d\ndetail %s\n",
          report.ending.c_str(), report.code, seconds, in_seconds(time.worked()),
          in_seconds(time.waited()), static_cast<unsigned long long>(peak), left_behind,
          report.detail.c_str());
}

int main_supervisor(char** argv) {
  fcntl(kLifelineFd, F_SETFD, FD_CLOEXEC);
  fcntl(kReportFd, F_SETFD, FD_CLOEXEC);
  close_range(kReportFd + 1, ~0U, 0);
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Settings settings;
  try {
    settings = parse(argv);
  } catch (const std::exception& error) {
    write_report({kNotStarted, 0, error.what()}, 0, OwnTime({}), 0, 0);
    return 1;
  }
  Supervisor supervisor(settings);
  Report report;
  try {
    report = supervisor.supervise();
  } catch (const std::exception& error) {
    report = {kNotStarted, 0, error.what()};
  }
  const double seconds = supervisor.seconds();
  const int left_behind = kill_descendants();
  if (settings.scratch) {
    std::error_code ignored;
    std::filesystem::remove_all(settings.folder, ignored);
  }
  write_report(report, seconds, supervisor.own_time(), supervisor.peak_memory(), left_behind);
  return 0;
}

}  // namespace
}  // namespace grade::sandbox

int main(int argc, char** argv) {
  if (argc < 2 + grade::sandbox::kFixedArguments) {
    std::fputs("grade-sandbox is started by grade\n", stderr);
    return 2;
  }
  return grade::sandbox::main_supervisor(argv + 1);
}
