#include "render/latex.h"

#include <doctest/doctest.h>

using grade::display_formula;
using grade::inline_formula;

namespace {
std::string display(const std::string& latex, int columns = 76) {
  std::string text;
  for (const std::string& line : display_formula(latex, columns)) text += line + "\n";
  return text;
}
}  // namespace

TEST_CASE("formulas on one line") {
  struct Case {
    const char *latex, *text;
  };
  const Case cases[] = {
      {"C_{r,c}", "C[r,c]"},
      {"x_i + y_{12}", "xᵢ + y₁₂"},
      {"b_c", "b_c"},
      {"x_{max}", "xₘₐₓ"},
      {"2^{31} - 1", "2³¹ − 1"},
      {"W^\\top", "Wᵀ"},
      {"W^{T}", "Wᵀ"},
      {"e^{-x}", "e⁻ˣ"},
      {"e^{x_i - m}", "e^(xᵢ−m)"},
      {"y'' ", "y′′"},
      {"\\alpha\\beta", "αβ"},
      {"a+b", "a + b"},
      {"-1", "−1"},
      {"a \\cdot (-2)", "a · (−2)"},
      {"r=\\lfloor i/N \\rfloor", "r = ⌊i/N⌋"},
      {"i \\bmod N", "i mod N"},
      {"0 \\le c < N", "0 ≤ c < N"},
      {"\\frac{a+b}{2c}", "(a + b)/(2c)"},
      {"\\frac12", "1/2"},
      {"\\frac{1}{2} x", "(1/2) x"},
      {"\\frac{\\partial L}{\\partial x}", "∂L/∂x"},
      {"\\sqrt{x}", "√x"},
      {"\\sqrt{x + 1}", "√(x + 1)"},
      {"\\sqrt[3]{x}", "³√x"},
      {"\\sum_i x_i", "∑ᵢ xᵢ"},
      {"\\sum_{k=0}^{K-1} a_k", "∑[k=0…K−1] aₖ"},
      {"\\max_j x_j", "maxⱼ xⱼ"},
      {"\\exp(x)", "exp(x)"},
      {"x \\tanh u", "x tanh u"},
      {"\\bar{P}_e", "P\u0304ₑ"},
      {"\\mathbb{R}^{n}", "ℝⁿ"},
      {"\\text{if } x > 0", "if x > 0"},
      {"\\mathtt{A}[rK + k]", "A[rK + k]"},
      {"C \\mathrel{+}= 1", "C += 1"},
      {"\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}", "(1 2; 3 4)"},
      {"\\begin{cases} x & x > 0 \\\\ 0 & \\text{else} \\end{cases}", "{ x x > 0; 0 else }"},
      {"3{,}000", "3,000"},
      {"\\left( \\frac{a}{b} \\right)", "(a/b)"},
      {"\\|x\\|_2", "‖x‖₂"},
      {"a \\unknown b", "a unknown b"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.latex);
    CHECK(inline_formula(each.latex) == each.text);
  }
}

TEST_CASE("displayed formulas use more lines") {
  CHECK(display("\\frac{a}{b+c} = x") ==
        "  a\n"
        "───── = x\n"
        "b + c\n");
  CHECK(display("\\sum_{k=0}^{K-1} a_k") ==
        "K−1\n"
        " ∑  aₖ\n"
        "k=0\n");
  CHECK(display("\\begin{bmatrix} 1 & 0 \\\\ 10 & -1 \\end{bmatrix}") ==
        "⎡  1   0 ⎤\n"
        "⎣ 10  −1 ⎦\n");
  CHECK(display("f = \\begin{cases} x & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}") ==
        "f = ⎧ x  x > 0\n"
        "    ⎩ 0  otherwise\n");
  CHECK(display("\\mathbb{R}^{T \\times D}") ==
        " T×D\n"
        "ℝ\n");
}

TEST_CASE("a formula that is too wide goes on one line and wraps") {
  const std::string text = display("\\frac{a + b + c + d}{2} = e + f + g + h", 20);
  CHECK(text.find("(a + b + c + d)/2") == 0);
}

TEST_CASE("broken LaTeX is shown, not refused") {
  for (const char* latex : {"",
                            "{",
                            "}",
                            "\\frac",
                            "\\frac{a",
                            "a_",
                            "^",
                            "x^^2",
                            "\\left(",
                            "\\right)",
                            "\\begin{matrix} 1 & 2",
                            "\\end{matrix}",
                            "\\begin",
                            "&",
                            "\\\\",
                            "\\sqrt[",
                            "\\",
                            "_{}",
                            "\\not",
                            "x_{a_{b_{c}}}",
                            "\\text{",
                            "''"}) {
    CAPTURE(latex);
    inline_formula(latex);
    display(latex);
  }
  CHECK(true);
}
