// Markdown, with LaTeX formulas between dollars, as a tree: what the terminal and the pages draw.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace grade {

// The document as md4c reports it.
struct Node {
  enum class Kind {
    // blocks
    document,
    quote,
    bullets,
    numbers,
    item,
    rule,
    heading,
    code_block,
    html,
    paragraph,
    table,
    row,
    cell,
    // spans and texts
    emphasis,
    strong,
    link,
    image,
    code,
    formula,
    display,
    deleted,
    text,
    line_break,
    soft_break,
  };
  Kind kind = Kind::document;
  std::string text;  // of texts and code; the language of a code block; a link's target
  int level = 0;     // of a heading; the first number of a list
  bool tight = false;
  bool header = false;  // of a cell
  int alignment = 0;    // of a cell: 0 left, 1 centre, 2 right
  std::vector<std::unique_ptr<Node>> children;
};

// GitHub's tables, struck text and bare links included. Null when there is no memory for it.
std::unique_ptr<Node> parse_markdown(std::string_view markdown);

// The text of a node and all below it, unstyled.
std::string plain(const Node& node);

// Emphasis, links, text ...: what stands inside a block.
inline bool is_inline(const Node& node) {
  return node.kind >= Node::Kind::emphasis;
}

// A paragraph that holds a picture and nothing else.
bool is_figure(const Node& node);

}  // namespace grade
