#include "render/document.h"

#include <md4c.h>

#include <charconv>
#include <cstdint>
#include <utility>

namespace grade {
namespace {

using Kind = Node::Kind;

class Builder {
 public:
  Builder() { open_.push_back(document_.get()); }

  Node& top() { return *open_.back(); }
  Node& push(Kind kind) {
    Node& node = add(kind);
    open_.push_back(&node);
    return node;
  }
  void pop() { open_.pop_back(); }
  Node& add(Kind kind, std::string text = {}) {
    top().children.push_back(std::make_unique<Node>());
    Node& node = *top().children.back();
    node.kind = kind;
    node.text = std::move(text);
    return node;
  }
  std::unique_ptr<Node> take() { return std::move(document_); }

 private:
  std::unique_ptr<Node> document_ = std::make_unique<Node>();
  std::vector<Node*> open_;
};

std::string attribute(const MD_ATTRIBUTE& value) {
  return {value.text, value.size};
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* data) {
  Builder& builder = *static_cast<Builder*>(data);
  switch (type) {
    case MD_BLOCK_DOC:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
      break;
    case MD_BLOCK_QUOTE:
      builder.push(Kind::quote);
      break;
    case MD_BLOCK_UL:
      builder.push(Kind::bullets).tight = static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0;
      break;
    case MD_BLOCK_OL: {
      const auto* list = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
      Node& node = builder.push(Kind::numbers);
      node.level = static_cast<int>(list->start);
      node.tight = list->is_tight != 0;
      break;
    }
    case MD_BLOCK_LI:
      builder.push(Kind::item);
      break;
    case MD_BLOCK_HR:
      builder.push(Kind::rule);
      break;
    case MD_BLOCK_H:
      builder.push(Kind::heading).level =
          static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_CODE:
      builder.push(Kind::code_block).text =
          attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      break;
    case MD_BLOCK_HTML:
      builder.push(Kind::html);
      break;
    case MD_BLOCK_P:
      builder.push(Kind::paragraph);
      break;
    case MD_BLOCK_TABLE:
      builder.push(Kind::table);
      break;
    case MD_BLOCK_TR:
      builder.push(Kind::row);
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
      Node& cell = builder.push(Kind::cell);
      cell.header = type == MD_BLOCK_TH;
      const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
      cell.alignment = align == MD_ALIGN_CENTER ? 1 : align == MD_ALIGN_RIGHT ? 2 : 0;
      break;
    }
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void* /*detail*/, void* data) {
  if (type != MD_BLOCK_DOC && type != MD_BLOCK_THEAD && type != MD_BLOCK_TBODY) {
    static_cast<Builder*>(data)->pop();
  }
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* data) {
  Builder& builder = *static_cast<Builder*>(data);
  switch (type) {
    case MD_SPAN_STRONG:
      builder.push(Kind::strong);
      break;
    case MD_SPAN_A:
      builder.push(Kind::link).text = attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
      break;
    case MD_SPAN_IMG:
      builder.push(Kind::image).text = attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
      break;
    case MD_SPAN_CODE:
      builder.push(Kind::code);
      break;
    case MD_SPAN_DEL:
      builder.push(Kind::deleted);
      break;
    case MD_SPAN_LATEXMATH:
      builder.push(Kind::formula);
      break;
    case MD_SPAN_LATEXMATH_DISPLAY:
      builder.push(Kind::display);
      break;
    default:
      builder.push(Kind::emphasis);
      break;
  }
  return 0;
}

int leave_span(MD_SPANTYPE /*type*/, void* /*detail*/, void* data) {
  static_cast<Builder*>(data)->pop();
  return 0;
}

std::string utf8(std::uint32_t c) {
  std::string text;
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | (c >> 6));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (c >> 18));
    text += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  }
  return text;
}

std::string entity(std::string_view name) {
  struct Named {
    std::string_view name, text;
  };
  static constexpr Named table[] = {{"&lt;", "<"},    {"&gt;", ">"},        {"&amp;", "&"},
                                    {"&quot;", "\""}, {"&nbsp;", "\u00a0"}, {"&ndash;", "–"},
                                    {"&mdash;", "—"}, {"&hellip;", "…"},    {"&times;", "×"},
                                    {"&minus;", "−"}, {"&rarr;", "→"}};
  for (const Named& each : table) {
    if (each.name == name) return std::string(each.text);
  }
  if (name.starts_with("&#")) {
    const bool hexadecimal = name.size() > 2 && (name[2] == 'x' || name[2] == 'X');
    const std::string_view digits = name.substr(hexadecimal ? 3 : 2);
    std::uint32_t c = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), c, hexadecimal ? 16 : 10);
    if (c >= 0x20 && c < 0x110000) return utf8(c);
  }
  return std::string(name);
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
  Builder& builder = *static_cast<Builder*>(data);
  const std::string content(text, size);
  switch (type) {
    case MD_TEXT_BR:
      builder.add(Kind::line_break);
      break;
    case MD_TEXT_SOFTBR:
      builder.add(Kind::soft_break);
      break;
    case MD_TEXT_ENTITY:
      builder.add(Kind::text, entity(content));
      break;
    case MD_TEXT_HTML:
      if (builder.top().kind == Kind::html) {
        builder.add(Kind::text, content);
      } else if (content.starts_with("<br")) {
        builder.add(Kind::line_break);
      }
      break;
    case MD_TEXT_NULLCHAR:
      break;
    default:
      builder.add(Kind::text, content);
      break;
  }
  return 0;
}

}  // namespace

std::unique_ptr<Node> parse_markdown(std::string_view markdown) {
  std::string text(markdown);
  std::erase(text, '\r');
  MD_PARSER parser{};
  parser.flags =
      MD_FLAG_LATEXMATHSPANS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_PERMISSIVEAUTOLINKS;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = add_text;
  Builder builder;
  if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &builder) != 0) {
    return nullptr;
  }
  return builder.take();
}

std::string plain(const Node& node) {
  if (node.kind == Node::Kind::soft_break || node.kind == Node::Kind::line_break) return "\n";
  if (node.kind == Node::Kind::text) return node.text;
  std::string text;
  for (const auto& child : node.children) text += plain(*child);
  return text;
}

bool is_figure(const Node& node) {
  return node.kind == Node::Kind::paragraph && node.children.size() == 1 &&
         node.children[0]->kind == Node::Kind::image;
}

}  // namespace grade
