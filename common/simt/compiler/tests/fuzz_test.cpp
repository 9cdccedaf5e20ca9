// Whatever the text, the rewriter ends, keeps every line where it was and touches nothing in text
// that holds no CUDA.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "rewriter.h"
#include "source_text.h"

using namespace simt::compiler;

namespace {

constexpr std::chrono::milliseconds time_each{900};

long lines(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

void check(const std::string& source) {
  RewriteOptions options;
  options.file = "fuzz.cu";
  const Rewritten result = rewrite(source, options);
  const bool kept = lines(result.text) == lines(source);
  if (!kept) MESSAGE(source);
  REQUIRE(kept);
  if (result.edits.empty()) REQUIRE(result.text == source);
  for (const Problem& problem : result.problems) {
    REQUIRE(problem.line >= 1);
    REQUIRE(problem.line <= lines(source) + 1);
  }
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> list = {"__global__",
                                                "__device__",
                                                "__host__",
                                                "__shared__",
                                                "__constant__",
                                                "__managed__",
                                                "__forceinline__",
                                                "__noinline__",
                                                "__launch_bounds__",
                                                "__grid_constant__",
                                                "static",
                                                "extern",
                                                "inline",
                                                "template",
                                                "typename",
                                                "class",
                                                "struct",
                                                "enum",
                                                "namespace",
                                                "void",
                                                "int",
                                                "float",
                                                "const",
                                                "constexpr",
                                                "operator",
                                                "requires",
                                                "using",
                                                "typedef",
                                                "if",
                                                "else",
                                                "for",
                                                "return",
                                                "k",
                                                "f",
                                                "T",
                                                "x",
                                                "a",
                                                "<<<",
                                                ">>>",
                                                "<<",
                                                ">>",
                                                "<",
                                                ">",
                                                "<",
                                                ">",
                                                "(",
                                                ")",
                                                "(",
                                                ")",
                                                "[",
                                                "]",
                                                "{",
                                                "}",
                                                "{",
                                                "}",
                                                ";",
                                                ";",
                                                ",",
                                                "::",
                                                ":",
                                                "=",
                                                "*",
                                                "&",
                                                "->",
                                                ".",
                                                "1",
                                                "1'000",
                                                "\"<<<\"",
                                                "'\"'",
                                                "R\"(>>>)\"",
                                                "\n",
                                                "\n",
                                                "#pragma unroll\n",
                                                "\n# 7 \"fuzz.cu\"\n",
                                                "/*",
                                                "*/",
                                                "//",
                                                "\\\n",
                                                "\"",
                                                "'",
                                                "<%",
                                                "<:",
                                                "...",
                                                "alignas(16)",
                                                "__attribute__((aligned(8)))",
                                                "extern \"C\"",
                                                "__syncthreads()",
                                                "lambda",
                                                "[=]",
                                                "=="};
  return list;
}

}  // namespace

TEST_CASE("token soup") {
  std::mt19937 random(20240607);
  const auto end = std::chrono::steady_clock::now() + time_each;
  while (std::chrono::steady_clock::now() < end) {
    std::string source;
    const std::size_t count = 1 + random() % 200;
    for (std::size_t i = 0; i < count; ++i) {
      source += words()[random() % words().size()];
      if (random() % 4 != 0) source += ' ';
    }
    // A line marker of the soup restarts the count of lines; leave it out of this check.
    if (source.find("# 7") != std::string::npos) {
      RewriteOptions options;
      CHECK(lines(rewrite(source, options).text) == lines(source));
    } else {
      check(source);
    }
  }
}

TEST_CASE("mutations of real code") {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(CONSTRUCTS_DIR)) {
    if (entry.path().extension() == ".cu") seeds.push_back(read_file(entry.path().string()));
  }
  REQUIRE(!seeds.empty());
  std::sort(seeds.begin(), seeds.end());
  std::mt19937 random(77);
  const auto end = std::chrono::steady_clock::now() + time_each;
  while (std::chrono::steady_clock::now() < end) {
    std::string source = seeds[random() % seeds.size()];
    std::erase(source, '\r');
    for (std::size_t i = 0, count = 1 + random() % 8; i < count && !source.empty(); ++i) {
      const std::size_t at = random() % source.size();
      switch (random() % 4) {
        case 0:
          source.erase(at, 1 + random() % 20);
          break;
        case 1:
          source.insert(at, words()[random() % words().size()]);
          break;
        case 2:
          source.insert(at, source.substr(random() % source.size(), random() % 60));
          break;
        default:
          source[at] = "<>(){}[];,:\"'*&=\n"[random() % 17];
          break;
      }
    }
    RewriteOptions options;
    options.file = "fuzz.cu";
    CHECK(lines(rewrite(source, options).text) == lines(source));
  }
}

TEST_CASE("long and deep input takes no more than its share of time") {
  const std::clock_t begin = std::clock();  // of this process: others may keep it waiting
  RewriteOptions options;
  for (const char* piece : {"a<", "{", "(", "k<<<", "namespace n {", "struct s {", "[",
                            "__shared__ ", "template<", "f(){", "a>", "x ? ", "[]{"}) {
    std::string source;
    while (source.size() < 20000) source += piece;
    rewrite(source, options);
  }
  CHECK(std::clock() - begin < 10 * CLOCKS_PER_SEC);
}
