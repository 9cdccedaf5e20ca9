// A trace of the CPU runtime as JSON; docs/cpu-runtime.md describes the format.
#pragma once

#include <string>

#include "simt/trace.h"

namespace testing {

std::string trace_json(const simt::Trace& trace);

}  // namespace testing
