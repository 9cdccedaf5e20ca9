// Turns CUDA C++ into C++ that g++ compiles against the CPU runtime (simt/lowering.h).
//
// Input is the output of `g++ -E`; the text of system headers passes through untouched. Lines never
// move: each rewritten construct stays on the line where it stood. Text without CUDA syntax comes
// out byte for byte as it went in. Identifiers that begin with `simt` are reserved for what is
// generated here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

enum class Severity { error, warning };

// Something to tell the author, at a place in the author's own file.
struct Problem {
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  int column = 0;  // 1-based, in the preprocessed text; 0: unknown
  std::string message;
};

// Replaces `length` bytes of the input at `offset` by `text`, which holds no newline.
struct Edit {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;
};

// A function of the author's file at namespace scope, kernels included.
struct DefinedFunction {
  std::string name;
  std::string parameters;  // as written, on one line
  std::string file;
  int line = 0;
  bool is_kernel = false;
  bool is_device = false;
  bool is_static = false;
  bool extern_c = false;
  bool in_namespace = false;
  bool in_anonymous_namespace = false;
  bool is_template = false;
  bool has_body = false;
};

struct RewriteOptions {
  std::string file;  // name of the input until its first line marker
  bool skip_system_headers = true;
  // Names that are functions besides the author's own (a kernel may overload one of them).
  std::vector<std::string> host_functions;
};

struct Rewritten {
  std::string text;
  std::vector<Edit> edits;  // sorted by offset
  std::vector<Problem> problems;
  std::vector<DefinedFunction> functions;
  // A launch spelled in a way that nvcc takes and clang does not (`k<< <1, 1>> >`, braces).
  bool unusual_launches = false;

  bool ok() const;
};

Rewritten rewrite(std::string_view source, const RewriteOptions& options);

}  // namespace simt::compiler
