#include <algorithm>
#include <cctype>
#include <utility>

#include "render/latex_symbols.h"
#include "render/latex_tree.h"

namespace grade::latex {
namespace {

NodePointer make(Node::Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

NodePointer atom(std::string_view text, Class category = Class::ordinary) {
  auto node = make(Node::Kind::atom);
  node->text = text;
  node->category = category;
  return node;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

class Parser {
 public:
  explicit Parser(std::string_view latex) : rest_(latex) {}

  NodePointer parse_all() {
    auto row = parse_row();
    while (!rest_.empty()) {  // a stray } or & or \\: go on behind it
      if (starts("\\\\")) {
        take(2);
        row->children.push_back(atom("   ", Class::space));
      } else if (starts("\\end") || starts("\\right")) {
        command();
      } else {
        take(1);
      }
      auto more = parse_row();
      for (auto& child : more->children) row->children.push_back(std::move(child));
    }
    return row;
  }

 private:
  bool starts(std::string_view text) const { return rest_.starts_with(text); }
  void take(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }
  bool skip_space() {
    bool any = false;
    while (!rest_.empty() && (is_space(rest_[0]) || rest_[0] == '%')) {
      any = true;
      if (rest_[0] == '%') {  // a comment
        while (!rest_.empty() && rest_[0] != '\n') take(1);
      } else {
        take(1);
      }
    }
    return any;
  }

  // "\name" or "\," off the front; the name alone.
  std::string command() {
    take(1);
    std::string name;
    if (!rest_.empty() && !is_letter(rest_[0])) {
      const std::size_t length = character_length(rest_);
      name = rest_.substr(0, length);
      take(length);
      return name;
    }
    while (!rest_.empty() && is_letter(rest_[0])) {
      name += rest_[0];
      take(1);
    }
    if (!rest_.empty() && rest_[0] == '*') take(1);
    return name;
  }

  // "{...}" as it is written, without the braces; or one character.
  std::string raw_argument() {
    skip_space();
    if (rest_.empty()) return {};
    if (rest_[0] != '{') {
      const std::size_t length = character_length(rest_);
      std::string text(rest_.substr(0, length));
      take(length);
      return text;
    }
    take(1);
    std::string text;
    for (int depth = 1; !rest_.empty(); take(1)) {
      if (rest_[0] == '\\' && rest_.size() > 1) {
        text += rest_[0];
        take(1);
      } else if (rest_[0] == '{') {
        ++depth;
      } else if (rest_[0] == '}' && --depth == 0) {
        take(1);
        break;
      }
      text += rest_[0];
    }
    return text;
  }

  // The argument of \text and friends: words, in which only escapes and $...$ matter.
  static std::string words(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        ++i;
        if (is_letter(text[i])) {  // a command in text: its name says enough
          std::string name;
          while (i < text.size() && is_letter(text[i])) name += text[i++];
          --i;
          const Symbol* symbol = find_symbol(name);
          result += symbol == nullptr ? std::string_view(name) : symbol->text;
        } else {
          result += text[i] == ',' ? ' ' : text[i];
        }
      } else if (text[i] == '~') {
        result += ' ';
      } else if (text[i] != '{' && text[i] != '}' && text[i] != '$') {
        result += text[i];
      }
    }
    return result;
  }

  NodePointer argument() {
    skip_space();
    if (rest_.empty()) return make(Node::Kind::row);
    if (rest_[0] == '{') {
      take(1);
      auto row = parse_row();
      if (starts("}")) take(1);
      return row;
    }
    if (is_digit(rest_[0])) {  // \frac12: one digit each
      auto digit = atom(rest_.substr(0, 1));
      take(1);
      return digit;
    }
    auto node = parse_atom();
    return node ? std::move(node) : make(Node::Kind::row);
  }

  std::string optional_argument() {
    skip_space();
    if (rest_.empty() || rest_[0] != '[') return {};
    const std::size_t end = rest_.find(']');
    std::string text(rest_.substr(1, end == std::string_view::npos ? end : end - 1));
    take(end == std::string_view::npos ? rest_.size() : end + 1);
    return text;
  }

  std::string delimiter() {
    skip_space();
    if (rest_.empty()) return {};
    if (rest_[0] == '\\') {
      const std::string name = command();
      const Symbol* symbol = find_symbol(name);
      return symbol == nullptr ? std::string() : std::string(symbol->text);
    }
    const std::size_t length = character_length(rest_);
    std::string text(rest_.substr(0, length));
    take(length);
    if (text == ".") return {};
    if (text == "<") return "⟨";
    if (text == ">") return "⟩";
    return text;
  }

  // Up to a closing brace, "&", "\\", "\end", "\right" or the end.
  NodePointer parse_row() {
    auto row = make(Node::Kind::row);
    bool space = false;
    while (true) {
      space = skip_space() || space;
      if (rest_.empty() || rest_[0] == '}' || rest_[0] == '&' || starts("\\\\") ||
          is_command("end") || is_command("right") || is_command("cr")) {
        break;
      }
      if (rest_[0] == '^' || rest_[0] == '_' || rest_[0] == '\'') {
        NodePointer base =
            row->children.empty() ? make(Node::Kind::row) : std::move(row->children.back());
        if (!row->children.empty()) row->children.pop_back();
        row->children.push_back(parse_scripts(std::move(base)));
        space = false;
        continue;
      }
      auto node = parse_atom();
      if (!node) continue;
      node->space_before = space;
      space = false;
      row->children.push_back(std::move(node));
    }
    return row;
  }

  bool is_command(std::string_view name) const {
    return rest_.size() > name.size() && rest_[0] == '\\' && rest_.substr(1).starts_with(name) &&
           (rest_.size() == name.size() + 1 || !is_letter(rest_[name.size() + 1]));
  }

  NodePointer parse_scripts(NodePointer base) {
    NodePointer node;
    const bool extend = base->kind == Node::Kind::brace || (base->kind == Node::Kind::scripts &&
                                                            (rest_[0] == '_' ? !base->sub : true));
    if (extend) {
      node = std::move(base);
    } else {
      node = make(Node::Kind::scripts);
      node->space_before = base->space_before;
      node->category = base->category;
      node->limits = base->limits;
      node->children.push_back(std::move(base));
    }
    if (rest_[0] == '\'') {
      std::string primes;
      while (!rest_.empty() && rest_[0] == '\'') {
        primes += "′";
        take(1);
      }
      auto mark = atom(primes);
      if (node->sup) {
        node->sup->children.push_back(std::move(mark));
      } else {
        node->sup = make(Node::Kind::row);
        node->sup->children.push_back(std::move(mark));
      }
      return node;
    }
    const char which = rest_[0];
    take(1);
    auto script = argument();
    if (script->kind != Node::Kind::row) {
      auto row = make(Node::Kind::row);
      row->children.push_back(std::move(script));
      script = std::move(row);
    }
    NodePointer& slot = which == '_' ? node->sub : node->sup;
    if (slot) {
      for (auto& child : script->children) slot->children.push_back(std::move(child));
    } else {
      slot = std::move(script);
    }
    return node;
  }

  NodePointer parse_atom() {
    const char c = rest_[0];
    if (c == '\\') return parse_command();
    if (c == '{') {
      take(1);
      auto row = parse_row();
      if (starts("}")) take(1);
      return row;
    }
    if (c == '~') {
      take(1);
      return atom(" ", Class::space);
    }
    if (is_digit(c) || (c == '.' && rest_.size() > 1 && is_digit(rest_[1]))) {
      std::size_t length = 0;
      while (length < rest_.size() &&
             (is_digit(rest_[length]) ||
              (rest_[length] == '.' && length + 1 < rest_.size() && is_digit(rest_[length + 1])))) {
        ++length;
      }
      auto number = atom(rest_.substr(0, length));
      take(length);
      return number;
    }
    const std::size_t length = character_length(rest_);
    const std::string_view text = rest_.substr(0, length);
    take(length);
    switch (c) {
      case '+':
      case '*':
        return atom(text, Class::binary);
      case '-':
        return atom("−", Class::binary);
      case '=':
      case '<':
      case '>':
      case ':':
        return atom(text, Class::relation);
      case '(':
      case '[':
        return atom(text, Class::open);
      case ')':
      case ']':
        return atom(text, Class::close);
      case ',':
      case ';':
        return atom(text, Class::punctuation);
      default:
        return atom(text);
    }
  }

  NodePointer parse_command() {
    const std::string name = command();
    if (name == "frac" || name == "dfrac" || name == "tfrac" || name == "cfrac" ||
        name == "binom") {
      auto node = make(Node::Kind::fraction);
      node->small = name == "tfrac";
      node->bare = name == "binom";
      node->children.push_back(argument());
      node->children.push_back(argument());
      if (!node->bare) return node;
      auto delimited = make(Node::Kind::delimited);
      delimited->text = "(";
      delimited->closing = ")";
      delimited->children.push_back(std::move(node));
      return delimited;
    }
    if (name == "sqrt") {
      auto node = make(Node::Kind::root);
      const std::string degree = optional_argument();
      if (!degree.empty()) node->sub = parse(degree);
      node->children.push_back(argument());
      return node;
    }
    if (name == "left") return parse_delimited();
    if (name == "begin") return parse_environment();
    if (name == "text" || name == "textrm" || name == "textbf" || name == "textit" ||
        name == "mbox" || name == "texttt" || name == "mathtt" || name == "mathrm" ||
        name == "mathit" || name == "mathsf") {
      return atom(words(raw_argument()));
    }
    if (name == "operatorname") {
      auto node = atom(words(raw_argument()), Class::function);
      return node;
    }
    if (name == "mathbf" || name == "boldsymbol" || name == "bm" || name == "mathop" ||
        name == "boxed" || name == "ensuremath") {
      return argument();
    }
    if (name == "mathrel" || name == "mathbin") {
      auto node = argument();
      node->category = name == "mathrel" ? Class::relation : Class::binary;
      return node;
    }
    if (name == "mathbb" || name == "mathcal" || name == "mathscr") {
      return atom(in_alphabet(name == "mathbb" ? "mathbb" : "mathcal", words(raw_argument())));
    }
    if (const std::string_view mark = accent(name); !mark.empty()) {
      auto node = make(Node::Kind::accent);
      node->text = mark;
      node->children.push_back(argument());
      return node;
    }
    if (name == "underbrace" || name == "overbrace") {
      auto node = make(Node::Kind::brace);
      node->name = name;
      node->children.push_back(argument());
      return node;
    }
    if (name == "overset" || name == "stackrel" || name == "underset") {
      auto label = argument();
      auto node = make(Node::Kind::scripts);
      node->children.push_back(argument());
      const Node& base = *node->children[0];
      node->category = base.kind == Node::Kind::row && base.children.size() == 1
                           ? base.children[0]->category
                           : base.category;
      node->limits = true;
      (name == "underset" ? node->sub : node->sup) = std::move(label);
      return node;
    }
    if (name == "xrightarrow") {
      auto node = make(Node::Kind::scripts);
      node->category = Class::relation;
      node->limits = true;
      node->children.push_back(atom("⟶", Class::relation));
      node->sup = argument();
      return node;
    }
    if (name == "substack") {
      return argument();
    }
    if (name == "phantom" || name == "hphantom" || name == "vphantom") {
      auto node = make(Node::Kind::phantom);
      node->children.push_back(argument());
      if (name == "vphantom") node->children.clear();
      return node;
    }
    if (name == "pmod") {
      auto row = make(Node::Kind::row);
      row->children.push_back(atom(" (mod ", Class::open));
      row->children.push_back(argument());
      row->children.push_back(atom(")", Class::close));
      return row;
    }
    if (name == "not") {
      skip_space();
      auto node = rest_.empty() ? nullptr : parse_atom();
      if (node) node->text += "\u0338";
      return node;
    }
    if (name == "tag") {
      return atom("   (" + words(raw_argument()) + ")", Class::space);
    }
    if (name == "label" || name == "hspace" || name == "vspace" || name == "color" ||
        name == "style" || name == "class") {
      raw_argument();
      return nullptr;
    }
    // Sizes and layout that a terminal has no use for.
    for (const std::string_view ignored :
         {"big",       "Big",         "bigg",   "Bigg",      "bigl",     "bigr",  "Bigl",
          "Bigr",      "biggl",       "biggr",  "Biggl",     "Biggr",    "bigm",  "displaystyle",
          "textstyle", "scriptstyle", "limits", "nolimits",  "nonumber", "notag", "middle",
          "hline",     "mathstrut",   "strut",  "allowbreak"}) {
      if (name == ignored) return nullptr;
    }
    if (const Symbol* symbol = find_symbol(name)) {
      auto node = atom(symbol->text, symbol->category);
      node->limits = symbol->limits;
      return node;
    }
    return atom(name, name.size() > 1 ? Class::function : Class::ordinary);
  }

  NodePointer parse_delimited() {
    auto node = make(Node::Kind::delimited);
    node->text = delimiter();
    node->children.push_back(parse_row());
    while (starts("\\\\") || starts("&")) {  // not legal here; what follows still is shown
      take(starts("&") ? 1 : 2);
      auto more = parse_row();
      for (auto& child : more->children) node->children[0]->children.push_back(std::move(child));
    }
    if (is_command("right")) {
      command();
      node->closing = delimiter();
    }
    return node;
  }

  NodePointer parse_environment() {
    auto node = make(Node::Kind::matrix);
    node->name = raw_argument();
    if (!node->name.empty() && node->name.back() == '*') node->name.pop_back();
    const std::string& name = node->name;
    if (name == "array" || name == "alignedat" || name == "alignat") raw_argument();
    if (name == "pmatrix") node->text = "(", node->closing = ")";
    if (name == "bmatrix") node->text = "[", node->closing = "]";
    if (name == "Bmatrix") node->text = "{", node->closing = "}";
    if (name == "vmatrix") node->text = "|", node->closing = "|";
    if (name == "Vmatrix") node->text = "‖", node->closing = "‖";
    if (name == "cases") node->text = "{";

    node->cells.emplace_back();
    while (true) {
      node->cells.back().push_back(parse_row());
      if (starts("&") || starts("}")) {  // a stray brace ends a cell, too
        take(1);
      } else if (starts("\\\\") || is_command("cr")) {
        if (starts("\\\\")) {
          take(2);
          optional_argument();
        } else {
          command();
        }
        node->cells.emplace_back();
      } else {
        break;
      }
    }
    if (is_command("end")) {
      command();
      raw_argument();
    }
    // A final \\ opens no row.
    if (node->cells.size() > 1 && node->cells.back().size() == 1 &&
        node->cells.back()[0]->children.empty()) {
      node->cells.pop_back();
    }
    return node;
  }

  std::string_view rest_;
};

}  // namespace

NodePointer parse(std::string_view latex) {
  return Parser(latex).parse_all();
}

}  // namespace grade::latex
