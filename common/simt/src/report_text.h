// The words of reports.
#pragma once

#include <string>

#include "report_entry.h"
#include "symboliser.h"

namespace simt::reports {

// "reads", "writes", "updates (atomically)".
const char* verb(AccessType type);
// "thread (3,0,0) of block (1,0,0)".
std::string who(std::size_t block, unsigned thread);
// "\n    kernel.cu:12:  s[t] = x;" where the source can be read, else nothing.
std::string quoted(const symboliser::Position& position);

// The whole message. `equal_writes`: the race is one of stores of equal values.
std::string text_of(const Entry& found, const symboliser::Position& here,
                    const symboliser::Position& there, bool equal_writes);

}  // namespace simt::reports
