// The processes below one process, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace grade::sandbox {

struct Process {
  pid_t pid;
  pid_t parent;
  char state;  // of its first thread: R, S, D, Z ...
  int threads;
  // What its threads have worked, and the children that it has waited for.
  std::chrono::milliseconds worked;
};

// Nothing when it has gone.
std::optional<Process> look_at(pid_t pid);

// Every living descendant of `root`, itself left out, parents before children.
std::vector<Process> descendants(pid_t root);

// Whether no thread of it works, would work if it had a processor, or is kept by a disk.
bool waits(const Process& process);

// Resident memory of one process in bytes; 0 when it has gone.
std::uint64_t resident_bytes(pid_t pid);

// Kills every descendant of the calling process, which must be a child subreaper, and reaps them.
// Returns how many were still alive.
int kill_descendants();

}  // namespace grade::sandbox
