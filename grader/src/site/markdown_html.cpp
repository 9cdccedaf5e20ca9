#include "site/markdown_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "render/document.h"
#include "site/html.h"

namespace grade::site {
namespace {

using Kind = Node::Kind;

// Stand round a formula's number until it is set. They are no characters of any text.
constexpr char kMark = '\x02';
constexpr char kMarkEnd = '\x03';

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Writer {
 public:
  Writer(MarkdownPage& page, int shift) : page_(page), shift_(shift) {}

  void blocks(const Node& parent, bool tight = false) {
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
      const Node& child = *parent.children[i];
      if (is_inline(child)) {  // a tight item's text comes without a paragraph
        html += span(child);
        continue;
      }
      const bool drawn = i > 0 && is_figure(*parent.children[i - 1]) && last_figure_drawn_;
      block(child, tight, drawn);
    }
  }

  std::string spans(const Node& node) {
    std::string text;
    for (const auto& child : node.children) text += span(*child);
    return text;
  }

  std::string html;

 private:
  void block(const Node& node, bool tight, bool after_figure) {
    switch (node.kind) {
      case Kind::heading:
        heading(node);
        break;
      case Kind::paragraph:
        if (is_figure(node)) {
          figure(*node.children[0]);
        } else if (tight) {
          html += spans(node);
        } else {
          html += "<p>" + spans(node) + "</p>\n";
        }
        break;
      case Kind::code_block:
        code_block(node, after_figure);
        break;
      case Kind::quote:
        html += "<blockquote>\n";
        blocks(node);
        html += "</blockquote>\n";
        break;
      case Kind::bullets:
      case Kind::numbers: {
        const char* tag = node.kind == Kind::bullets ? "ul" : "ol";
        html += node.kind == Kind::numbers && node.level != 1
                    ? fmt::format("<ol start=\"{}\">\n", node.level)
                    : fmt::format("<{}>\n", tag);
        for (const auto& item : node.children) {
          html += "<li>";
          blocks(*item, node.tight);
          html += "</li>\n";
        }
        html += fmt::format("</{}>\n", tag);
        break;
      }
      case Kind::rule:
        html += "<hr>\n";
        break;
      case Kind::table:
        table(node);
        break;
      case Kind::html:
        break;  // the notes hold comments at most
      default:
        blocks(node, tight);
        break;
    }
  }

  void heading(const Node& node) {
    const std::string title = plain(node);
    const auto given = page_.heading_ids.find(title);
    std::string id = given == page_.heading_ids.end() ? id_of(title) : given->second;
    const int used = page_.ids[id]++;
    if (used > 0) id += fmt::format("-{}", used + 1);
    const int level = std::min(node.level + shift_, 6);
    html += fmt::format(
        "<h{0} id=\"{1}\">{2}<a class=\"anchor\" href=\"#{1}\" tabindex=\"-1\" "
        "aria-hidden=\"true\"></a></h{0}>\n",
        level, id, spans(node));
  }

  void figure(const Node& image) {
    const std::string drawing = page_.figure(image.text);
    last_figure_drawn_ = !drawing.empty();
    html += last_figure_drawn_ ? "<figure>" + drawing + "</figure>\n"
                               : "<p class=\"missing\">" + escaped(plain(image)) + "</p>\n";
  }

  void code_block(const Node& node, bool after_figure) {
    const std::string code = plain(node);
    const std::string& language = node.text;
    if (language == "text" && after_figure) {  // the same figure for a terminal
      html += "<details class=\"twin\"><summary>The same in text</summary><pre><code>" +
              escaped(code) + "</code></pre></details>\n";
    } else if (language == "cpp" || language == "c++" || language == "cuda" || language == "cu") {
      html += "<pre class=\"cpp\"><code>" + cpp_html(code, page_.link_of_name) + "</code></pre>\n";
    } else {
      html += fmt::format("<pre class=\"{}\"><code>{}</code></pre>\n",
                          language == "text" ? "text" : "plain", escaped(code));
    }
  }

  void table(const Node& node) {
    html += "<div class=\"table\"><table>\n";
    bool body = false;
    for (const auto& row : node.children) {
      const bool header = !row->children.empty() && row->children[0]->header;
      const bool empty = std::all_of(row->children.begin(), row->children.end(),
                                     [](const auto& cell) { return cell->children.empty(); });
      if (header && empty) continue;  // "| | |": Markdown's tables cannot do without
      if (header) html += "<thead>";
      if (!header && !body) {
        html += "<tbody>\n";
        body = true;
      }
      html += "<tr>";
      for (const auto& cell : row->children) {
        const char* align = cell->alignment == 1   ? " class=\"centre\""
                            : cell->alignment == 2 ? " class=\"right\""
                                                   : "";
        // An empty cell is no heading of anything.
        const bool names = header && !cell->children.empty();
        html += fmt::format("<{0}{1}>{2}</{3}>", names ? "th scope=\"col\"" : "td", align,
                            spans(*cell), names ? "th" : "td");
      }
      html += "</tr>\n";
      if (header) html += "</thead>\n";
    }
    if (body) html += "</tbody>\n";
    html += "</table></div>\n";
  }

