#include "outline.h"

#include <algorithm>
#include <utility>

namespace simt::compiler {
namespace {

// Bounds the work on a source in which '<' never closes.
constexpr std::size_t longest_argument_list = 2000;

bool is_class_key(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("union");
}

// Words that are followed by a parenthesised operand which is no parameter list.
bool takes_operand(const Token& token) {
  static constexpr std::string_view words[] = {
      "__attribute__",  "__attribute", "alignas",           "decltype",         "noexcept",
      "explicit",       "throw",       "__launch_bounds__", "__cluster_dims__", "__maxnreg__",
      "__block_size__", "__align__",   "__typeof__",        "typeof",           "__declspec"};
  return token.kind == TokenKind::identifier &&
         std::find(std::begin(words), std::end(words), token.text) != std::end(words);
}

Space space_of(const Token& token) {
  if (token.kind != TokenKind::identifier) return Space::none;
  if (token.is("__shared__")) return Space::shared;
  if (token.is("__constant__")) return Space::constant;
  if (token.is("__managed__")) return Space::managed;
  if (token.is("__device__")) return Space::device;
  return Space::none;
}

bool is_space(const Token& token) {
  return space_of(token) != Space::none;
}

std::vector<std::size_t> match_brackets(const std::vector<Token>& tokens) {
  std::vector<std::size_t> match(tokens.size(), npos);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::punctuator || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
      // A closer that fits nothing inside the innermost braces is ignored; '}' drops what was left
      // open inside its block.
      std::size_t depth = open.size();
      while (depth > 0 && tokens[open[depth - 1]].text[0] != partner) {
        if (tokens[open[depth - 1]].text[0] == '{') break;
        --depth;
      }
      if (depth == 0 || tokens[open[depth - 1]].text[0] != partner) continue;
      open.resize(depth);
      match[i] = open.back();
      match[open.back()] = i;
      open.pop_back();
    }
  }
  return match;
}

