// Kernel objects: shared objects that define a lesson's function, chosen on the command line.
#pragma once

#include <string>

namespace testing {

// Opens it for good; its function answers calls that the grader makes by its declared name. Returns
// why not, or nothing.
std::string load_kernel_object(const std::string& path);

// The functions that this executable calls and nothing loaded defines, as declarations; empty if
// there are none.
std::string missing_functions();

// A function that a loaded object exports under its plain name (extern "C"); null if none does.
void* find_function(const char* name);

}  // namespace testing
