#include "render/markdown.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "render/document.h"
#include "render/highlight.h"
#include "render/latex.h"
#include "terminal/text.h"

namespace grade {
namespace {

using Kind = Node::Kind;

using terminal::pad_left;
using terminal::pad_right;
using terminal::Style;
using terminal::Terminal;
using terminal::width;
using terminal::wrap;

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

constexpr std::string_view no_break_space = "\u00a0";

std::string without_tags(std::string_view html) {
  std::string text;
  while (!html.empty()) {
    if (html.starts_with("<!--")) {
      const std::size_t end = html.find("-->");
      html.remove_prefix(end == std::string_view::npos ? html.size() : end + 3);
    } else if (html[0] == '<') {
      const std::size_t end = html.find('>');
      html.remove_prefix(end == std::string_view::npos ? html.size() : end + 1);
    } else {
      text += html[0];
      html.remove_prefix(1);
    }
  }
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

class Renderer {
 public:
  explicit Renderer(const Terminal& out) : out_(out) {}

  std::vector<std::string> blocks(const Node& parent, int columns, bool tight) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
      const Node& child = *parent.children[i];
      const Node* next = i + 1 < parent.children.size() ? parent.children[i + 1].get() : nullptr;
      std::vector<std::string> block = render(child, next, columns, parent);
      if (block.empty()) continue;
      if (!lines.empty() && !tight) lines.emplace_back();
      lines.insert(lines.end(), block.begin(), block.end());
      // A tight item's text comes without a paragraph: take it all at once.
      if (is_inline(child)) {
        while (i + 1 < parent.children.size() && is_inline(*parent.children[i + 1])) ++i;
      }
    }
    return lines;
  }

 private:
  std::vector<std::string> render(const Node& node, const Node* next, int columns,
                                  const Node& parent) const {
    switch (node.kind) {
      case Kind::heading:
        return heading(node, columns);
      case Kind::paragraph:
        if (is_figure(node)) {
          const bool has_twin =
              next != nullptr && next->kind == Kind::code_block && next->text == "text";
          if (has_twin) return {};
        }
        return prose(node, 0, columns);
      case Kind::code_block:
        return code_block(node, columns);
      case Kind::quote: {
        std::vector<std::string> lines = blocks(node, columns - 2, false);
        for (std::string& line : lines) {
          line.insert(0, out_.style(Style::dim, out_.can().unicode ? "│ " : "| "));
        }
        return lines;
      }
      case Kind::bullets:
      case Kind::numbers:
        return list(node, columns);
      case Kind::rule:
        return {out_.style(Style::dim, rule(columns))};
      case Kind::table:
        return table(node, columns);
      case Kind::html: {
        const std::string text = without_tags(plain(node));
        return text.empty() ? std::vector<std::string>{}
                            : wrap(out_.style(Style::bold, text), columns);
      }
      default: {
        if (!is_inline(node)) return blocks(node, columns, false);
        std::size_t first = 0;
        while (parent.children[first].get() != &node) ++first;
        return prose(parent, first, columns);
      }
    }
  }

  std::string rule(int columns) const {
    std::string line;
    for (int i = 0; i < columns; ++i) line += out_.can().unicode ? "─" : "-";
    return line;
  }

  std::vector<std::string> heading(const Node& node, int columns) const {
    std::string text = spans(node, 0);
    if (node.level > 2) text = out_.symbol(terminal::Symbol::current) + " " + text;
    std::vector<std::string> lines =
        wrap(out_.style(node.level <= 2 ? Style::heading : Style::bold, text), columns);
    if (node.level <= 2) {
      int widest = 0;
      for (const std::string& line : lines) widest = std::max(widest, width(line));
      lines.push_back(out_.style(Style::dim, rule(widest)));
    }
    return lines;
  }