class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {
    result_.match = match_brackets(tokens);
  }

  Outline run() {
    parse_scope({0, tokens_.size()}, Scope{});
    return std::move(result_);
  }

 private:
  struct Scope {
    bool in_class = false;
    int namespace_depth = 0;
    bool anonymous = false;
    bool extern_c = false;
    int nesting = 0;
  };

  struct Head {
    bool is_template = false;
    std::vector<std::string_view> parameters;
    bool names_its_parameters = false;
  };

  static constexpr int deepest_nesting = 200;

  const Token& at(std::size_t i) const { return tokens_[i]; }

  bool is(std::size_t i, std::string_view spelling) const {
    return i < tokens_.size() && tokens_[i].is(spelling);
  }

  // The token after the group opened at i, or `end` when it is never closed before `end`.
  std::size_t after_group(std::size_t i, std::size_t end) const {
    const std::size_t close = result_.match[i];
    return close == npos || close >= end ? end : close + 1;
  }

  // What the group opened at i encloses, up to `end` when it is never closed before that.
  Range inside_group(std::size_t i, std::size_t end) const {
    const std::size_t close = result_.match[i];
    return {i + 1, close == npos || close >= end ? end : close};
  }

  bool opens_group(std::size_t i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }

  std::size_t after_semicolon(std::size_t i, std::size_t end) const {
    while (i < end && !is(i, ";")) i = opens_group(i) ? after_group(i, end) : i + 1;
    return std::min(i + 1, end);
  }

  void parse_scope(Range range, const Scope& scope) {
    if (scope.nesting > deepest_nesting) return;
    std::size_t i = range.begin;
    while (i < range.end) {
      const std::size_t next = parse_declaration(i, range.end, scope);
      i = std::max(next, i + 1);
    }
  }

  std::size_t parse_declaration(std::size_t i, std::size_t end, const Scope& scope) {
    if (is(i, ";") || is(i, "}") || is(i, ")") || is(i, "]")) return i + 1;
    if (scope.in_class && is(i + 1, ":") &&
        (is(i, "public") || is(i, "private") || is(i, "protected"))) {
      return i + 2;
    }
    if (is(i, "static_assert") || is(i, "using") || is(i, "asm") || is(i, "__asm__") ||
        is(i, "friend")) {
      // A friend may be defined in place; its body is then an ordinary function's.
      if (!is(i, "friend")) return after_semicolon(i, end);
    }
    if (is(i, "namespace") || (is(i, "inline") && is(i + 1, "namespace"))) {
      return parse_namespace(i, end, scope);
    }
    if (is(i, "extern") && i + 1 < end && at(i + 1).kind == TokenKind::string) {
      Scope inner = scope;
      inner.extern_c = at(i + 1).is("\"C\"");
      ++inner.nesting;
      if (is(i + 2, "{")) {
        parse_scope(inside_group(i + 2, end), inner);
        return after_group(i + 2, end);
      }
      return parse_general(i, i + 2, end, inner, Head{});
    }
    std::size_t j = i;
    Head head;
    while (is(j, "template") && is(j + 1, "<")) {
      const std::size_t after = after_template_arguments(tokens_, result_.match, j + 1, end);
      if (after == npos) return after_semicolon(i, end);
      head.is_template = true;
      name_template_parameters({j + 2, after - 1}, head);
      j = after;
    }
    return parse_general(i, j, end, scope, head);
  }

  std::size_t parse_namespace(std::size_t i, std::size_t end, const Scope& scope) {
    Scope inner = scope;
    ++inner.nesting;
    inner.anonymous = true;
    for (std::size_t j = i + 1; j < end; ++j) {
      if (is(j, ";") || is(j, "=")) return after_semicolon(j, end);
      if (is(j, "{")) {
        inner.namespace_depth += 1;
        inner.anonymous = inner.anonymous || scope.anonymous;
        parse_scope(inside_group(j, end), inner);
        return after_group(j, end);
      }
      if (opens_group(j)) {
        j = after_group(j, end) - 1;
      } else if (at(j).kind == TokenKind::identifier && !takes_operand(at(j)) &&
                 !is(j, "namespace")) {
        inner.anonymous = false;
      }
    }
    return end;
  }

  void name_template_parameters(Range list, Head& head) const {
    if (list.empty()) return;
    std::string_view name;
    bool in_default = false;
    std::size_t first = list.begin;  // of the parameter
    head.names_its_parameters = true;
    const auto finish = [&] {
      static constexpr std::string_view no_names[] = {"class", "typename", "int",  "unsigned",
                                                      "long",  "short",    "char", "bool"};
      const bool named =
          !name.empty() && at(first).text != name &&
          std::find(std::begin(no_names), std::end(no_names), name) == std::end(no_names);
      head.names_its_parameters = head.names_its_parameters && named;
      head.parameters.push_back(name);
    };
    for (std::size_t i = list.begin; i < list.end; ++i) {
      if (is(i, "...")) head.names_its_parameters = false;
      if (opens_group(i)) {
        i = after_group(i, list.end) - 1;
      } else if (is(i, "<")) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, i, list.end);
        if (after != npos) i = after - 1;
      } else if (is(i, ",")) {
        finish();
        name = {};
        in_default = false;
        first = i + 1;
      } else if (is(i, "=")) {
        in_default = true;
      } else if (!in_default && at(i).kind == TokenKind::identifier) {
        name = at(i).text;
      }
    }
    finish();
  }

  // A declaration that is no namespace, template head, using or assertion: a class, a function or
  // variables. `start` is where it begins, `i` the first token after its template heads.
  std::size_t parse_general(std::size_t start, std::size_t i, std::size_t end, const Scope& scope,
                            const Head& head) {
    std::size_t parameters = npos;  // '(' of the parameter list
    std::size_t class_key = npos;
    bool is_enum = false;
    bool initialised = false;
    bool function_pointer = false;
    std::size_t name = npos;
    std::size_t j = i;
    while (j < end) {
      const Token& token = at(j);
      if (token.is(";")) break;
      if (token.kind == TokenKind::identifier) {
        if (takes_operand(token) && is(j + 1, "(")) {
          j = after_group(j + 1, end);
          continue;
        }
        if (token.is("operator") && parameters == npos && !initialised) {
          name = j;
          j = after_operator_name(j, end);
          continue;
        }
        if (token.is("enum")) is_enum = true;
        if (is_class_key(token) && parameters == npos && !initialised && class_key == npos) {
          class_key = j;
        }
        if (token.is("requires") && requirement_body(j, end) != npos) {
          j = after_group(requirement_body(j, end), end);
          continue;
        }
        if (token.is("requires") && is(j + 1, "(")) {
          j = after_group(j + 1, end);
          continue;
        }
        if (parameters == npos && !initialised) name = j;
        ++j;
      } else if (token.is("<") && !initialised) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, end);
        j = after == npos ? j + 1 : after;
      } else if (token.is("[")) {
        j = after_group(j, end);
      } else if (token.is("(")) {
        if (parameters == npos && !initialised && !function_pointer) {
          const bool pointer = is(j + 1, "*") || is(j + 1, "&");
          if (pointer && name_is_type(name, i)) {
            function_pointer = true;
          } else if (!initialises(j)) {
            parameters = j;
          }
        }
        j = after_group(j, end);
      } else if (token.is("=")) {
        initialised = true;
        ++j;
      } else if (token.is(":") && parameters != npos && !initialised) {
        j = after_member_initialisers(j + 1, end);
      } else if (token.is("{")) {
        if (class_key != npos && parameters == npos && !initialised) {
          if (!is_enum) parse_class(inside_group(j, end), scope);
          class_key = npos;
          j = after_group(j, end);
        } else if (parameters != npos && !initialised) {
          add_function(start, i, name, parameters, inside_group(j, end), true, scope, head);
          return after_group(j, end);
        } else {
          j = after_group(j, end);
          if (is_enum) is_enum = false;
        }
      } else if (token.is("}")) {
        return j + 1;  // a stray one: start afresh
      } else {
        ++j;
      }
    }
    const std::size_t semicolon = std::min(j, end);
    if (parameters != npos && !(initialised && function_pointer)) {
      add_function(start, i, name, parameters, {semicolon, semicolon}, false, scope, head);
    } else {
      add_variables({i, semicolon}, semicolon < end ? semicolon : npos, scope, head);
    }
    return std::min(semicolon + 1, end);
  }

  // Is `name` the last token of a type, so that "(*" after it begins a function pointer?
  bool name_is_type(std::size_t name, std::size_t begin) const {
    return name != npos && name >= begin;
  }

  // Can the parenthesis at `open` be no parameter list, but an initialiser?
  bool initialises(std::size_t open) const {
    if (open + 1 >= tokens_.size()) return false;
    const Token& first = at(open + 1);
    return first.kind == TokenKind::number || first.kind == TokenKind::string ||
           first.kind == TokenKind::character || first.is("{") || first.is("-") ||
           first.is("true") || first.is("false") || first.is("nullptr");
  }

  std::size_t after_operator_name(std::size_t i, std::size_t end) const {
    std::size_t j = i + 1;
    if (is(j, "(") && is(j + 1, ")")) return j + 2;
    while (j < end && !is(j, "(") && !is(j, ";") && !is(j, "{")) ++j;
    return j;
  }

  // For `requires { ... }` or `requires (T t) { ... }` the '{', else npos.
  std::size_t requirement_body(std::size_t i, std::size_t end) const {
    if (is(i + 1, "{") && i + 1 < end) return i + 1;
    if (is(i + 1, "(") && i + 1 < end) {
      const std::size_t after = after_group(i + 1, end);
      if (after < end && is(after, "{") && i > 0 &&
          (is(i - 1, "requires") || is(i - 1, "&&") || is(i - 1, "||") || is(i - 1, "="))) {
        return after;
      }
    }
    return npos;
  }

  // From after the ':' of a constructor to its body's '{'.
  std::size_t after_member_initialisers(std::size_t i, std::size_t end) const {
    std::size_t j = i;
    while (j < end && !is(j, ";")) {
      if (is(j, "(")) {
        j = after_group(j, end);
      } else if (is(j, "<")) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, end);
        j = after == npos ? j + 1 : after;
      } else if (is(j, "{")) {
        // A body follows a finished initialiser: ')' '}' or "...".
        if (j > i && !is(j - 1, ")") && !is(j - 1, "}") && !is(j - 1, "...")) {
          j = after_group(j, end);
        } else {
          return j;
        }
      } else {
        ++j;
      }
    }
    return j;
  }

  void parse_class(Range body, const Scope& scope) {
    result_.classes.push_back(body);
    Scope inner = scope;
    inner.in_class = true;
    ++inner.nesting;
    parse_scope(body, inner);
  }

  void add_function(std::size_t start, std::size_t i, std::size_t name, std::size_t parameters,
                    Range body, bool has_body, const Scope& scope, const Head& head) {
    Function function;
    const std::size_t close = result_.match[parameters];
    function.head = {start, body.begin - (has_body ? 1 : 0)};
    function.parameters = {parameters + 1, close == npos ? function.head.end : close};
    function.body = body;
    function.has_body = has_body;
    function.name_token = name;
    if (name != npos) function.name = at(name).text;
    function.in_class = scope.in_class;
    function.is_template = head.is_template;
    function.template_parameters = head.parameters;
    function.names_its_parameters = head.names_its_parameters;
    function.namespace_depth = scope.namespace_depth;
    function.in_anonymous_namespace = scope.anonymous;
    function.extern_c = scope.extern_c;
    bool host = false;
    for (std::size_t j = i; j < function.head.end; ++j) {
      if (j == parameters) j = std::max(j, function.parameters.end);
      if (j >= function.head.end) break;
      const Token& token = at(j);
      if (token.is("__global__")) function.is_kernel = function.is_device = true;
      if (token.is("__device__")) function.is_device = true;
      if (token.is("__host__")) host = true;
      if (token.is("static")) function.is_static = true;
      if (token.is("__launch_bounds__")) function.launch_bounds = j;
    }
    function.is_host = host || !function.is_device;
    result_.functions.push_back(function);
    if (has_body) scan_body(body, scope);
  }

  void add_variables(Range range, std::size_t semicolon, const Scope& scope, const Head& head) {
    for (std::size_t j = range.begin; j < range.end; ++j) {
      if (opens_group(j)) {
        j = after_group(j, range.end) - 1;
      } else if (is(j, "=")) {
        // Lambdas and the like in an initialiser may hold declarations of their own.
        scan_body({j, range.end}, scope);
        break;
      } else if (is_space(at(j))) {
        SpaceDeclaration declaration;
        declaration.is_template = head.is_template;
        declaration.in_class = scope.in_class;
        fill_declaration(declaration, range, semicolon);
        return;
      }
    }
  }

  void fill_declaration(SpaceDeclaration& declaration, Range range, std::size_t semicolon) {
    declaration.tokens = range;
    declaration.semicolon = semicolon;
    bool specifiers = true;
    for (std::size_t j = range.begin; j < range.end && specifiers; ++j) {
      if (takes_operand(at(j)) && is(j + 1, "(")) {
        j = after_group(j + 1, range.end) - 1;
        continue;
      }
      if (opens_group(j)) {
        // A class body may stand among the specifiers; anything else ends them.
        specifiers = is(j, "{");
        j = after_group(j, range.end) - 1;
        continue;
      }
      const Token& token = at(j);
      if (token.is("=") || token.is(",")) specifiers = false;
      const Space space = space_of(token);
      // __shared__ and __constant__ say more than a __device__ beside them.
      if (space != Space::none && declaration.space != Space::shared &&
          (declaration.space == Space::none || space != Space::device)) {
        declaration.space = space;
      }
      if (token.is("extern")) declaration.is_extern = true;
      if (token.is("static")) declaration.is_static = true;
      if (token.is("const") || token.is("constexpr")) declaration.is_constant = true;
      if (token.is("constexpr")) declaration.is_constexpr = true;
    }
    find_declarators(declaration);
    result_.variables.push_back(std::move(declaration));
  }

  void find_declarators(SpaceDeclaration& declaration) const {
    const Range range = declaration.tokens;
    SpaceDeclaration::Declarator current;
    bool fixed = false;  // the name is known: what follows belongs to the declarator
    bool class_body = false;
    current.tokens.begin = range.begin;
    auto finish = [&](std::size_t end) {
      current.tokens.end = std::min(current.tokens.end == 0 ? end : current.tokens.end, end);
      if (current.name != npos) declaration.declarators.push_back(current);
      current = {};
      current.tokens.begin = end + 1;
      fixed = false;
    };
    std::size_t j = range.begin;
    while (j < range.end) {
      const Token& token = at(j);
      if (takes_operand(token) && is(j + 1, "(")) {
        j = after_group(j + 1, range.end);
      } else if (token.kind == TokenKind::identifier) {
        if (is_class_key(token) || token.is("enum")) class_body = true;
        if (!fixed) current.name = j;
        ++j;
      } else if (token.is("<") && !fixed) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, range.end);
        j = after == npos ? j + 1 : after;
      } else if (token.is("[")) {
        if (!is(j + 1, "[")) fixed = true;
        j = after_group(j, range.end);
      } else if (token.is("{") && class_body && !fixed) {
        class_body = false;
        current.name = npos;
        j = after_group(j, range.end);
      } else if (token.is("(") && !fixed && (is(j + 1, "*") || is(j + 1, "&"))) {
        const std::size_t after = after_group(j, range.end);
        for (std::size_t k = j + 1; k + 1 < after && !is(k, "["); ++k) {
          if (at(k).kind == TokenKind::identifier) current.name = k;
        }
        fixed = true;
        j = after;
        if (j < range.end && is(j, "(")) j = after_group(j, range.end);
      } else if (token.is("=") || token.is("{") || token.is("(")) {
        current.initialiser = j;
        current.tokens.end = j;
        fixed = true;
        j = after_initialiser(j, range.end);
      } else if (token.is(",")) {
        finish(j);
        ++j;
      } else {
        ++j;
      }
    }
    finish(range.end);
  }

  // From an initialiser's first token to the ',' of the next declarator or to the end.
  std::size_t after_initialiser(std::size_t i, std::size_t end) const {
    std::size_t j = i;
    while (j < end && !is(j, ",")) {
      if (opens_group(j)) {
        j = after_group(j, end);
      } else if (is(j, "<") && j > 0 && at(j - 1).kind == TokenKind::identifier) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, end);
        const bool arguments =
            after != npos && (after >= end || is(after, "(") || is(after, "::") || is(after, "{"));
        j = arguments ? after : j + 1;
      } else {
        ++j;
      }
    }
    return j;
  }

  // ---- inside functions ----

  void scan_body(Range body, const Scope& scope) {
    std::size_t i = body.begin;
    while (i < body.end) {
      const Token& token = at(i);
      if (is_class_key(token) && !(i > 0 && (is(i - 1, "enum") || is(i - 1, "<")))) {
        const std::size_t open = local_class_body(i, body.end);
        if (open != npos) {
          if (scope.nesting <= deepest_nesting) parse_class(inside_group(open, body.end), scope);
          // A local class may carry a space: `__shared__ struct { ... } s;` was handled at the
          // space; what follows the body needs nothing.
          i = after_group(open, body.end);
          continue;
        }
      }
      if (token.is("[")) {
        add_lambda(i, body.end);
        ++i;
        continue;
      }
      if (is_space(token) && !in_lambda_head(i)) {
        const std::size_t next = add_local_declaration(i, body);
        // Go on inside it: its type may be a class, its bounds may hold lambdas.
        static_cast<void>(next);
      }
      ++i;
    }
  }

  std::size_t local_class_body(std::size_t i, std::size_t end) const {
    std::size_t j = i + 1;
    while (j < end) {
      const Token& token = at(j);
      if (token.is("{")) return j;
      if (takes_operand(token) && is(j + 1, "(")) {
        j = after_group(j + 1, end);
      } else if (token.is("<")) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, end);
        if (after == npos) return npos;
        j = after;
      } else if (token.kind == TokenKind::identifier || token.is("::") || token.is(":") ||
                 (token.is(",") && j > i + 2)) {
        ++j;
      } else {
        return npos;
      }
    }
    return npos;
  }

  void add_lambda(std::size_t i, std::size_t end) {
    if (is(i + 1, "[") || (i > 0 && is(i - 1, "["))) return;
    if (i > 0) {
      const Token& before = at(i - 1);
      const bool keyword = before.is("return") || before.is("co_return") || before.is("case") ||
                           before.is("else") || before.is("do") || before.is("co_yield");
      if ((before.kind == TokenKind::identifier && !keyword) || before.is(")") || before.is("]") ||
          before.kind == TokenKind::string) {
        return;
      }
    }
    const std::size_t close = result_.match[i];
    if (close == npos || close >= end) return;
    Lambda lambda;
    lambda.captures = {i + 1, close};
    std::size_t j = close + 1;
    if (is(j, "<")) {
      j = after_template_arguments(tokens_, result_.match, j, end);
      if (j == npos) return;
    }
    while (j < end && !is(j, "{")) {
      const Token& token = at(j);
      if (token.is("__device__")) lambda.is_device = true;
      if (token.is(";") || token.is("}") || token.is(")") || token.is("=") || token.is(",")) return;
      if (token.is("<")) {
        const std::size_t after = after_template_arguments(tokens_, result_.match, j, end);
        j = after == npos ? j + 1 : after;
      } else {
        j = opens_group(j) ? after_group(j, end) : j + 1;
      }
    }
    if (j >= end) return;
    lambda.head = {i, j};
    lambda.body = inside_group(j, end);
    result_.lambdas.push_back(lambda);
  }

  bool in_lambda_head(std::size_t i) const {
    return !result_.lambdas.empty() &&
           std::any_of(result_.lambdas.rbegin(),
                       result_.lambdas.rbegin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                      result_.lambdas.size(), 8)),
                       [i](const Lambda& lambda) { return lambda.head.contains(i); });
  }

  std::size_t add_local_declaration(std::size_t i, Range body) {
    if (!result_.variables.empty() && result_.variables.back().tokens.contains(i)) return i + 1;
    std::size_t start = i;
    while (start > body.begin) {
      const Token& before = at(start - 1);
      if (before.is(";") || before.is("{") || before.is("}") || before.is(":") || before.is("(")) {
        break;
      }
      if (before.is(")") || before.is("]")) {
        const std::size_t open = result_.match[start - 1];
        if (open == npos || open <= body.begin) break;
        const bool attribute = before.is("]") ? is(open + 1, "[") : takes_operand(at(open - 1));
        if (!attribute) break;
        start = open;
      } else if (before.is(">")) {
        const std::size_t open =
            template_arguments_begin(tokens_, result_.match, start - 1, body.begin);
        if (open == npos) break;
        start = open;
      } else if (before.is("else") || before.is("do")) {
        break;
      } else {
        --start;
      }
    }
    std::size_t end = i;
    while (end < body.end && !is(end, ";")) {
      if (is(end, "}") || is(end, ")")) return i + 1;  // no declaration
      end = opens_group(end) ? after_group(end, body.end) : end + 1;
    }
    SpaceDeclaration declaration;
    declaration.in_function = true;
    fill_declaration(declaration, {start, std::min(end, body.end)}, end < body.end ? end : npos);
    return end;
  }

  const std::vector<Token>& tokens_;
  Outline result_;
};

}  // namespace

