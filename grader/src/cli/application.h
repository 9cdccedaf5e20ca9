// From the command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace grade {

// What `arguments` (without the program's name) mean: no argument is the dashboard, and a first
// argument that is no command's name is a lesson to run.
std::vector<std::string> with_command(std::vector<std::string> arguments);

// Runs the command; prints what went wrong. Never throws.
int run_application(const std::vector<std::string>& arguments);

}  // namespace grade
