#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sandbox/protocol.h"

namespace grade::sandbox {
namespace {

namespace fs = std::filesystem;

// A grader's own messages are a few kilobytes; whatever floods the channel is not one.
constexpr std::size_t kVerdictLimit = std::size_t{16} << 20;
constexpr int kReadSize = 1 << 16;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

// Both ends lie above the numbers that the supervisor's descriptors are given.
Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  }
  const Descriptor low_read(ends[0]);
  const Descriptor low_write(ends[1]);
  return {Descriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, 10)),
          Descriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, 10))};
}

// grade-sandbox lies beside the program that uses it.
fs::path supervisor_program() {
  if (const char* given = std::getenv("GRADE_SANDBOX")) return given;
  return fs::read_symlink("/proc/self/exe").parent_path() / "grade-sandbox";
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

class Run {
 public:
  explicit Run(const Command& command) : command_(command) {}

  Outcome operator()() {
    try {
      start();
    } catch (const std::exception& error) {
      outcome_.detail = error.what();
      return std::move(outcome_);
    }
    collect();
    int status = 0;
    while (waitpid(supervisor_, &status, 0) < 0 && errno == EINTR) {
    }
    read_report();
    return std::move(outcome_);
  }

 private:
  void start() {
    // The program, which has the same user, may not look into this process either.
    if (command_.confinement == Confinement::filtered) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    input_ = make_pipe();
    output_ = make_pipe();
    verdict_ = make_pipe();
    lifeline_ = make_pipe();
    report_ = make_pipe();
    if (write(input_.write_end.get(), command_.input.data(), command_.input.size()) !=
        static_cast<ssize_t>(command_.input.size())) {
      throw std::runtime_error("the program's input does not fit into a pipe");
    }

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const auto give = [&](const Descriptor& descriptor, int number) {
      posix_spawn_file_actions_adddup2(&actions, descriptor.get(), number);
    };
    give(input_.read_end, STDIN_FILENO);
    give(output_.write_end, STDOUT_FILENO);
    give(output_.write_end, STDERR_FILENO);
    if (command_.on_verdict) {
      give(verdict_.write_end, kVerdictFd);
    } else {
      posix_spawn_file_actions_addopen(&actions, kVerdictFd, "/dev/null", O_WRONLY, 0);
    }
    give(lifeline_.read_end, kLifelineFd);
    give(report_.write_end, kReportFd);

    const fs::path program = supervisor_program();
    const Limits& limits = command_.limits;
    if (command_.folder.empty()) {
      std::error_code ignored;
      fs::create_directories(command_.scratch_base, ignored);
    }
    std::vector<std::string> arguments{
        program.string(),
        command_.confinement == Confinement::filtered ? "filtered" : "process",
        std::to_string(limits.timeout.count()),
        std::to_string(limits.memory),
        std::to_string(limits.file_size),
        std::to_string(command_.grace.count()),
        command_.folder.empty() ? "scratch:" + command_.scratch_base.string()
                                : command_.folder.string(),
        command_.program.string()};
    arguments.insert(arguments.end(), command_.arguments.begin(), command_.arguments.end());
    std::vector<std::string> environment = command_.environment;
    if (command_.on_verdict) {
      environment.push_back("GRADE_VERDICT_FD=" + std::to_string(kVerdictFd));
    }

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int failed = posix_spawn(&supervisor_, program.c_str(), &actions, &attributes,
                                   pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
      throw std::runtime_error(program.string() + ": " + std::strerror(failed));
    }
    input_ = {};
    output_.write_end.close();
    verdict_.write_end.close();
    lifeline_.read_end.close();
    report_.write_end.close();
  }

  // Reads output, verdict and report until the supervisor has closed the report.
  void collect() {
    bool asked_to_stop = false;
    while (report_.read_end.open()) {
      std::array<pollfd, 3> watched{{{output_.read_end.get(), POLLIN, 0},
                                     {verdict_.read_end.get(), POLLIN, 0},
                                     {report_.read_end.get(), POLLIN, 0}}};
      poll(watched.data(), watched.size(), command_.cancelled != nullptr ? 50 : -1);
      if (command_.cancelled != nullptr && *command_.cancelled && !asked_to_stop) {
        lifeline_.write_end.close();
        asked_to_stop = true;
      }
      if (watched[0].revents != 0)
        drain(output_.read_end, [&](std::string_view t) { take_output(t); });
      if (watched[1].revents != 0)
        drain(verdict_.read_end, [&](std::string_view t) { take_verdict(t); });
      if (watched[2].revents != 0)
        drain(report_.read_end, [&](std::string_view t) { report_text_ += t; });
    }
    // What the pipes still hold; a process that could not be killed must not block this.
    for (Descriptor* rest : {&output_.read_end, &verdict_.read_end}) {
      if (rest->open()) fcntl(rest->get(), F_SETFL, O_NONBLOCK);
    }
    while (drain(output_.read_end, [&](std::string_view t) { take_output(t); })) {
    }
    while (drain(verdict_.read_end, [&](std::string_view t) { take_verdict(t); })) {
    }
    if (!verdict_line_.empty() && command_.on_verdict) command_.on_verdict(verdict_line_);
  }

  // Takes one piece; false when there is none now. Closes the descriptor at its end.
  template <typename Take>
  static bool drain(Descriptor& from, Take take) {
    if (!from.open()) return false;
    char buffer[kReadSize];
    const ssize_t got = read(from.get(), buffer, sizeof buffer);
    if (got > 0) {
      take(std::string_view(buffer, static_cast<std::size_t>(got)));
      return true;
    }
    if (got < 0 && errno == EINTR) return true;
    if (got == 0 || errno != EAGAIN) from.close();
    return false;
  }

  void take_output(std::string_view text) {
    if (command_.on_output) command_.on_output(text);
    outcome_.output_bytes += text.size();
    const std::size_t room = command_.limits.output - outcome_.output.size();
    if (text.size() > room) outcome_.output_cut = true;
    outcome_.output += text.substr(0, room);
  }

  void take_verdict(std::string_view text) {
    verdict_bytes_ += text.size();
    if (verdict_bytes_ > kVerdictLimit) {
      outcome_.verdict_overflow = true;
      verdict_line_.clear();
      return;
    }
    for (const char c : text) {
      if (c != '\n') {
        verdict_line_ += c;
      } else {
        command_.on_verdict(verdict_line_);
        verdict_line_.clear();
      }
    }
  }

  void read_report() {
    const auto value = [&](std::string_view key) -> std::string {
      const std::string start = std::string(key) + " ";
      std::size_t at = report_text_.starts_with(start) ? 0 : report_text_.find("\n" + start);
      if (at == std::string::npos) return {};
      at = report_text_.find(' ', at) + 1;
      return report_text_.substr(at, report_text_.find('\n', at) - at);
    };
    const std::string ending = value("ending");
    static constexpr std::array<std::pair<const char*, Ending>, 9> kEndings{{
        {kExited, Ending::exited},
        {kSignalled, Ending::signalled},
        {kStopped, Ending::stopped},
        {kForbidden, Ending::forbidden},
        {kTimedOut, Ending::timed_out},
        {kStarved, Ending::starved},
        {kMemory, Ending::memory},
        {kAbandoned, Ending::cancelled},
        {kNotStarted, Ending::not_started},
    }};
    outcome_.ending = Ending::not_started;
    outcome_.detail = "its supervisor ended without a report";
    for (const auto& [name, meaning] : kEndings) {
      if (ending == name) {
        outcome_.ending = meaning;
        outcome_.detail = value("detail");
      }
    }
    outcome_.code = std::atoi(value("code").c_str());
    outcome_.seconds = std::atof(value("seconds").c_str());
    outcome_.worked = std::atof(value("worked").c_str());
    outcome_.waited = std::atof(value("waited").c_str());
    outcome_.peak_memory = std::strtoull(value("peak_memory").c_str(), nullptr, 10);
    outcome_.left_behind = std::atoi(value("left_behind").c_str());
  }

  const Command& command_;
  Outcome outcome_;
  Pipe input_, output_, verdict_, lifeline_, report_;
  pid_t supervisor_ = -1;
  std::string verdict_line_;
  std::size_t verdict_bytes_ = 0;
  std::string report_text_;
};

}  // namespace

