// The processes below one process, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace grade::sandbox {

// Every living descendant of `root`, itself left out, parents before children.
std::vector<pid_t> descendants(pid_t root);

// Resident memory of one process in bytes; 0 when it has gone.
std::uint64_t resident_bytes(pid_t pid);

// Threads of one process; 0 when it has gone.
int threads(pid_t pid);

// Kills every descendant of the calling process, which must be a child subreaper, and reaps them.
// Returns how many were still alive.
int kill_descendants();

}  // namespace grade::sandbox
