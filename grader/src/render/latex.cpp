#include "render/latex.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "render/latex_symbols.h"
#include "render/latex_tree.h"
#include "terminal/text.h"

namespace grade {
namespace {

using latex::Class;
using latex::Node;
using terminal::pad_right;
using terminal::width;

// A rectangle of text; `baseline` is the line that aligns with its neighbours'.
struct Box {
  std::vector<std::string> lines{""};
  int columns = 0;
  int baseline = 0;

  int height() const { return static_cast<int>(lines.size()); }
  bool flat() const { return lines.size() == 1; }
};

Box line_box(std::string text) {
  Box box;
  box.columns = width(text);
  box.lines = {std::move(text)};
  return box;
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// Sets b to the right of a, baselines level.
Box beside(const Box& a, const Box& b) {
  if (a.flat() && b.flat() && a.baseline == 0 && b.baseline == 0) {
    return line_box(a.lines[0] + b.lines[0]);
  }
  Box box;
  box.columns = a.columns + b.columns;
  box.baseline = std::max(a.baseline, b.baseline);
  const int below = std::max(a.height() - a.baseline, b.height() - b.baseline);
  box.lines.clear();
  for (int i = 0; i < box.baseline + below; ++i) {
    const auto line_of = [&](const Box& part) {
      const int index = i - box.baseline + part.baseline;
      return index >= 0 && index < part.height()
                 ? pad_right(part.lines[static_cast<std::size_t>(index)], part.columns)
                 : spaces(part.columns);
    };
    box.lines.push_back(line_of(a) + line_of(b));
  }
  return box;
}

// Stacks boxes, centred; the baseline is that of box `level`.
Box stacked(const std::vector<Box>& parts, std::size_t level) {
  Box box;
  box.lines.clear();
  for (const Box& part : parts) box.columns = std::max(box.columns, part.columns);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == level) box.baseline = box.height() + parts[i].baseline;
    const int left = (box.columns - parts[i].columns) / 2;
    for (const std::string& line : parts[i].lines) {
      box.lines.push_back(pad_right(spaces(left) + line, box.columns));
    }
  }
  return box;
}

// A delimiter as tall as `inside`.
Box tall(const std::string& delimiter, const Box& inside) {
  if (delimiter.empty()) return line_box("");
  if (inside.flat()) return line_box(delimiter);
  struct Glyphs {
    const char *name, *top, *middle, *bottom, *only;
  };
  static constexpr Glyphs table[] = {
      {"(", "⎛", "⎜", "⎝", "⎜"}, {")", "⎞", "⎟", "⎠", "⎟"}, {"[", "⎡", "⎢", "⎣", "⎢"},
      {"]", "⎤", "⎥", "⎦", "⎥"}, {"⌈", "⎡", "⎢", "⎢", "⎢"}, {"⌉", "⎤", "⎥", "⎥", "⎥"},
      {"⌊", "⎢", "⎢", "⎣", "⎢"}, {"⌋", "⎥", "⎥", "⎦", "⎥"}, {"{", "⎧", "⎪", "⎩", "⎨"},
      {"}", "⎫", "⎪", "⎭", "⎬"}, {"|", "│", "│", "│", "│"}, {"‖", "‖", "‖", "‖", "‖"}};
  Box box;
  box.columns = 1;
  box.baseline = inside.baseline;
  box.lines.assign(inside.lines.size(), " ");
  const auto glyphs = std::find_if(std::begin(table), std::end(table),
                                   [&](const Glyphs& each) { return delimiter == each.name; });
  if (glyphs == std::end(table)) {  // angle brackets and such do not grow
    box.lines[static_cast<std::size_t>(inside.baseline)] = delimiter;
    return box;
  }
  const bool curly = delimiter == "{" || delimiter == "}";
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    const bool waist = curly && box.lines.size() > 2 && i == (box.lines.size() - 1) / 2;
    box.lines[i] = i == 0                      ? glyphs->top
                   : i + 1 == box.lines.size() ? glyphs->bottom
                   : waist                     ? glyphs->only
                                               : glyphs->middle;
  }
  return box;
}

