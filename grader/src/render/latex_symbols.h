// The tables of the LaTeX renderer: commands, scripts, alphabets. Internal to the renderer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/latex_tree.h"

namespace grade::latex {

struct Symbol {
  std::string_view name;  // of the command, without the backslash
  std::string_view text;
  Class category = Class::ordinary;
  bool limits = false;
};

const Symbol* find_symbol(std::string_view name);

// The text in superscript or subscript characters; empty when one of them does not exist.
std::optional<std::string> superscript(std::string_view text);
std::optional<std::string> subscript(std::string_view text);

// A letter in the alphabet of \mathbb or \mathcal; the letter itself where there is none.
std::string in_alphabet(std::string_view alphabet, std::string_view letters);

// The combining mark of \bar, \hat, ...; empty when `name` is no accent.
std::string_view accent(std::string_view name);

// Splits UTF-8 text into its characters.
std::size_t character_length(std::string_view text);

}  // namespace grade::latex