  std::string span(const Node& node) {
    switch (node.kind) {
      case Kind::text:
        return in_link_ ? escaped(node.text) : with_numbers(node.text);
      case Kind::soft_break:
        return "\n";
      case Kind::line_break:
        return "<br>\n";
      case Kind::strong:
        return "<strong>" + spans(node) + "</strong>";
      case Kind::emphasis:
        return "<em>" + spans(node) + "</em>";
      case Kind::deleted:
        return "<del>" + spans(node) + "</del>";
      case Kind::code:
        return code(plain(node));
      case Kind::formula:
      case Kind::display:
        page_.formulas.push_back({plain(node), node.kind == Kind::display});
        return kMark + std::to_string(page_.formulas.size() - 1) + kMarkEnd;
      case Kind::link:
        return link(node);
      case Kind::image: {
        const std::string drawing = page_.figure(node.text);
        return drawing.empty() ? escaped(plain(node)) : drawing;
      }
      default:
        return spans(node);
    }
  }

  std::string code(const std::string& text) const {
    const std::string html_text = "<code>" + escaped(text) + "</code>";
    const std::string target = in_link_ ? "" : page_.link_of_code(text);
    return target.empty() ? html_text
                          : fmt::format("<a class=\"ref\" href=\"{}\">{}</a>", target, html_text);
  }

  std::string link(const Node& node) {
    const bool within = std::exchange(in_link_, true);
    const std::string text = spans(node);
    in_link_ = within;
    const std::string target = page_.link(node.text);
    return target.empty() ? text : fmt::format("<a href=\"{}\">{}</a>", escaped(target), text);
  }

  // Three digits that are a lesson's number lead to it: "020 uses this row by row".
  std::string with_numbers(std::string_view text) const {
    std::string result;
    std::size_t done = 0;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
      const bool three = digit(text[i]) && digit(text[i + 1]) && digit(text[i + 2]);
      const bool thousands = i > 1 && text[i - 1] == ',' && digit(text[i - 2]);  // 1,024
      const bool starts = i == 0 || (!in_word(text[i - 1]) && !thousands);
      // "012." ends a sentence; "012.5" is a number.
      const bool ends = i + 3 == text.size() || !in_word(text[i + 3]) ||
                        (text[i + 3] == '.' && (i + 4 == text.size() || !in_word(text[i + 4])));
      if (!three || !starts || !ends) continue;
      const std::string_view number = text.substr(i, 3);
      const std::string target = page_.link_of_number(number);
      if (target.empty()) continue;
      result += escaped(text.substr(done, i - done));
      result += fmt::format("<a class=\"ref\" href=\"{}\">{}</a>", target, number);
      done = i + 3;
      i += 2;
    }
    return result + escaped(text.substr(done));
  }

  MarkdownPage& page_;
  int shift_;
  bool in_link_ = false;
  bool last_figure_drawn_ = false;
};

}  // namespace

std::string markdown_html(std::string_view markdown, MarkdownPage& page, int shift) {
  const auto document = parse_markdown(markdown);
  if (!document) return "<pre>" + escaped(markdown) + "</pre>";
  Writer writer(page, shift);
  writer.blocks(*document);
  return writer.html;
}

std::string inline_html(std::string_view markdown, MarkdownPage& page) {
  const auto document = parse_markdown(markdown);
  if (!document) return escaped(markdown);
  Writer writer(page, 0);
  std::string html;
  for (const auto& block : document->children) {
    if (!html.empty()) html += ' ';
    html += writer.spans(*block);
  }
  return html;
}

std::string set_formulas(std::string_view html, const MarkdownPage& page, FormulaSetter& setter) {
  const std::vector<std::string> set = setter.set(page.formulas);
  std::string result;
  result.reserve(html.size() * 3);
  while (true) {
    const std::size_t mark = html.find(kMark);
    result += html.substr(0, mark);
    if (mark == std::string_view::npos) return result;
    const std::size_t end = html.find(kMarkEnd, mark);
    std::size_t index = 0;
    std::from_chars(html.data() + mark + 1, html.data() + end, index);
    result += set.at(index);
    html.remove_prefix(end + 1);
  }
}

}  // namespace grade::site