// A node without the braces round it.
const Node& unwrapped(const Node& node) {
  const Node* inner = &node;
  while (inner->kind == Node::Kind::row && inner->children.size() == 1)
    inner = inner->children[0].get();
  return *inner;
}

Class left_class(const Node& node) {
  return node.kind == Node::Kind::delimited ? Class::open : node.category;
}
Class right_class(const Node& node) {
  return node.kind == Node::Kind::delimited ? Class::close : node.category;
}

// A name or a number, without an operator or a bracket in it.
bool is_word(const Node& node, std::string_view text) {
  const Node& inner = unwrapped(node);
  const auto plain = [](const Node& each) {
    return each.category == Class::ordinary &&
           (each.kind == Node::Kind::atom || each.kind == Node::Kind::accent);
  };
  const bool all_plain = inner.kind == Node::Kind::row
                             ? std::all_of(inner.children.begin(), inner.children.end(),
                                           [&](const auto& child) { return plain(*child); })
                             : plain(inner);
  return all_plain && text.find_first_of(" /|") == std::string_view::npos;
}

// True when dividing by, or raising to, the node needs parentheses.
bool is_compound(const Node& node) {
  const Node& inner = unwrapped(node);
  const bool differential =
      inner.kind == Node::Kind::row && inner.children.size() == 2 && inner.children[0]->text == "∂";
  return (inner.kind == Node::Kind::row && inner.children.size() > 1 && !differential) ||
         inner.kind == Node::Kind::fraction;
}

// True when a sum, a relation or a named function stands at the top.
bool is_sum(const Node& node) {
  const Node& inner = unwrapped(node);
  if (inner.kind != Node::Kind::row) return inner.kind == Node::Kind::fraction;
  return std::any_of(inner.children.begin() + (inner.children.empty() ? 0 : 1),
                     inner.children.end(), [](const auto& child) {
                       return child->category == Class::binary ||
                              child->category == Class::relation;
                     });
}

struct Mode {
  bool stack = false;    // more than one line may be used
  bool compact = false;  // inside a script: no spaces round operators
};

Box render(const Node& node, Mode mode);

std::string flat_text(const Node& node, bool compact) {
  return render(node, {false, compact}).lines[0];
}

// True when child `i` of a row is multiplied with a neighbour.
bool is_factor(const std::vector<latex::NodePointer>& row, std::size_t i) {
  const auto multiplies = [](const Node& neighbour) {
    return neighbour.category == Class::ordinary || neighbour.category == Class::function;
  };
  std::size_t next = i + 1;
  while (next < row.size() && row[next]->category == Class::space) ++next;
  std::size_t previous = i;
  while (previous > 0 && row[previous - 1]->category == Class::space) --previous;
  return (next < row.size() && (multiplies(*row[next]) || row[next]->category == Class::open)) ||
         (previous > 0 && row[previous - 1]->category == Class::ordinary);
}

