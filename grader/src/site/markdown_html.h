// Markdown as HTML. What a page knows and Markdown does not comes in through MarkdownPage.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "site/code_html.h"
#include "site/formula_setter.h"

namespace grade::site {

struct MarkdownPage {
  // The formulas met so far. In the HTML each is a mark, which set_formulas() replaces: a page's
  // formulas are set all at once.
  std::vector<FormulaText> formulas;
  // The address for a link's target as written; empty when it leads nowhere on the site.
  std::function<std::string(std::string_view target)> link;
  // The picture as HTML; empty when there is no such file.
  std::function<std::string(std::string_view source)> figure;
  // `name` stands alone in code, in running text or in a block.
  LinkOfName link_of_code;
  LinkOfName link_of_name;
  // A lesson's number in running text.
  LinkOfName link_of_number;
  // Ids by heading; others are made from the heading.
  std::map<std::string, std::string> heading_ids;
  std::map<std::string, int> ids;  // how often each was used
};

// `shift` makes "#" a heading of level 1 + shift.
std::string markdown_html(std::string_view markdown, MarkdownPage& page, int shift = 0);

// A single paragraph without its <p>.
std::string inline_html(std::string_view markdown, MarkdownPage& page);

std::string set_formulas(std::string_view html, const MarkdownPage& page, FormulaSetter& setter);

}  // namespace grade::site
