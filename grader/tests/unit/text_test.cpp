#include "terminal/text.h"

#include <doctest/doctest.h>

#include "commands/replay.h"
#include "terminal/shell.h"
#include "terminal/terminal.h"

using namespace grade::terminal;

namespace {
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "|";
  return text;
}

Terminal plain(int columns = 80) {
  return {stdout, {false, false, false, true, columns, 24}};
}
Terminal coloured() {
  return {stdout, {true, true, true, true, 80, 24}};
}
}  // namespace

TEST_CASE("width counts columns, not bytes") {
  CHECK(width("abc") == 3);
  CHECK(width("αβ→∑") == 4);
  CHECK(width("P\u0304") == 1);  // a combining bar
  CHECK(width("日本") == 4);
  CHECK(width("\x1b[1;31mred\x1b[0m") == 3);
  CHECK(width("\x1b]8;;file:///x\x1b\\link\x1b]8;;\x1b\\") == 4);
  CHECK(width("\xff\xfe") == 2);  // not UTF-8
}

TEST_CASE("wrap keeps within the width and the words whole") {
  CHECK(joined(wrap("one two three", 7)) == "one two|three|");
  CHECK(joined(wrap("one two three", 7, 2)) == "one two|  three|");
  CHECK(joined(wrap("  lead word", 8)) == "  lead|word|");
  CHECK(joined(wrap("abcdefghij", 4)) == "abcd|efgh|ij|");
  CHECK(joined(wrap("a\nb", 10)) == "a|b|");
  CHECK(joined(wrap("", 10)) == "|");
  CHECK(joined(wrap("x a\u00a0=\u00a0b", 5)) == "x|a = b|");
  for (const std::string& line : wrap("ααα ββββ γγγγγ δδδδδδδδδδδδ", 6)) CHECK(width(line) <= 6);
}

TEST_CASE("a style does not run over the end of a line") {
  const std::string bold = coloured().style(Style::bold, "one two");
  CHECK(joined(wrap(bold, 4)) == "\x1b[1mone\x1b[0m|\x1b[1mtwo\x1b[0m|");
}

TEST_CASE("a style inside another does not end it") {
  const Terminal out = coloured();
  CHECK(out.style(Style::bold, "a" + out.style(Style::good, "b") + "c") ==
        "\x1b[1ma\x1b[32mb\x1b[0m\x1b[1mc\x1b[0m");
}

TEST_CASE("truncate and pad") {
  CHECK(truncate("abcdef", 4) == "abc…");
  CHECK(truncate("abc", 3) == "abc");
  CHECK(truncate("日本語", 5) == "日本…");
  CHECK(pad_right("ä", 3) == "ä  ");
  CHECK(pad_left("7", 3) == "  7");
}

TEST_CASE("printable drops what would drive the terminal") {
  CHECK(printable("a\x1b[31mb\x1b]0;title\x07"
                  "c\r\n\x07"
                  "d") == "abc\nd");
  CHECK(printable("\xc2\x9b"
                  "31m") ==
        "\xef\xbf\xbd"
        "31m");  // a C1 control
}

TEST_CASE("without a terminal there is no escape byte") {
  const Terminal out = plain();
  CHECK(out.style(Style::bad, "x") == "x");
  CHECK(out.link("x", "https://example.org") == "x");
  CHECK(out.path("/workbook/a b.cu", "/workbook") == "a b.cu");
  CHECK(coloured().path("/workbook/a b.cu", "/workbook") ==
        "\x1b]8;;file:///workbook/a%20b.cu\x1b\\a b.cu\x1b]8;;\x1b\\");
}

TEST_CASE("bars") {
  const Terminal out = plain();
  CHECK(out.bar(0, 4) == "░░░░");
  CHECK(out.bar(0.01, 4) == "█░░░");
  CHECK(out.bar(0.99, 4) == "███░");
  CHECK(out.bar(1, 4) == "████");
  CHECK(out.bar(2, 4) == "████");
  CHECK(width(out.bar(0.5, 11)) == 11);
}

TEST_CASE("what a shell is given is one word, without control characters") {
  CHECK(shell_quoted("a/b-c_1.cu") == "a/b-c_1.cu");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b") == "'a b'");
  CHECK(shell_quoted("$(y)`z`\"!~*") == "'$(y)`z`\"!~*'");
  CHECK(shell_quoted("~") == "'~'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("gewählt") == "'gewählt'");
  CHECK(shell_quoted("a\nb\t'\\") == "$'a\\x0ab\\x09\\'\\\\'");
  CHECK(shell_quoted("\x1b[31m") == "$'\\x1b[31m'");
  CHECK(shell_quoted("\xff") == "$'\\xff'");
}

TEST_CASE("of control sequences only colours stay in a compiler's messages") {
  CHECK(with_colours("\x1b[1ma.cu\x1b[m: \x1b[2J\x1b]0;t\x07x\x08") == "\x1b[1ma.cu\x1b[m: 2Jx");
}

TEST_CASE("a command that repeats a run names all that decides it") {
  CHECK(grade::replay({.lesson = 7}).ends_with("grade 7"));
  CHECK(grade::replay({.lesson = 7, .solution = true}, "bench")
            .ends_with("grade bench 7 --solution"));
  CHECK(grade::replay({7, false, "-x y.cu", true, "cpu", 2.5})
            .ends_with("grade 7 --file './-x y.cu' --mine --backend cpu --timeout 2.5"));
}

TEST_CASE("a path is shown without the control characters of its name") {
  CHECK(coloured().path("/a/b\x1b[31m\x07", "/a").find("\x1b[31m") == std::string::npos);
  CHECK(plain().path("/a/b\x1b[31m\x07", "/a") == "b");
}