Box render_row(const Node& node, Mode mode) {
  Box box = line_box("");
  Class last = Class::open;  // what stands left of a sign at the start makes it unary
  bool last_was_stack = false;
  bool pending_space = false;
  bool ends_with_space = false;
  bool last_is_prefix = false;  // ∂, ∇: stick to what follows
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = *node.children[i];
    Class left = left_class(child);
    Class right = right_class(child);
    if (left == Class::space) {
      if (!child.text.empty()) {
        // One space is enough beside what is spaced anyway; wide ones are kept.
        if (child.text.size() > 1) box = beside(box, line_box(child.text));
        pending_space = child.text.size() == 1;
      }
      continue;
    }
    const bool word = child.kind == Node::Kind::atom && child.text.size() > 1 &&
                      std::isalpha(static_cast<unsigned char>(child.text[0])) != 0;
    if (left == Class::binary) {
      const bool at_end = i + 1 == node.children.size();
      const bool nothing_left = last == Class::open || last == Class::binary ||
                                last == Class::relation || last == Class::punctuation ||
                                last == Class::function;
      if ((nothing_left || at_end) && !word) left = right = Class::ordinary;
    }
    Box part = render(child, mode);
    if (part.flat() && unwrapped(child).kind == Node::Kind::fraction &&
        is_factor(node.children, i)) {
      part = line_box("(" + part.lines[0] + ")");  // "(1/T) x", not "1/T x"
    }
    const bool is_stack = !part.flat();
    bool space = false;
    const auto either = [&](Class c) { return last == c || left == c; };
    if (box.columns > 0) {
      if (either(Class::binary) || either(Class::relation)) {
        space = !mode.compact || word || (i > 0 && node.children[i - 1]->text == "mod");
        if (left == Class::relation && last == Class::relation)
          space = false;  // "<" "=" as one sign
      } else if (last == Class::punctuation) {
        space = !mode.compact;
      } else if (left == Class::punctuation || last == Class::open || left == Class::close) {
        space = false;
      } else if (last == Class::function) {
        space = left != Class::open || node.children[i - 1]->kind == Node::Kind::scripts;
      } else if (left == Class::function) {
        space = true;
      } else {
        space = child.space_before && !last_is_prefix && !mode.compact;
        if (mode.stack && (is_stack || last_was_stack)) space = true;
      }
      space = space || pending_space;
    }
    if (space && !ends_with_space && !child.text.starts_with(' ')) box = beside(box, line_box(" "));
    box = beside(box, part);
    ends_with_space = child.text.ends_with(' ');
    pending_space = false;
    last = right;
    last_was_stack = is_stack;
    last_is_prefix =
        child.text == "∂" || child.text == "∇" || child.text == "¬" || child.text == "Δ";
  }
  return box;
}

Box render_fraction(const Node& node, Mode mode) {
  const Node& above = *node.children[0];
  const Node& below = *node.children[1];
  if (mode.stack && !node.small) {
    const Box top = render(above, {false, false});
    const Box bottom = render(below, {false, false});
    const int columns = std::max(top.columns, bottom.columns);
    return stacked({top, line_box(node.bare ? "" : repeated("─", columns)), bottom}, 1);
  }
  std::string top = flat_text(above, mode.compact);
  std::string bottom = flat_text(below, mode.compact);
  if (node.bare) return line_box(top + " over " + bottom);
  if (is_sum(above)) top = "(" + top + ")";
  if (is_compound(below)) bottom = "(" + bottom + ")";
  return line_box(top + "/" + bottom);
}

std::string flat_script(const Node& script, char mark) {
  const std::string text = flat_text(script, true);
  if (text.empty()) return {};
  const auto small = mark == '^' ? latex::superscript(text) : latex::subscript(text);
  if (small) return *small;
  if (is_word(script, text)) return mark + text;
  return mark == '_' ? "[" + text + "]" : "^(" + text + ")";
}

// "∑[k=0…K−1]": limits in the middle of a line.
std::string flat_limits(const Node& node) {
  std::string limits;
  const std::string below = node.sub ? flat_text(*node.sub, true) : "";
  const std::string above = node.sup ? flat_text(*node.sup, true) : "";
  if (!below.empty() && above.empty()) {
    const auto small = latex::subscript(below);
    return small ? *small : "[" + below + "]";
  }
  if (below.empty()) return flat_script(*node.sup, '^');
  return "[" + below + "…" + above + "]";
}

