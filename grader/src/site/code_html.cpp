#include "site/code_html.h"

#include <fmt/format.h>

#include "render/highlight.h"
#include "site/html.h"

namespace grade::site {
namespace {

const char* style_class(CodeKind kind) {
  switch (kind) {
    case CodeKind::keyword:
      return "k";
    case CodeKind::cuda:
      return "u";
    case CodeKind::literal:
      return "s";
    case CodeKind::number:
      return "n";
    case CodeKind::comment:
      return "c";
    case CodeKind::preprocessor:
      return "p";
    case CodeKind::plain:
      break;
  }
  return nullptr;
}

}  // namespace

std::string cpp_html(std::string_view code, const LinkOfName& link) {
  std::string html;
  for (const auto& tokens : cpp_tokens(code)) {
    for (const auto& [kind, text] : tokens) {
      if (const char* style = style_class(kind)) {
        html += fmt::format("<span class=\"{}\">{}</span>", style, escaped(text));
        continue;
      }
      const std::string target = link(text);
      html += target.empty() ? escaped(text)
                             : fmt::format("<a href=\"{}\">{}</a>", target, escaped(text));
    }
    html += '\n';
  }
  return html;
}

}  // namespace grade::site