Outcome run(const Command& command) {
  return Run(command)();
}

std::string time_in_words(const Outcome& outcome, const Limits& limits) {
  const double limit = std::chrono::duration<double>(limits.timeout).count();
  if (outcome.ending == Ending::starved) {
    return fmt::format("had a processor for only {:.1f} s of {:.0f} s: this machine is too busy",
                       outcome.worked, outcome.seconds);
  }
  if (outcome.waited > outcome.worked) {
    return fmt::format("was still running after {:g} s, {:.2g} s of work and the rest waiting",
                       limit, outcome.worked);
  }
  return fmt::format("was still running after {:g} s of work", limit);
}

std::string signal_in_words(int signal) {
  struct Words {
    int signal;
    const char* name;
    const char* meaning;
  };
  static constexpr Words kWords[] = {
      {SIGSEGV, "SIGSEGV", "touched memory that is not its own, or its stack overflowed"},
      {SIGBUS, "SIGBUS", "touched memory that does not exist"},
      {SIGFPE, "SIGFPE", "divided an integer by zero"},
      {SIGILL, "SIGILL", "ran an illegal instruction"},
      {SIGTRAP, "SIGTRAP", "hit a trap"},
      {SIGABRT, "SIGABRT", "gave up: abort(), a failed assert or an exception that nothing caught"},
      {SIGKILL, "SIGKILL", "was killed: by itself, or by the system for lack of memory"},
      {SIGTERM, "SIGTERM", "was asked to end"},
      {SIGINT, "SIGINT", "was interrupted"},
      {SIGHUP, "SIGHUP", "was hung up"},
      {SIGPIPE, "SIGPIPE", "wrote where nobody reads"},
      {SIGALRM, "SIGALRM", "was ended by its own alarm"},
      {SIGXFSZ, "SIGXFSZ", "wrote a file larger than it may"},
      {SIGXCPU, "SIGXCPU", "used more processor time than it may"},
      {SIGSYS, "SIGSYS", "made a system call that is refused"},
      {SIGSTOP, "SIGSTOP", "stopped itself"},
      {SIGTSTP, "SIGTSTP", "stopped itself"},
  };
  for (const Words& words : kWords) {
    if (words.signal == signal) return fmt::format("{} ({})", words.meaning, words.name);
  }
  return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
}

}  // namespace grade::sandbox