Box render_scripts(const Node& node, Mode mode) {
  const Box base = render(*node.children[0], mode);
  if (node.limits) {
    if (!mode.stack || node.category == Class::relation) {
      if (node.category == Class::relation && !mode.stack) {
        const std::string label =
            node.sup ? flat_text(*node.sup, true) : flat_text(*node.sub, true);
        return line_box(base.lines[0] + "(" + label + ")");
      }
      if (!mode.stack) return line_box(base.lines[0] + flat_limits(node));
    }
    std::vector<Box> parts;
    if (node.sup) parts.push_back(render(*node.sup, {false, true}));
    parts.push_back(base);
    if (node.sub) parts.push_back(render(*node.sub, {false, true}));
    return stacked(parts, node.sup ? 1 : 0);
  }

  Box box = base;
  if (node.sub) {
    Box sub = line_box(flat_script(*node.sub, '_'));
    if (!base.flat()) {  // beside the last line of a tall base
      sub.baseline = -(base.height() - 1 - base.baseline);
    }
    box = beside(box, sub);
  }
  if (node.sup) {
    const std::string flat = flat_script(*node.sup, '^');
    if (mode.stack && flat.starts_with("^")) {
      Box sup = render(*node.sup, {false, true});
      sup.baseline = base.baseline + sup.height();  // above the base
      return beside(box, sup);
    }
    Box sup = line_box(flat);
    if (!base.flat()) sup.baseline = base.baseline;  // beside the first line
    box = beside(box, sup);
  }
  return box;
}

Box render_delimited(const std::string& open, const std::string& close, const Box& inside) {
  return beside(beside(tall(open, inside), inside), tall(close, inside));
}

bool is_alignment(const std::string& environment) {
  return environment.starts_with("align") || environment == "split" || environment == "gathered" ||
         environment == "gather" || environment == "eqnarray" || environment == "multline";
}

std::string flat_matrix(const Node& node) {
  const bool alignment = is_alignment(node.name);
  std::string text;
  for (std::size_t r = 0; r < node.cells.size(); ++r) {
    if (r > 0) text += "; ";
    for (std::size_t c = 0; c < node.cells[r].size(); ++c) {
      const std::string cell = flat_text(*node.cells[r][c], false);
      if (c > 0 && !cell.empty() && !text.empty() && text.back() != ' ') text += " ";
      text += cell;
    }
  }
  if (alignment) return text;
  if (node.name == "cases") return "{ " + text + " }";
  return node.text + text + node.closing;
}

Box render_matrix(const Node& node, Mode mode) {
  if (!mode.stack) return line_box(flat_matrix(node));
  const bool alignment = is_alignment(node.name);
  const bool cases = node.name == "cases";
  const int gap = alignment ? 0 : 2;

  std::vector<int> columns;
  std::vector<std::vector<Box>> cells;
  for (const auto& row : node.cells) {
    cells.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.back().push_back(render(*row[c], {alignment, false}));
      if (columns.size() <= c) columns.push_back(0);
      columns[c] = std::max(columns[c], cells.back().back().columns);
    }
  }
  const bool any_tall = std::any_of(cells.begin(), cells.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](const Box& cell) { return !cell.flat(); });
  });

  Box inside;
  inside.lines.clear();
  for (std::size_t r = 0; r < cells.size(); ++r) {
    Box line = line_box("");
    for (std::size_t c = 0; c < cells[r].size(); ++c) {
      const Box& cell = cells[r][c];
      int before = 0;
      if (alignment) {
        // Relations start the even columns: right against left; a gathered column is centred.
        before = columns.size() == 1 ? 0 : c % 2 == 0 ? columns[c] - cell.columns : 0;
        if (c % 2 == 1 && cell.columns > 0 && columns[c - 1] > 0)
          line = beside(line, line_box(" "));
      } else if (!cases) {
        before = (columns[c] - cell.columns + 1) / 2;
      }
      if (c > 0) line = beside(line, line_box(spaces(gap)));
      line = beside(line, line_box(spaces(before)));
      line = beside(line, cell);
      line = beside(line, line_box(spaces(columns[c] - before - cell.columns)));
    }
    if (r > 0 && alignment && any_tall) inside.lines.emplace_back();
    inside.columns = std::max(inside.columns, line.columns);
    inside.lines.insert(inside.lines.end(), line.lines.begin(), line.lines.end());
  }
  for (std::string& line : inside.lines) line = pad_right(line, inside.columns);
  inside.baseline = (inside.height() - 1) / 2;
  if (node.text.empty() && node.closing.empty()) return inside;
  const Box spaced = beside(beside(line_box(" "), inside), line_box(cases ? "" : " "));
  return render_delimited(node.text, node.closing, inside.flat() ? inside : spaced);
}

