#include "build/fast_kernel.h"

#include <doctest/doctest.h>

#include "scratch.h"

using grade::Backend;
using grade::fast_kernel;
using grade::fast_parts;
using Names = std::vector<std::string>;

TEST_CASE("what the comment at the top of a fast kernel says") {
  const Scratch scratch;
  grade::Paths paths;
  paths.root = scratch.path();
  scratch.write("solutions/003_c/fast.cu",
                "// 003 c, fast: three\n//\n// calls: 001_a 002_b\n// calls: 004_d\n// needs-gpu: "
                "9.0\n#include <x>\n// calls: 005_e\n");
  CHECK(fast_kernel(paths, "003_c").exists);
  CHECK((fast_kernel(paths, "003_c").calls == Names{"001_a", "002_b", "004_d"}));
  CHECK(fast_kernel(paths, "003_c").needs_gpu == "9.0");
  CHECK_FALSE(fast_kernel(paths, "001_a").exists);
  CHECK(fast_kernel(paths, "001_a").calls.empty());
}

TEST_CASE("the parts of a fast kernel are all that it reaches, where the backend has them") {
  const Scratch scratch;
  grade::Paths paths;
  paths.root = scratch.path();
  scratch.write("solutions/001_a/fast.cu", "// a\n");
  scratch.write("solutions/002_b/fast.cu", "// b\n// needs-gpu: 9.0\n");
  scratch.write("solutions/003_c/kernel.cu", "// c has no fast kernel\n");
  scratch.write("solutions/004_d/fast.cu", "// d\n// calls: 001_a 002_b 003_c\n");
  scratch.write("solutions/005_e/fast.cu", "// e\n// calls: 001_a 004_d\n");
  CHECK((fast_parts(paths, "005_e", Backend::cuda) == Names{"001_a", "004_d", "002_b"}));
  CHECK((fast_parts(paths, "005_e", Backend::cpu) == Names{"001_a", "004_d"}));
  CHECK(fast_parts(paths, "001_a", Backend::cpu).empty());
}
