#include "render/latex_symbols.h"

#include <algorithm>
#include <array>
#include <utility>

namespace grade::latex {
namespace {

using C = Class;
using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array symbols{
    // Greek
    Symbol{"alpha", "α"},
    Symbol{"beta", "β"},
    Symbol{"gamma", "γ"},
    Symbol{"delta", "δ"},
    Symbol{"epsilon", "ε"},
    Symbol{"varepsilon", "ε"},
    Symbol{"zeta", "ζ"},
    Symbol{"eta", "η"},
    Symbol{"theta", "θ"},
    Symbol{"vartheta", "ϑ"},
    Symbol{"iota", "ι"},
    Symbol{"kappa", "κ"},
    Symbol{"lambda", "λ"},
    Symbol{"mu", "μ"},
    Symbol{"nu", "ν"},
    Symbol{"xi", "ξ"},
    Symbol{"pi", "π"},
    Symbol{"rho", "ρ"},
    Symbol{"sigma", "σ"},
    Symbol{"varsigma", "ς"},
    Symbol{"tau", "τ"},
    Symbol{"upsilon", "υ"},
    Symbol{"phi", "φ"},
    Symbol{"varphi", "φ"},
    Symbol{"chi", "χ"},
    Symbol{"psi", "ψ"},
    Symbol{"omega", "ω"},
    Symbol{"Gamma", "Γ"},
    Symbol{"Delta", "Δ"},
    Symbol{"Theta", "Θ"},
    Symbol{"Lambda", "Λ"},
    Symbol{"Xi", "Ξ"},
    Symbol{"Pi", "Π"},
    Symbol{"Sigma", "Σ"},
    Symbol{"Upsilon", "Υ"},
    Symbol{"Phi", "Φ"},
    Symbol{"Psi", "Ψ"},
    Symbol{"Omega", "Ω"},
    // Letters and signs
    Symbol{"partial", "∂"},
    Symbol{"nabla", "∇"},
    Symbol{"infty", "∞"},
    Symbol{"ell", "ℓ"},
    Symbol{"hbar", "ℏ"},
    Symbol{"Re", "Re"},
    Symbol{"Im", "Im"},
    Symbol{"emptyset", "∅"},
    Symbol{"varnothing", "∅"},
    Symbol{"top", "⊤"},
    Symbol{"bot", "⊥"},
    Symbol{"forall", "∀"},
    Symbol{"exists", "∃"},
    Symbol{"neg", "¬"},
    Symbol{"lnot", "¬"},
    Symbol{"prime", "′"},
    Symbol{"dagger", "†"},
    Symbol{"degree", "°"},
    Symbol{"ldots", "…"},
    Symbol{"dots", "…"},
    Symbol{"dotsc", "…"},
    Symbol{"cdots", "⋯"},
    Symbol{"dotsb", "⋯"},
    Symbol{"vdots", "⋮"},
    Symbol{"ddots", "⋱"},
    Symbol{"square", "□"},
    Symbol{"blacksquare", "■"},
    Symbol{"checkmark", "✓"},
    Symbol{"_", "_"},
    Symbol{"%", "%"},
    Symbol{"#", "#"},
    Symbol{"&", "&"},
    Symbol{"$", "$"},
    Symbol{"|", "‖"},
    Symbol{"backslash", "\\"},
    Symbol{"vert", "|"},
    Symbol{"Vert", "‖"},
    // Binary
    Symbol{"cdot", "·", C::binary},
    Symbol{"times", "×", C::binary},
    Symbol{"div", "÷", C::binary},
    Symbol{"pm", "±", C::binary},
    Symbol{"mp", "∓", C::binary},
    Symbol{"ast", "∗", C::binary},
    Symbol{"star", "⋆", C::binary},
    Symbol{"circ", "∘", C::binary},
    Symbol{"bullet", "•", C::binary},
    Symbol{"odot", "⊙", C::binary},
    Symbol{"oplus", "⊕", C::binary},
    Symbol{"otimes", "⊗", C::binary},
    Symbol{"ominus", "⊖", C::binary},
    Symbol{"cup", "∪", C::binary},
    Symbol{"cap", "∩", C::binary},
    Symbol{"setminus", "∖", C::binary},
    Symbol{"wedge", "∧", C::binary},
    Symbol{"land", "∧", C::binary},
    Symbol{"vee", "∨", C::binary},
    Symbol{"lor", "∨", C::binary},
    Symbol{"bmod", "mod", C::binary},
    // Relations
    Symbol{"le", "≤", C::relation},
    Symbol{"leq", "≤", C::relation},
    Symbol{"ge", "≥", C::relation},
    Symbol{"geq", "≥", C::relation},
    Symbol{"lt", "<", C::relation},
    Symbol{"gt", ">", C::relation},
    Symbol{"ne", "≠", C::relation},
    Symbol{"neq", "≠", C::relation},
    Symbol{"equiv", "≡", C::relation},
    Symbol{"approx", "≈", C::relation},
    Symbol{"sim", "∼", C::relation},
    Symbol{"simeq", "≃", C::relation},
    Symbol{"cong", "≅", C::relation},
    Symbol{"propto", "∝", C::relation},
    Symbol{"ll", "≪", C::relation},
    Symbol{"gg", "≫", C::relation},
    Symbol{"in", "∈", C::relation},
    Symbol{"notin", "∉", C::relation},
    Symbol{"ni", "∋", C::relation},
    Symbol{"subset", "⊂", C::relation},
    Symbol{"subseteq", "⊆", C::relation},
    Symbol{"supset", "⊃", C::relation},
    Symbol{"supseteq", "⊇", C::relation},
    Symbol{"to", "→", C::relation},
    Symbol{"rightarrow", "→", C::relation},
    Symbol{"longrightarrow", "⟶", C::relation},
    Symbol{"leftarrow", "←", C::relation},
    Symbol{"gets", "←", C::relation},
    Symbol{"leftrightarrow", "↔", C::relation},
    Symbol{"Rightarrow", "⇒", C::relation},
    Symbol{"implies", "⇒", C::relation},
    Symbol{"Longrightarrow", "⇒", C::relation},
    Symbol{"Leftarrow", "⇐", C::relation},
    Symbol{"iff", "⇔", C::relation},
    Symbol{"Leftrightarrow", "⇔", C::relation},
    Symbol{"mapsto", "↦", C::relation},
    Symbol{"uparrow", "↑", C::relation},
    Symbol{"downarrow", "↓", C::relation},
    Symbol{"mid", "|", C::relation},
    Symbol{"parallel", "∥", C::relation},
    Symbol{"perp", "⊥", C::relation},
    Symbol{"coloneqq", ":=", C::relation},
    Symbol{"triangleq", "≜", C::relation},
    // Delimiters
    Symbol{"lfloor", "⌊", C::open},
    Symbol{"rfloor", "⌋", C::close},
    Symbol{"lceil", "⌈", C::open},
    Symbol{"rceil", "⌉", C::close},
    Symbol{"langle", "⟨", C::open},
    Symbol{"rangle", "⟩", C::close},
    Symbol{"lvert", "|", C::open},
    Symbol{"rvert", "|", C::close},
    Symbol{"lVert", "‖", C::open},
    Symbol{"rVert", "‖", C::close},
    Symbol{"{", "{", C::open},
    Symbol{"}", "}", C::close},
    Symbol{"lbrace", "{", C::open},
    Symbol{"rbrace", "}", C::close},
    Symbol{"lbrack", "[", C::open},
    Symbol{"rbrack", "]", C::close},
    // Punctuation
    Symbol{"colon", ":", C::punctuation},
    // Big operators and named functions
    Symbol{"sum", "∑", C::function, true},
    Symbol{"prod", "∏", C::function, true},
    Symbol{"int", "∫", C::function},
    Symbol{"bigcup", "⋃", C::function, true},
    Symbol{"bigcap", "⋂", C::function, true},
    Symbol{"bigoplus", "⨁", C::function, true},
    Symbol{"max", "max", C::function, true},
    Symbol{"min", "min", C::function, true},
    Symbol{"sup", "sup", C::function, true},
    Symbol{"inf", "inf", C::function, true},
    Symbol{"lim", "lim", C::function, true},
    Symbol{"argmax", "argmax", C::function, true},
    Symbol{"argmin", "argmin", C::function, true},
    Symbol{"exp", "exp", C::function},
    Symbol{"log", "log", C::function},
    Symbol{"ln", "ln", C::function},
    Symbol{"lg", "lg", C::function},
    Symbol{"sin", "sin", C::function},
    Symbol{"cos", "cos", C::function},
    Symbol{"tan", "tan", C::function},
    Symbol{"sinh", "sinh", C::function},
    Symbol{"cosh", "cosh", C::function},
    Symbol{"tanh", "tanh", C::function},
    Symbol{"arctan", "arctan", C::function},
    Symbol{"det", "det", C::function},
    Symbol{"dim", "dim", C::function},
    Symbol{"ker", "ker", C::function},
    Symbol{"gcd", "gcd", C::function},
    Symbol{"deg", "deg", C::function},
    Symbol{"Pr", "Pr", C::function, true},
    // Space
    Symbol{",", " ", C::space},
    Symbol{":", " ", C::space},
    Symbol{">", " ", C::space},
    Symbol{";", " ", C::space},
    Symbol{" ", " ", C::space},
    Symbol{"thinspace", " ", C::space},
    Symbol{"!", "", C::space},
    Symbol{"quad", "   ", C::space},
    Symbol{"qquad", "      ", C::space},
    Symbol{"enspace", " ", C::space},
};

constexpr std::array superscripts{
    Pair{"0", "⁰"}, Pair{"1", "¹"}, Pair{"2", "²"}, Pair{"3", "³"}, Pair{"4", "⁴"}, Pair{"5", "⁵"},
    Pair{"6", "⁶"}, Pair{"7", "⁷"}, Pair{"8", "⁸"}, Pair{"9", "⁹"}, Pair{"+", "⁺"}, Pair{"−", "⁻"},
    Pair{"-", "⁻"}, Pair{"=", "⁼"}, Pair{"(", "⁽"}, Pair{")", "⁾"}, Pair{"a", "ᵃ"}, Pair{"b", "ᵇ"},
    Pair{"c", "ᶜ"}, Pair{"d", "ᵈ"}, Pair{"e", "ᵉ"}, Pair{"f", "ᶠ"}, Pair{"g", "ᵍ"}, Pair{"h", "ʰ"},
    Pair{"i", "ⁱ"}, Pair{"j", "ʲ"}, Pair{"k", "ᵏ"}, Pair{"l", "ˡ"}, Pair{"m", "ᵐ"}, Pair{"n", "ⁿ"},
    Pair{"o", "ᵒ"}, Pair{"p", "ᵖ"}, Pair{"r", "ʳ"}, Pair{"s", "ˢ"}, Pair{"t", "ᵗ"}, Pair{"u", "ᵘ"},
    Pair{"v", "ᵛ"}, Pair{"w", "ʷ"}, Pair{"x", "ˣ"}, Pair{"y", "ʸ"}, Pair{"z", "ᶻ"}, Pair{"T", "ᵀ"},
    Pair{"⊤", "ᵀ"}, Pair{"′", "′"}, Pair{"″", "″"}, Pair{"∗", "*"}, Pair{"*", "*"}};
constexpr std::array subscripts{
    Pair{"0", "₀"}, Pair{"1", "₁"}, Pair{"2", "₂"}, Pair{"3", "₃"}, Pair{"4", "₄"}, Pair{"5", "₅"},
    Pair{"6", "₆"}, Pair{"7", "₇"}, Pair{"8", "₈"}, Pair{"9", "₉"}, Pair{"+", "₊"}, Pair{"−", "₋"},
    Pair{"-", "₋"}, Pair{"a", "ₐ"}, Pair{"e", "ₑ"}, Pair{"h", "ₕ"}, Pair{"i", "ᵢ"}, Pair{"j", "ⱼ"},
    Pair{"k", "ₖ"}, Pair{"l", "ₗ"}, Pair{"m", "ₘ"}, Pair{"n", "ₙ"}, Pair{"o", "ₒ"}, Pair{"p", "ₚ"},
    Pair{"r", "ᵣ"}, Pair{"s", "ₛ"}, Pair{"t", "ₜ"}, Pair{"u", "ᵤ"}, Pair{"v", "ᵥ"}, Pair{"x", "ₓ"}};

constexpr std::array accents{Pair{"bar", "\u0304"},       Pair{"hat", "\u0302"},
                             Pair{"widehat", "\u0302"},   Pair{"tilde", "\u0303"},
                             Pair{"widetilde", "\u0303"}, Pair{"dot", "\u0307"},
                             Pair{"ddot", "\u0308"},      Pair{"vec", "\u20d7"},
                             Pair{"overline", "\u0305"},  Pair{"underline", "\u0332"}};

constexpr std::array double_struck{Pair{"C", "ℂ"}, Pair{"E", "𝔼"}, Pair{"N", "ℕ"}, Pair{"P", "ℙ"},
                                   Pair{"Q", "ℚ"}, Pair{"R", "ℝ"}, Pair{"Z", "ℤ"}, Pair{"1", "𝟙"}};
constexpr std::array script{Pair{"B", "ℬ"}, Pair{"E", "ℰ"}, Pair{"F", "ℱ"}, Pair{"H", "ℋ"},
                            Pair{"I", "ℐ"}, Pair{"L", "ℒ"}, Pair{"M", "ℳ"}, Pair{"R", "ℛ"}};

template <std::size_t N>
std::string_view lookup(const std::array<Pair, N>& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Pair& pair) { return pair.first == key; });
  return found == table.end() ? std::string_view{} : found->second;
}

template <std::size_t N>
std::optional<std::string> translated(const std::array<Pair, N>& table, std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view c = text.substr(0, character_length(text));
    const std::string_view there = lookup(table, c);
    if (there.empty()) return std::nullopt;
    result += there;
    text.remove_prefix(c.size());
  }
  return result;
}

}  // namespace

std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.empty() ? 0 : text[0]);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return std::min(length, text.size());
}

const Symbol* find_symbol(std::string_view name) {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const Symbol& symbol) { return symbol.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

std::optional<std::string> superscript(std::string_view text) {
  return translated(superscripts, text);
}
std::optional<std::string> subscript(std::string_view text) {
  return translated(subscripts, text);
}

std::string in_alphabet(std::string_view alphabet, std::string_view letters) {
  std::string result;
  while (!letters.empty()) {
    const std::string_view c = letters.substr(0, character_length(letters));
    const std::string_view there =
        alphabet == "mathbb" ? lookup(double_struck, c) : lookup(script, c);
    result += there.empty() ? c : there;
    letters.remove_prefix(c.size());
  }
  return result;
}

std::string_view accent(std::string_view name) {
  return lookup(accents, name);
}

}  // namespace grade::latex
