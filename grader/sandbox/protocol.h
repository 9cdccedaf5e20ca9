// What the tool and its supervisor process (grade-sandbox) agree on.
//
//   grade ──► grade-sandbox (one per run) ──► the confined program
//
// The supervisor is a process of its own, in its own session, so that limits hold while the tool is
// stopped, and everything ends when the tool does, however it ends: the tool holds the other end of
// the lifeline.
#pragma once

namespace grade::sandbox {

// The supervisor's descriptors. 0 to 2 and the verdict channel are handed on to the program.
inline constexpr int kVerdictFd = 3;
inline constexpr int kLifelineFd = 4;  // read end; end of file means that the tool has gone
inline constexpr int kReportFd = 5;    // write end; "key value" lines, once, at the end

// The supervisor's arguments: these fields in this order, then the program and its arguments.
//   confinement   process | filtered   (filtered: system-call filter and write restriction too)
//   timeout_ms memory_bytes file_bytes (0: no limit; the time is the program's own: own_time.h)
//   grace_ms      between SIGTERM and SIGKILL; 0: SIGKILL at once
//   folder        a folder to work in, or "scratch:BASE": a fresh one below BASE, removed
//   afterwards
inline constexpr int kFixedArguments = 6;

// The report's keys: ending, code, seconds (on the clock), worked, waited,
// peak_memory, left_behind, detail.
// `ending` is one of:
inline constexpr const char* kExited = "exited";           // code: exit code
inline constexpr const char* kSignalled = "signalled";     // code: signal
inline constexpr const char* kStopped = "stopped";         // code: the stopping signal
inline constexpr const char* kForbidden = "forbidden";     // detail: the system call, or "threads"
inline constexpr const char* kTimedOut = "timed_out";      //
inline constexpr const char* kStarved = "starved";         // hardly had a processor
inline constexpr const char* kMemory = "memory";           //
inline constexpr const char* kAbandoned = "abandoned";     // the tool has gone or asked to stop
inline constexpr const char* kNotStarted = "not_started";  // detail: why

}  // namespace grade::sandbox
