// The syntax tree of a LaTeX formula, and its parser. Internal to the renderer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace grade::latex {

// How an atom behaves between its neighbours, as in TeX.
enum class Class { ordinary, function, binary, relation, open, close, punctuation, space };

struct Node;
using NodePointer = std::unique_ptr<Node>;

struct Node {
  enum class Kind {
    row,        // children, side by side
    atom,       // text
    scripts,    // children[0], then sub and sup (either may be null)
    fraction,   // children: above, below
    root,       // children[0]; degree in sub where given
    delimited,  // children[0] between text and closing
    matrix,     // rows of cells; text and closing are the delimiters; `name` the environment
    accent,     // children[0] with the combining mark `text`
    brace,      // children[0] with a label in sub (below) or sup (above)
    phantom,    // children[0], invisible
  };

  Kind kind = Kind::row;
  Class category = Class::ordinary;
  std::string text;
  std::string closing;
  std::string name;
  bool limits = false;  // scripts of a big operator go above and below
  bool bare = false;    // a fraction without a line
  bool small = false;   // \tfrac: never stacked
  bool space_before = false;
  std::vector<NodePointer> children;
  std::vector<std::vector<NodePointer>> cells;
  NodePointer sub;
  NodePointer sup;
};

NodePointer parse(std::string_view latex);

}  // namespace grade::latex