  // The spans of a block from child `first` on, up to the next block, as wrapped lines; formulas
  // that are displayed stand on lines of their own.
  std::vector<std::string> prose(const Node& block, std::size_t first, int columns) const {
    std::vector<std::string> lines;
    std::string text;
    const auto flush = [&] {
      while (text.starts_with(' ')) text.erase(0, 1);
      while (text.ends_with(' ')) text.pop_back();
      if (text.empty()) return;
      const auto wrapped = wrap(text, columns);
      lines.insert(lines.end(), wrapped.begin(), wrapped.end());
      text.clear();
    };
    for (std::size_t i = first; i < block.children.size() && is_inline(*block.children[i]); ++i) {
      const Node& child = *block.children[i];
      if (child.kind != Kind::display) {
        text += span(child);
        continue;
      }
      flush();
      if (!lines.empty()) lines.emplace_back();
      for (const std::string& line : display_formula(plain(child), columns - 4)) {
        lines.push_back(line.empty() ? line : "    " + line);
      }
      const bool last = i + 1 == block.children.size() || !is_inline(*block.children[i + 1]);
      if (!last) lines.emplace_back();
    }
    flush();
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

  std::string spans(const Node& node, std::size_t first) const {
    std::string text;
    for (std::size_t i = first; i < node.children.size(); ++i) text += span(*node.children[i]);
    return text;
  }

  // Short formulas and code stay on one line.
  static std::string unbroken(std::string text) {
    constexpr int longest = 24;
    if (width(text) > longest) return text;
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at)) {
      text.replace(at, 1, no_break_space);
    }
    return text;
  }

  std::string span(const Node& node) const {
    switch (node.kind) {
      case Kind::text:
        return terminal::printable(node.text);
      case Kind::soft_break:
        return " ";
      case Kind::line_break:
        return "\n";
      case Kind::strong:
        return out_.style(Style::bold, spans(node, 0));
      case Kind::emphasis: {
        const std::string text = spans(node, 0);
        return out_.can().colour ? out_.style(Style::accent, text) : text;
      }
      case Kind::code: {
        const std::string text = unbroken(terminal::printable(plain(node)));
        return out_.can().colour ? out_.style(Style::code, text) : "`" + text + "`";
      }
      case Kind::formula:
      case Kind::display:
        return unbroken(inline_formula(plain(node)));
      case Kind::link: {
        const std::string text = spans(node, 0);
        const bool web = node.text.starts_with("http://") || node.text.starts_with("https://");
        if (web && out_.can().links) return out_.link(text, node.text);
        std::string target = node.text;
        while (target.starts_with("../")) target.erase(0, 3);
        const bool says_enough = text == target || target.starts_with("#");
        return says_enough ? text : text + " (" + target + ")";
      }
      case Kind::image:
        return "[figure: " + spans(node, 0) + "]";
      default:
        return spans(node, 0);
    }
  }

  std::vector<std::string> code_block(const Node& node, int columns) const {
    std::string code = terminal::printable(plain(node));
    const bool cpp =
        node.text == "cpp" || node.text == "c++" || node.text == "cuda" || node.text == "cu";
    const std::vector<std::string> source = cpp ? highlight_cpp(code, out_) : lines_of(code);
    std::vector<std::string> lines;
    // A narrow terminal gets the lines without indentation before they are broken.
    int widest = 0;
    for (const std::string& line : source) widest = std::max(widest, width(line));
    const int indent = widest + 4 <= columns ? 4 : widest + 2 <= columns ? 2 : 0;
    for (const std::string& line : source) {
      if (width(line) <= columns) {
        lines.push_back(line.empty() ? line : spaces(indent) + line);
        continue;
      }
      const std::vector<std::string> pieces = wrap(line, columns - 2, 2);
      lines.insert(lines.end(), pieces.begin(), pieces.end());
    }
    return lines;
  }

