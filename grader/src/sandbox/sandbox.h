// Runs one program under limits, in a process tree of which nothing is left afterwards.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace grade::sandbox {

struct Limits {
  // The program's own time: what it works, all threads together, and what it waits of its own
  // accord; not what other programs keep it waiting for a processor. 0: none.
  std::chrono::milliseconds timeout{20'000};
  std::uint64_t memory = std::uint64_t{2} << 30;      // bytes resident, whole tree; 0: none
  std::uint64_t file_size = std::uint64_t{16} << 20;  // bytes of one file; 0: none
  std::size_t output = std::size_t{1} << 20;          // bytes kept; the rest is read and dropped
};

enum class Confinement {
  process,   // limits and the sweep of its process tree
  filtered,  // also a system-call filter, and writing in the working folder alone
};

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;    // without the program's own name
  std::vector<std::string> environment;  // "NAME=value"; nothing is inherited
  std::string input;                     // on its standard input (at most 4 KiB), then its end
  Confinement confinement = Confinement::process;
  Limits limits;
  std::chrono::milliseconds grace{0};  // between SIGTERM and SIGKILL; 0: SIGKILL at once

  // The working folder. Empty: a fresh one below `scratch_base`, removed afterwards.
  std::filesystem::path folder;
  std::filesystem::path scratch_base = std::filesystem::temp_directory_path();

  // Receives each line written to the verdict channel, descriptor 3 of the program, from the
  // thread that called run(). Without it the program has no such channel.
  std::function<void(std::string_view line)> on_verdict;
  // Receives output as it comes, kept or not. Optional.
  std::function<void(std::string_view text)> on_output;

  const std::atomic<bool>* cancelled = nullptr;  // set by another thread to end the program
};

enum class Ending {
  exited,
  signalled,
  stopped,    // stopped itself, and was then killed
  forbidden,  // made a system call that is refused, and was then killed
  timed_out,  // its own time is used up
  starved,    // much more time went by, and little of it was its own
  memory,     // used more than its limit
  cancelled,
  not_started,  // the machine could not run it
};

struct Outcome {
  Ending ending = Ending::not_started;
  int code = 0;        // exit code (exited) or signal number (signalled, stopped)
  std::string detail;  // forbidden: the call; not_started: why
  std::string output;  // standard output and error, in the order written
  bool output_cut = false;
  std::uint64_t output_bytes = 0;  // all that it wrote there, kept or not
  bool verdict_overflow = false;   // more than the channel may carry was written to it
  double seconds = 0;              // on the clock
  double worked = 0;               // seconds of processor time, about; of its own time,
  double waited = 0;               // and those that it waited of its own accord
  std::uint64_t peak_memory = 0;   // bytes, as sampled
  int left_behind = 0;             // processes that outlived the program, and were killed
};

// Blocks until the program and everything it started have ended. Safe to call from several threads.
Outcome run(const Command& command);

// What a program did that was timed out or starved, e.g. "was still running after 20 s of work".
std::string time_in_words(const Outcome& outcome, const Limits& limits);

// The signal in plain words, e.g. "read or wrote memory that is not its own (SIGSEGV)".
std::string signal_in_words(int signal);

}  // namespace grade::sandbox
