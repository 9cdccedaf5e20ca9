// What a process does to itself, between fork and exec, to be confined: system calls that reach
// other processes or outlive it are refused, and it writes only below one folder.
#pragma once

#include <string>

namespace grade::sandbox {

// Installs the system-call filter for the calling process, which must be single-threaded.
//
// Starting processes, leaving the process group, sockets, tracing, signalling others, mounting and
// the like are forbidden: each such call is held and announced on the returned descriptor (see
// next_forbidden_call), or, where the kernel has no such announcements, ends the process with
// SIGSYS. Harmless privileged calls (raising limits, priorities) fail with EPERM. clone3 fails with
// ENOSYS, so that the C library falls back on clone, whose flags a filter can see; threads work.
//
// One exec is let through: execveat of descriptor `exec_fd` with AT_EMPTY_PATH. The descriptor must
// be close-on-exec and lie at or above the (hard) limit of open files, so that no later code can
// make it exist again.
//
// Returns the descriptor of the announcements, or -1 where there are none. Throws
// std::runtime_error when the filter cannot be installed.
int install_system_call_filter(int exec_fd);

// Waits for nothing: takes the next announced call, or returns an empty string when none is there.
std::string next_forbidden_call(int notify_fd);

// A program that root starts (in a container, say) is root without root's powers after its exec:
// it may not look into other processes. Nothing for others.
void drop_capabilities();

// From now on the process writes, makes and removes files below `folder` alone, besides /dev/null.
// Returns false where the kernel has no Landlock; the caller goes on without.
bool restrict_writes_to(const std::string& folder);

}  // namespace grade::sandbox