  std::vector<std::string> list(const Node& node, int columns) const {
    std::vector<std::string> lines;
    const int last = node.level + static_cast<int>(node.children.size()) - 1;
    const int mark_columns =
        node.kind == Kind::bullets ? 2 : static_cast<int>(std::to_string(last).size()) + 2;
    int number = node.level;
    for (const auto& item : node.children) {
      if (!lines.empty() && !node.tight) lines.emplace_back();
      const std::string mark = node.kind == Kind::bullets
                                   ? out_.symbol(terminal::Symbol::bullet) + " "
                                   : pad_left(std::to_string(number++), mark_columns - 2) + ". ";
      const auto content = blocks(*item, columns - 2 - mark_columns, node.tight);
      for (std::size_t i = 0; i < content.size(); ++i) {
        const std::string& line = content[i];
        lines.push_back(
            line.empty() && i > 0 ? line : "  " + (i == 0 ? mark : spaces(mark_columns)) + line);
      }
      if (content.empty()) lines.push_back("  " + mark);
    }
    return lines;
  }

  std::vector<std::string> table(const Node& node, int columns) const {
    std::vector<std::vector<std::string>> cells;
    std::vector<int> widths;
    for (const auto& row : node.children) {
      cells.emplace_back();
      for (std::size_t c = 0; c < row->children.size(); ++c) {
        const Node& cell = *row->children[c];
        std::string text = spans(cell, 0);
        if (cell.header) text = out_.style(Style::bold, text);
        if (widths.size() <= c) widths.push_back(1);
        widths[c] = std::max(widths[c], width(text));
        cells.back().push_back(std::move(text));
      }
    }
    const int gap = 2;
    const int available = columns - gap * (static_cast<int>(widths.size()) - 1);
    int total = 0;
    for (const int each : widths) total += each;
    while (total > available) {  // the widest column gives
      const auto widest = std::max_element(widths.begin(), widths.end());
      if (*widest <= 4) break;
      --*widest;
      --total;
    }

    std::vector<std::string> lines;
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::vector<std::vector<std::string>> wrapped;
      std::size_t height = 1;
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        wrapped.push_back(wrap(cells[r][c], widths[c]));
        height = std::max(height, wrapped.back().size());
      }
      for (std::size_t i = 0; i < height; ++i) {
        std::string line;
        for (std::size_t c = 0; c < wrapped.size(); ++c) {
          if (c > 0) line += spaces(gap);
          const std::string text = i < wrapped[c].size() ? wrapped[c][i] : "";
          const int alignment = node.children[r]->children[c]->alignment;
          const int slack = widths[c] - width(text);
          line += alignment == 2   ? spaces(slack) + text
                  : alignment == 1 ? pad_right(spaces(slack / 2) + text, widths[c])
                                   : pad_right(text, widths[c]);
        }
        while (line.ends_with(' ')) line.pop_back();
        lines.push_back(line);
      }
      if (r == 0) {
        std::string line;
        for (std::size_t c = 0; c < widths.size(); ++c) {
          if (c > 0) line += spaces(gap);
          line += rule(widths[c]);
        }
        lines.push_back(out_.style(Style::dim, line));
      }
    }
    return lines;
  }

  const Terminal& out_;
};

}  // namespace

std::vector<std::string> render_markdown(std::string_view markdown, int columns,
                                         const Terminal& out) {
  columns = std::max(columns, 10);
  const auto document = parse_markdown(markdown);
  if (!document) return lines_of(terminal::printable(markdown));  // the source is readable as well
  return Renderer(out).blocks(*document, columns, false);
}

std::vector<Section> split_sections(std::string_view markdown) {
  std::vector<Section> sections(1);
  bool in_code = false;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    std::string_view line = markdown.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("## ")) {
      sections.push_back({std::string(line.substr(3)), {}});
    } else {
      sections.back().text += std::string(line) + "\n";
    }
    if (end == std::string_view::npos) break;
    markdown.remove_prefix(end + 1);
  }
  if (sections[0].text.find_first_not_of(" \n") == std::string::npos)
    sections.erase(sections.begin());
  return sections;
}

}  // namespace grade
