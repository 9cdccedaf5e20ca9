#include "build/fast_kernel.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "cli/error.h"
#include "scratch.h"

using grade::Backend;
using grade::fast_kernel;
using grade::fast_parts;
using Names = std::vector<std::string>;

TEST_CASE("what the comment at the top of a fast kernel says") {
  const Scratch scratch;
  grade::Paths paths;
  paths.root = scratch.path();
  // The lessons that it calls are not in this copy.
  scratch.write("solutions/005_e/fast.cu",
                "// 005 e, fast: five\n//\n// calls: 001_a 002_b\n// calls: 004_d\n// needs-gpu: "
                "9.0\n#include <x>\n// calls: 003_c\n");
  CHECK(fast_kernel(paths, "005_e").exists);
  CHECK((fast_kernel(paths, "005_e").calls == Names{"001_a", "002_b", "004_d"}));
  CHECK(fast_kernel(paths, "005_e").needs_gpu == "9.0");
  CHECK_FALSE(fast_kernel(paths, "001_a").exists);
  CHECK(fast_kernel(paths, "001_a").calls.empty());
}

TEST_CASE("the parts of a fast kernel are all that it reaches, where the backend has them") {
  const Scratch scratch;
  grade::Paths paths;
  paths.root = scratch.path();
  for (const char* name : {"001_a", "002_b", "004_d"}) {
    scratch.write(fmt::format("solutions/{}/kernel.cu", name), "// the reference\n");
  }
  scratch.write("solutions/001_a/fast.cu", "// a\n");
  scratch.write("solutions/002_b/fast.cu", "// b\n// needs-gpu: 9.0\n");
  scratch.write("solutions/003_c/kernel.cu", "// c has no fast kernel\n");
  scratch.write("solutions/004_d/fast.cu", "// d\n// calls: 001_a 002_b 003_c\n");
  scratch.write("solutions/005_e/fast.cu", "// e\n// calls: 001_a 004_d\n");
  CHECK((fast_parts(paths, "005_e", Backend::cuda) == Names{"001_a", "004_d", "002_b"}));
  CHECK((fast_parts(paths, "005_e", Backend::cpu) == Names{"001_a", "004_d"}));
  CHECK(fast_parts(paths, "001_a", Backend::cpu).empty());
}

TEST_CASE("a fast kernel calls earlier lessons, each once") {
  const Scratch scratch;
  grade::Paths paths;
  paths.root = scratch.path();
  scratch.write("solutions/001_a/kernel.cu", "// a\n");
  const auto said = [&](const char* calls) -> std::string {
    scratch.write("solutions/003_c/fast.cu", fmt::format("// c\n// calls:{}\n", calls));
    try {
      fast_kernel(paths, "003_c");
    } catch (const grade::Error& error) {
      return error.what();
    }
    return {};
  };
  const std::string where = "solutions/003_c/fast.cu: in `// calls:`, ";
  CHECK(said(" 001_a 002_b") == "");
  CHECK(said(" 001_a, 002_b") == where + "'001_a,' is no NNN_slug");
  CHECK(said("001_aa") == where + "'001_aa' has no solutions/001_aa/kernel.cu");
  CHECK(said(" 003_c") == where + "'003_c' is the lesson itself");
  CHECK(said(" 001_a\n// calls: 001_a") == where + "'001_a' is there twice");
  CHECK(said(" 004_d") == where + "'004_d' comes after this lesson");
}