Box render_accent(const Node& node) {
  std::string_view text;
  const std::string inside = flat_text(*node.children[0], true);
  text = inside;
  const bool along = node.text == "\u0304" || node.text == "\u0305" || node.text == "\u0332";
  std::string result;
  bool first = true;
  while (!text.empty()) {
    const std::string_view c = text.substr(0, latex::character_length(text));
    text.remove_prefix(c.size());
    result += c;
    if (width(c) > 0 && (first || along)) result += node.text;
    first = false;
  }
  return line_box(result);
}

Box render_brace(const Node& node, Mode mode) {
  const Node* label = node.sub ? node.sub.get() : node.sup.get();
  if (!mode.stack) {
    const std::string body = flat_text(*node.children[0], mode.compact);
    return line_box(label == nullptr ? body : body + " (" + flat_text(*label, false) + ")");
  }
  const Box body = render(*node.children[0], mode);
  const Box text = label == nullptr ? line_box("") : render(*label, {false, false});
  const int columns = std::max(body.columns, 3);
  const int left = (columns - 3) / 2;
  const int right = columns - 3 - left;
  if (node.name == "overbrace") {
    return stacked(
        {text, line_box("┌" + repeated("─", left) + "┴" + repeated("─", right) + "┐"), body}, 2);
  }
  return stacked(
      {body, line_box("└" + repeated("─", left) + "┬" + repeated("─", right) + "┘"), text}, 0);
}

Box render(const Node& node, Mode mode) {
  switch (node.kind) {
    case Node::Kind::row:
      return render_row(node, mode);
    case Node::Kind::atom:
      return line_box(node.text);
    case Node::Kind::scripts:
      return render_scripts(node, mode);
    case Node::Kind::fraction:
      return render_fraction(node, mode);
    case Node::Kind::root: {
      const std::string degree = node.sub ? flat_text(*node.sub, true) : "";
      const auto small = latex::superscript(degree);
      const Box sign = line_box((degree == "2" || degree.empty() ? ""
                                 : small                         ? *small
                                                                 : degree) +
                                "√");
      const Box inside = render(*node.children[0], mode);
      if (inside.flat() && !is_compound(*node.children[0])) return beside(sign, inside);
      return beside(sign, render_delimited("(", ")", inside));
    }
    case Node::Kind::delimited:
      return render_delimited(node.text, node.closing, render(*node.children[0], mode));
    case Node::Kind::matrix:
      return render_matrix(node, mode);
    case Node::Kind::accent:
      return render_accent(node);
    case Node::Kind::brace:
      return render_brace(node, mode);
    case Node::Kind::phantom:
      return line_box(spaces(node.children.empty() ? 0 : render(*node.children[0], {}).columns));
  }
  return {};
}

}  // namespace

std::string inline_formula(std::string_view latex) {
  return flat_text(*latex::parse(latex), false);
}

std::vector<std::string> display_formula(std::string_view latex, int columns) {
  const latex::NodePointer tree = latex::parse(latex);
  Box box = render(*tree, {true, false});
  if (box.columns > columns) return terminal::wrap(flat_text(*tree, false), columns, 4);
  for (std::string& line : box.lines) {
    while (line.ends_with(' ')) line.pop_back();
  }
  return std::move(box.lines);
}

}  // namespace grade
