// Child processes with text going in and coming out.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace simt::compiler {

struct ProcessResult {
  int status = -1;     // exit status; 128 + signal when killed; 127 when it could not start
  std::string output;  // stdout
  std::string errors;  // stderr
};

// A running child. Reads its output and feeds its input when waited for.
class Process {
 public:
  // Starts `arguments[0]` (searched in PATH) in `folder` (empty: the current one), with messages in
  // plain English. Throws std::system_error when no child can be made.
  Process(const std::vector<std::string>& arguments, const std::string& folder = {});
  ~Process();  // kills the child when it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Writes `input` to the child's stdin, closes it, collects everything until the child ends.
  ProcessResult finish(const std::string& input = {});
  // Kills the child and its own children.
  void stop();

 private:
  void close_all();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

}  // namespace simt::compiler
