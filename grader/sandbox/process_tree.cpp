#include "process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace grade::sandbox {
namespace {

// The start of a small /proc file; empty when the process has gone.
std::string read_proc(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char buffer[1024];
  const ssize_t got = read(fd, buffer, sizeof buffer);
  close(fd);
  return got > 0 ? std::string(buffer, static_cast<std::size_t>(got)) : std::string();
}

// What a file /proc/.../stat says, of a process or of one thread.
std::optional<Process> read_stat(const char* path) {
  const std::string stat = read_proc(path);
  // The name, in parentheses, may itself hold parentheses and spaces: read on from the last one.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  Process process{};
  unsigned long own[2] = {};
  long children[2] = {};
  if (std::sscanf(stat.c_str(), "%d", &process.pid) != 1 ||
      std::sscanf(stat.c_str() + name_end + 1,
                  " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %d",
                  &process.state, &process.parent, &own[0], &own[1], &children[0], &children[1],
                  &process.threads) != 7) {
    return std::nullopt;
  }
  const auto ticks = static_cast<long>(own[0] + own[1]) + children[0] + children[1];
  process.worked = std::chrono::milliseconds(ticks * 1000 / sysconf(_SC_CLK_TCK));
  return process;
}

// Calls `visit` with each entry of a folder of /proc that is a number, until it returns false.
template <typename Visit>
void for_each_number(const char* folder, Visit visit) {
  DIR* entries = opendir(folder);
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    char* end = nullptr;
    const long number = std::strtol(entry->d_name, &end, 10);
    if (*end == '\0' && number > 0 && !visit(static_cast<pid_t>(number))) break;
  }
  closedir(entries);
}

bool waits_in(char state) {
  return std::strchr("SITtZX", state) != nullptr;
}

}  // namespace

std::optional<Process> look_at(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  return read_stat(path);
}

std::vector<Process> descendants(pid_t root) {
  std::vector<Process> processes;
  for_each_number("/proc", [&](pid_t pid) {
    const std::optional<Process> found = look_at(pid);
    // One that has ended has no more than its first thread.
    const auto ended = [](char state) { return state == 'Z' || state == 'X'; };
    if (found && (!ended(found->state) || found->threads > 1)) processes.push_back(*found);
    return true;
  });
  std::vector<Process> tree;
  const auto add_children = [&](pid_t parent) {
    for (const Process& process : processes) {
      if (process.parent == parent && process.pid != root) tree.push_back(process);
    }
  };
  add_children(root);
  for (std::size_t i = 0; i < tree.size(); ++i) add_children(tree[i].pid);
  return tree;
}

bool waits(const Process& process) {
  if (!waits_in(process.state)) return false;
  if (process.threads <= 1) return true;
  bool all = true;
  char folder[64];
  std::snprintf(folder, sizeof folder, "/proc/%d/task", process.pid);
  for_each_number(folder, [&](pid_t thread) {
    char path[128];
    std::snprintf(path, sizeof path, "%s/%d/stat", folder, thread);
    const std::optional<Process> found = read_stat(path);
    all = !found || waits_in(found->state);
    return all;
  });
  return all;
}

std::uint64_t resident_bytes(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/statm", pid);
  const std::string statm = read_proc(path);
  unsigned long size = 0;
  unsigned long resident = 0;
  if (std::sscanf(statm.c_str(), "%lu %lu", &size, &resident) != 2) return 0;
  return static_cast<std::uint64_t>(resident) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

int kill_descendants() {
  std::vector<pid_t> seen;
  for (;;) {
    // Orphans are reparented to this process, so that once it has no child nothing is left.
    for (;;) {
      const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
      if (reaped > 0) continue;
      if (reaped < 0 && errno == ECHILD) return static_cast<int>(seen.size());
      break;
    }
    // Stopping the whole tree before killing it keeps a fork bomb from outrunning the sweep: a
    // stopped process makes no children.
    const std::vector<Process> alive = descendants(getpid());
    for (const Process& process : alive) kill(process.pid, SIGSTOP);
    for (const Process& process : alive) {
      kill(process.pid, SIGKILL);
      if (std::find(seen.begin(), seen.end(), process.pid) == seen.end()) {
        seen.push_back(process.pid);
      }
    }
    if (alive.empty()) {
      const timespec pause{0, 1'000'000};
      nanosleep(&pause, nullptr);
    }
  }
}

}  // namespace grade::sandbox
