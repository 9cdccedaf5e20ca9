// A helper program that answers each line with a line, for as long as it is needed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grade {

class LineProcess {
 public:
  // The program is found on PATH; its stderr goes to /dev/null.
  explicit LineProcess(const std::vector<std::string>& command);
  ~LineProcess();  // closes its input, on which it should end, and sees to it that it does
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // Empty when the program could not be started, has ended, or does not answer in time. It is not
  // asked again then.
  std::optional<std::string> ask(std::string_view line, std::chrono::milliseconds limit);

 private:
  void end();

  pid_t child_ = -1;
  int channel_ = -1;  // a socket: its other end is the program's input and output
  std::string received_;
};

}  // namespace grade
