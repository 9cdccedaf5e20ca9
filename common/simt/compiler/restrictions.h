// What a lesson's file may not use: libraries that do the exercise, and what only a GPU has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rewriter.h"

namespace simt::compiler {

enum class Verdict { allowed, forbidden, needs_gpu };

struct Restriction {
  Verdict verdict = Verdict::allowed;
  Problem problem;
};

// What `#include <header>` means for a lesson: the verdict, and why and what to do instead.
Verdict judge_header(std::string_view header, std::string& reason);

// The #include lines of `path` and of the local headers that it includes, judged. Lines inside
// comments, strings and `#if 0` do not count. A file that is no source is told too. `for_cpu` also
// reports what the CPU runtime lacks.
std::vector<Restriction> check_includes(const std::string& path, bool for_cpu);

// Uses of device-wide algorithms, assembly that takes files in and, with `for_cpu`, of inline PTX
// and other things that need a GPU, in preprocessed or raw text.
std::vector<Restriction> check_uses(std::string_view source, const std::string& file, bool for_cpu);

}  // namespace simt::compiler
