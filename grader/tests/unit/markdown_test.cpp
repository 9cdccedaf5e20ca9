#include "render/markdown.h"

#include <doctest/doctest.h>

#include "terminal/text.h"

using grade::render_markdown;
using grade::terminal::Terminal;

namespace {
std::string rendered(const std::string& markdown, int columns = 40) {
  const Terminal out(stdout, {false, false, false, true, columns, 24});
  std::string text;
  for (const std::string& line : render_markdown(markdown, columns, out)) text += line + "\n";
  return text;
}
}  // namespace

TEST_CASE("blocks") {
  CHECK(rendered("# Title\n\nOne\ntwo.") == "Title\n─────\n\nOne two.\n");
  CHECK(rendered("### Small") == "▸ Small\n");
  CHECK(rendered("- a\n- b\n  - c") == "  • a\n  • b\n      • c\n");
  CHECK(rendered("1. a\n2. b") == "  1. a\n  2. b\n");
  CHECK(rendered("- a\n\n- b") == "  • a\n\n  • b\n");
  CHECK(rendered("> quoted") == "│ quoted\n");
  CHECK(rendered("```cpp\nint x;\n\nint y;\n```") == "    int x;\n\n    int y;\n");
  CHECK(rendered("a\n\n---\n\nb", 10) == "a\n\n──────────\n\nb\n");
  CHECK(rendered("<details><summary>More</summary>\n\nText\n\n</details>") == "More\n\nText\n");
}

TEST_CASE("spans") {
  CHECK(rendered("**bold** *stress* `code` &lt;&#65;") == "bold stress `code` <A\n");
  CHECK(rendered("[site](https://example.org)") == "site (https://example.org)\n");
  CHECK(rendered("[page](../../docs/a.md)") == "page (docs/a.md)\n");
  CHECK(rendered("Let $x_i$ be $2^{31}$.") == "Let xᵢ be 2³¹.\n");
  CHECK(rendered("5\\$ or 6\\$") == "5$ or 6$\n");
}

TEST_CASE("a displayed formula stands alone") {
  CHECK(rendered("So\n$$\\frac{a}{b}$$\nholds.") == "So\n\n    a\n    ─\n    b\n\nholds.\n");
}

TEST_CASE("a figure is its text twin") {
  CHECK(rendered("![alt](f.svg)\n\n```text\n a b\n```") == "     a b\n");
  CHECK(rendered("![two boxes](f.svg)") == "[figure: two boxes]\n");
}

TEST_CASE("tables") {
  CHECK(rendered("| a | n |\n|---|--:|\n| x | 10 |\n| long | 2 |") ==
        "a      n\n────  ──\nx     10\nlong   2\n");
  const std::string narrow =
      rendered("| word | text |\n|---|---|\n| a | a sentence that does not fit |", 20);
  for (std::size_t at = 0; at < narrow.size();) {
    const std::size_t end = narrow.find('\n', at);
    CHECK(grade::terminal::width(narrow.substr(at, end - at)) <= 20);
    at = end + 1;
  }
}

TEST_CASE("windows line ends") {
  CHECK(rendered("a\r\n\r\nb\r\n") == "a\n\nb\n");
}

TEST_CASE("sections") {
  const auto sections = grade::split_sections("\n## One\n\ntext\n```\n## no\n```\n## Two\n");
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].title == "One");
  CHECK(sections[0].text.find("## no") != std::string::npos);
  CHECK(sections[1].title == "Two");
}
