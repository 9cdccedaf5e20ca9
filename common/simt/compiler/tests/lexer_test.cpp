#include "lexer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace simt::compiler;

namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const Token& token : lex(source, {"f.cu", true}).tokens) result.emplace_back(token.text);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("numbers hold digit separators, exponents and suffixes") {
  CHECK(texts("1'000'000 0x1p-3f 1.5e+10 .5f 0b1'0 1..2 3_km") ==
        Texts{"1'000'000", "0x1p-3f", "1.5e+10", ".5f", "0b1'0", "1..2", "3_km"});
  CHECK(texts("x=1'000;c='a'") == Texts{"x", "=", "1'000", ";", "c", "=", "'a'"});
}

TEST_CASE("strings, raw strings and characters are one token each") {
  CHECK(texts(R"("a\"<<<" L"b" u8"c" 'd' '\'' u'"')") ==
        Texts{R"("a\"<<<")", R"(L"b")", R"(u8"c")", "'d'", R"('\'')", R"(u'"')"});
  CHECK(texts("R\"x(k<<<9,9>>>(\")x\" y") == Texts{"R\"x(k<<<9,9>>>(\")x\"", "y"});
  CHECK(texts("u8R\"(a\nb)\"z") == Texts{"u8R\"(a\nb)\"", "z"});
}

TEST_CASE("unterminated literals end with their line") {
  CHECK(texts("\"abc\nx") == Texts{"\"abc", "x"});
  CHECK(texts("it's\nx") == Texts{"it", "'s", "x"});
  CHECK(texts("R\"(abc") == Texts{"R\"(abc"});
  CHECK(texts("R\"a b(c)\" d").back() == "d");
}

TEST_CASE("chevrons") {
  CHECK(texts("k<<<1,1>>>(d)") == Texts{"k", "<<<", "1", ",", "1", ">", ">", ">", "(", "d", ")"});
  CHECK(texts("a<<b<<=c") == Texts{"a", "<<", "b", "<<=", "c"});
  CHECK(texts("operator<<<int>") == Texts{"operator", "<<", "<", "int", ">"});
  CHECK(texts("a>=b >>= c->d") == Texts{"a", ">=", "b", ">>=", "c", "->", "d"});
  CHECK(texts("k<<<::n(),1>>>") == Texts{"k", "<<<", "::", "n", "(", ")", ",", "1", ">", ">", ">"});
}

TEST_CASE("digraphs are what they stand for") {
  CHECK(texts("<% a<:0:> %>") == Texts{"{", "a", "[", "0", "]", "}"});
  CHECK(texts("f<::g>") == Texts{"f", "<", "::", "g", ">"});
}

TEST_CASE("comments and directives are white space, and lines are counted through them") {
  const TokenStream stream =
      lex("a /* x\n y */ b // c\n#pragma unroll\n#define X \\\n 3\nd \\\n e\n", {"f.cu", true});
  REQUIRE(stream.tokens.size() == 4);
  CHECK(stream.tokens[0].line == 1);
  CHECK(stream.tokens[1].line == 2);
  CHECK(stream.tokens[2].text == "d");
  CHECK(stream.tokens[2].line == 6);
  CHECK(stream.tokens[3].line == 7);
}

TEST_CASE("line markers name the file and line; system headers are skipped") {
  const TokenStream stream = lex(
      "# 0 \"f.cu\"\n# 1 \"f.cu\"\n# 1 \"/usr/include/x.h\" 1 3 4\nint hidden;\n# 2 \"f.cu\" 2\n"
      "a\n# 3 \"f.cu\" 3 4\n __null\n# 3 \"f.cu\"\n b\n# 1 \"own.h\" 1\nc\n",
      {"", true});
  REQUIRE(stream.tokens.size() == 4);
  CHECK(stream.tokens[0].text == "a");
  CHECK(stream.tokens[0].line == 2);
  CHECK(stream.tokens[1].text == "__null");  // a system macro expanded in one's own file
  CHECK(stream.tokens[1].line == 3);
  CHECK(stream.tokens[2].line == 3);
  CHECK(stream.files[static_cast<std::size_t>(stream.tokens[3].file)] == "own.h");
}

TEST_CASE("line markers") {
  LineMarker marker;
  CHECK(parse_line_marker("# 12 \"a b.cu\" 1 3 4", marker));
  CHECK(marker.line == 12);
  CHECK(marker.file == "a b.cu");
  CHECK(marker.enters);
  CHECK(marker.system);
  CHECK_FALSE(marker.returns);
  CHECK(parse_line_marker("#line 7 \"x\\\"y\\\\z\"", marker));
  CHECK(marker.file == "x\"y\\z");
  CHECK(parse_line_marker("# 1 \"gr\\303\\274n.cu\"", marker));
  CHECK(marker.file == "grün.cu");
  CHECK_FALSE(parse_line_marker("#pragma once", marker));
  CHECK_FALSE(parse_line_marker("", marker));
}
