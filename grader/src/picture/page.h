// The run picture: one page, in need of nothing else, that shows a trace step by step.
#pragma once

#include <string>
#include <vector>

#include "picture/trace.h"
#include "run/result.h"

namespace grade {

struct PictureSource {
  std::string file;   // as the trace names it
  std::string shown;  // as a learner knows it
  std::vector<std::string> lines;
};

struct Picture {
  std::string title;   // "001 Matrix product"
  std::string kernel;  // the file, as a learner knows it
  Status status = Status::passed;
  Trace trace;
  std::vector<PictureSource> sources;
  std::vector<ReportedDiagnostic> diagnostics;
};

// A complete HTML document without references to anything outside. Whatever the trace, the source
// and the diagnostics hold is shown as text.
std::string picture_page(const Picture& picture);

}  // namespace grade
