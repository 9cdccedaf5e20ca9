// How many floating-point operations each basic block makes, for profile runs.
#pragma once

#include <string>
#include <string_view>

namespace simt::compiler {

// In the assembly of a file compiled with -fsanitize-coverage=trace-pc: each call at the beginning
// of a block gets the number of additions, multiplications, divisions and square roots up to the
// next block as its argument (simt/src/profile.cpp takes it). A fused multiply-add counts twice, a
// call of a function such as expf once. Assembly of an unknown machine is returned as it is.
std::string with_operation_counts(std::string_view assembly);

}  // namespace simt::compiler
