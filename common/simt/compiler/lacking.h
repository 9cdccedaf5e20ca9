// What CUDA has and the CPU runtime does not, by the names that g++ does not know.
#pragma once

#include <string>
#include <string_view>

namespace simt::compiler {

// For g++'s complaint about an undeclared name that is CUDA's: what to say instead, else "". A name
// that the author declared is never complained about, whatever it is called.
std::string told_as_lacking(std::string_view complaint);

}  // namespace simt::compiler
