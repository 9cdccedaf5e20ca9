// What a CUDA source declares, found from its tokens alone: functions with their bodies, memory
// spaces of variables, launches' surroundings. It is no C++ parser: it follows brackets,
// namespaces, classes and declarations, and where a declaration makes no sense it moves on.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lexer.h"

namespace simt::compiler {

inline constexpr std::size_t npos = static_cast<std::size_t>(-1);

// Half-open range of token indexes.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool contains(std::size_t index) const { return begin <= index && index < end; }
  bool empty() const { return begin >= end; }
};

struct Function {
  std::string_view name;  // last component; "operator" for operators
  std::size_t name_token = npos;
  Range head;        // from the first token of the declaration to the body or ';'
  Range parameters;  // inside the parentheses
  Range body;        // inside the braces; empty range for a declaration
  bool has_body = false;
  bool is_kernel = false;  // __global__
  bool is_device = false;  // __device__ or __global__
  bool is_host = false;    // __host__ given, or nothing given
  bool in_class = false;
  bool is_template = false;  // its own template<...>, not that of its class
  std::vector<std::string_view> template_parameters;  // their names, "" where one has none
  bool names_its_parameters = false;                  // each has one, and none is a pack
  int namespace_depth = 0;                            // 0: global
  bool in_anonymous_namespace = false;
  bool is_static = false;
  bool extern_c = false;
  std::size_t launch_bounds = npos;  // index of a __launch_bounds__ token
};

enum class Space { none, device, constant, managed, shared };

// A declaration with a memory space, outside functions or inside one.
struct SpaceDeclaration {
  Space space = Space::none;
  Range tokens;  // without the ';'
  std::size_t semicolon = npos;
  bool is_extern = false;
  bool is_static = false;
  bool is_constant = false;  // const or constexpr
  bool is_constexpr = false;
  bool is_template = false;
  bool in_function = false;
  bool in_class = false;
  struct Declarator {
    std::size_t name = npos;         // token index
    std::size_t initialiser = npos;  // token index of "=", "{" or "("
    Range tokens;                    // the declarator without its initialiser
  };
  std::vector<Declarator> declarators;
};

struct Lambda {
  Range captures;  // inside the brackets
  Range body;      // inside the braces
  Range head;      // from '[' to the body's '{'
  bool is_device = false;
};

struct Outline {
  std::vector<std::size_t> match;  // for brackets ( [ {: the partner's index, else npos
  std::vector<Function> functions;
  std::vector<SpaceDeclaration> variables;
  std::vector<Lambda> lambdas;
  // Token ranges of the bodies of classes, to tell members from locals.
  std::vector<Range> classes;
};

Outline outline(const std::vector<Token>& tokens);

// The token after the '>' that closes the template argument list opened at `open` ('<'), or npos.
std::size_t after_template_arguments(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& match, std::size_t open,
                                     std::size_t end);

// The index of the '<' that opens the list closed at `close` ('>'), or npos.
std::size_t template_arguments_begin(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& match, std::size_t close,
                                     std::size_t begin);

}  // namespace simt::compiler