std::size_t after_template_arguments(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& match, std::size_t open,
                                     std::size_t end) {
  int depth = 0;
  end = std::min({end, tokens.size(), open + longest_argument_list});
  for (std::size_t i = open; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::punctuator) continue;
    if (token.is("<")) {
      const bool nested = i == open || (i > 0 && (tokens[i - 1].kind == TokenKind::identifier));
      depth += nested ? 1 : 0;
    } else if (token.is(">")) {
      if (--depth == 0) return i + 1;
    } else if (token.is("(") || token.is("[") || token.is("{")) {
      if (match[i] == npos || match[i] >= end) return npos;
      i = match[i];
    } else if (token.is(")") || token.is("]") || token.is("}") || token.is(";") ||
               token.is("<<<")) {
      return npos;
    }
  }
  return npos;
}

std::size_t template_arguments_begin(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& match, std::size_t close,
                                     std::size_t begin) {
  int depth = 0;
  begin = std::max(begin, close - std::min(close, longest_argument_list));
  for (std::size_t i = close + 1; i-- > begin;) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::punctuator) continue;
    if (token.is(">")) {
      ++depth;
    } else if (token.is("<")) {
      if (--depth == 0) return i;
    } else if (token.is(")") || token.is("]") || token.is("}")) {
      if (match[i] == npos || match[i] < begin) return npos;
      i = match[i];
    } else if (token.is("(") || token.is("[") || token.is("{") || token.is(";") ||
               token.is("<<<")) {
      return npos;
    }
  }
  return npos;
}

Outline outline(const std::vector<Token>& tokens) {
  return Parser(tokens).run();
}

}  // namespace simt::compiler
