#include "rewriter.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lexer.h"
#include "lowering_names.h"
#include "outline.h"

namespace simt::compiler {
namespace {

bool is_expression_keyword(std::string_view text) {
  static const std::unordered_set<std::string_view> keywords = {
      "return", "else", "do",  "case", "co_return", "co_yield", "throw", "if",
      "while",  "for",  "and", "or",   "not",       "switch",   "goto",  "default"};
  return keywords.contains(text);
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result.push_back('\\');
    result.push_back(c);
  }
  result.push_back('"');
  return result;
}

class Rewriter {
 public:
  Rewriter(std::string_view source, const RewriteOptions& options)
      : source_(source),
        stream_(lex(source, {options.file, options.skip_system_headers})),
        tokens_(stream_.tokens),
        outline_(outline(tokens_)),
        host_functions_(options.host_functions.begin(), options.host_functions.end()) {}

  Rewritten run() {
    collect_kernels();
    lower_variables();
    lower_functions();
    lower_launches();
    erase_words();
    report_unconfigured_calls();
    describe_functions();
    result_.text = apply_edits();
    return std::move(result_);
  }

 private:
  struct Kernel {
    bool is_template = false;
    bool overloaded = false;
    // How many template arguments a launch must give so that its call deduces none.
    std::size_t explicit_arguments = 0;
    std::set<std::string> signatures;
  };

  bool is(std::size_t i, std::string_view spelling) const {
    return i < tokens_.size() && tokens_[i].is(spelling);
  }

  std::string text_of(Range range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Token& token = tokens_[i];
      if (i > range.begin && token.offset != tokens_[i - 1].end()) text.push_back(' ');
      text.append(source_.substr(token.offset, token.length));
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  void edit(std::size_t offset, std::size_t length, std::string text) {
    result_.edits.push_back({offset, length, std::move(text)});
  }
  void insert_before(std::size_t i, std::string text) {
    edit(tokens_[i].offset, 0, std::move(text));
  }
  void insert_after(std::size_t i, std::string text) { edit(tokens_[i].end(), 0, std::move(text)); }
  void replace(std::size_t i, std::string text) {
    edit(tokens_[i].offset, tokens_[i].length, std::move(text));
    erased_.insert(i);
  }
  // Blanks keep the columns of what follows.
  void blank(std::size_t i) {
    if (erased_.contains(i)) return;
    // A literal may hold a newline.
    std::string text(source_.substr(tokens_[i].offset, tokens_[i].length));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c != '\n'; }, ' ');
    replace(i, std::move(text));
  }

  void problem(std::size_t i, std::string message, Severity severity = Severity::error) {
    Problem found;
    found.severity = severity;
    found.message = std::move(message);
    if (i < tokens_.size()) {
      found.file = stream_.files[static_cast<std::size_t>(tokens_[i].file)];
      found.line = tokens_[i].line;
      const std::size_t newline = source_.rfind('\n', tokens_[i].offset);
      found.column = static_cast<int>(tokens_[i].offset -
                                      (newline == std::string_view::npos ? 0 : newline + 1) + 1);
    }
    result_.problems.push_back(std::move(found));
  }

  std::string line_of(std::size_t i) const { return std::to_string(tokens_[i].line); }

  // ---- kernels ----

  void collect_kernels() {
    for (const Function& function : outline_.functions) {
      if (function.name.empty()) continue;
      if (!function.is_kernel) {
        if (!function.in_class) host_functions_.emplace(function.name);
        continue;
      }
      Kernel& kernel = kernels_[std::string(function.name)];
      kernel.is_template = kernel.is_template || function.is_template;
      kernel.explicit_arguments = std::max(kernel.explicit_arguments, explicit_arguments(function));
      kernel.signatures.insert(parameter_types(function));
    }
    for (auto& [name, kernel] : kernels_) {
      kernel.overloaded =
          host_functions_.contains(name) || (!kernel.is_template && kernel.signatures.size() > 1);
    }
  }

  // One more than the last template parameter that the function's parameters mention.
  std::size_t explicit_arguments(const Function& function) const {
    const auto& names = function.template_parameters;
    for (std::size_t count = names.size(); count > 1; --count) {
      for (std::size_t i = function.parameters.begin; i < function.parameters.end; ++i) {
        if (tokens_[i].kind == TokenKind::identifier && tokens_[i].text == names[count - 1]) {
          return count;
        }
      }
    }
    return 1;
  }

  // Two declarations of one kernel may name their parameters differently: compare only what
  // surely belongs to the types.
  std::string parameter_types(const Function& function) const {
    std::string types;
    const Range range = function.parameters;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool ends = i + 1 == range.end || is(i + 1, ",") || is(i + 1, "=") || is(i + 1, "[");
      const bool name = tokens_[i].kind == TokenKind::identifier && ends && i > range.begin &&
                        !is(i - 1, ",") && !is(i - 1, "const");
      if (name || is(i, "__restrict__") || is(i, "const") || is(i, "__grid_constant__")) continue;
      if (is(i, "=")) {
        while (i + 1 < range.end && !is(i + 1, ",")) ++i;
        continue;
      }
      types.append(tokens_[i].text);
      types.push_back(' ');
    }
    return types;
  }

  // ---- variables ----

  void lower_variables() {
    for (const SpaceDeclaration& declaration : outline_.variables) {
      if (declaration.in_class) continue;
      if (declaration.space == Space::shared) {
        lower_shared(declaration);
      } else {
        lower_symbol(declaration);
      }
    }
  }

  void lower_shared(const SpaceDeclaration& declaration) {
    for (const auto& declarator : declaration.declarators) {
      if (declarator.initialiser == npos) continue;
      problem(declarator.initialiser,
              "__shared__ variable '" + std::string(tokens_[declarator.name].text) +
                  "' cannot have an initialiser: every block gets fresh, uninitialised shared "
                  "memory. Write to it in the kernel, then __syncthreads()");
      return;
    }
    if (declaration.declarators.empty() || declaration.semicolon == npos) return;
    rewrite_specifiers(declaration);
    std::string after;
    for (const auto& declarator : declaration.declarators) {
      const std::string name(tokens_[declarator.name].text);
      insert_after(declarator.name, names::type_suffix);
      const std::string line = line_of(declarator.name);
      if (declaration.in_function) {
        after += declaration.is_extern ? names::dynamic_shared(name, line)
                                       : names::shared_variable(name, line);
        shared_names_.push_back({name, declarator.name});
        continue;
      }
      // Functions that use the name get a reference to their own block's copy; the declaration that
      // stays behind serves sizeof and the like.
      after += " extern " + name + names::type_suffix + " " + name + ";";
      if (declaration.is_extern) {
        file_shared_[name] = names::dynamic_shared(name, line);
      } else {
        after += names::shared_site(name, line);
        file_shared_[name] = names::shared_reference(name);
      }
    }
    insert_after(declaration.semicolon, after);
  }

  // `static __shared__ alignas(16) float` becomes `typedef __attribute__((aligned(16))) float`.
  void rewrite_specifiers(const SpaceDeclaration& declaration) {
    const Range range = declaration.tokens;
    bool placed = false;
    const std::size_t last = declaration.declarators.front().name;
    for (std::size_t i = range.begin; i < range.end && i < last; ++i) {
      const Token& token = tokens_[i];
      if (token.is("__shared__") || token.is("static") || token.is("extern") ||
          token.is("__device__") || token.is("inline")) {
        if (placed || i != range.begin) {
          blank(i);
        } else {
          replace(i, "typedef");
          placed = true;
        }
      } else if (token.is("alignas") && is(i + 1, "(")) {
        replace(i, "__attribute__((aligned");
        if (outline_.match[i + 1] != npos) insert_after(outline_.match[i + 1], "))");
      }
    }
    if (!placed) insert_before(range.begin, "typedef ");
  }

  void lower_symbol(const SpaceDeclaration& declaration) {
    if (declaration.is_template || declaration.is_extern || declaration.is_constexpr ||
        declaration.semicolon == npos) {
      return;
    }
    place_symbol(declaration);
    const std::string kind = declaration.space == Space::constant  ? "constant_memory"
                             : declaration.space == Space::managed ? "managed_memory"
                                                                   : "device_memory";
    std::string after;
    for (const auto& declarator : declaration.declarators) {
      after += names::register_symbol(std::string(tokens_[declarator.name].text), kind);
    }
    insert_after(declaration.semicolon, after);
  }

  // Device variables get a section of their own. Constant ones lose their const, so that reads of
  // them are seen, unless the compiler may need the value.
  void place_symbol(const SpaceDeclaration& declaration) {
    if (declaration.declarators.empty()) return;
    const auto& first = declaration.declarators.front();
    const bool initialised = first.initialiser != npos;
    const bool array = is(first.name + 1, "[");
    const bool keep_const = declaration.is_constant && (initialised && !array);
    bool placed = keep_const || declaration.in_function;
    for (std::size_t i = declaration.tokens.begin; i < first.name; ++i) {
      if (is(i, "*") || is(i, "(")) break;
      if (is(i, "const") && !keep_const) blank(i);
      if (placed) continue;
      if (is(i, "__device__") || is(i, "__constant__") || is(i, "__managed__")) {
        replace(i, initialised ? names::initialised_section : names::zero_section);
        placed = true;
      }
    }
  }

  // ---- functions ----

  void lower_functions() {
    for (const Function& function : outline_.functions) {
      if (!function.has_body) continue;
      if (function.is_device) {
        report_static_locals(function.body);
        inject_file_shared(function);
        if (function.is_kernel || has_barrier(function.body)) keep_out_of_line(function);
      }
      if (function.is_kernel) lower_kernel(function);
      if (queues_work(function)) {
        insert_after(function.body.begin - 1,
                     names::host_call(in_quotes(function.name), sizes_of(function)));
      }
    }
    for (const Lambda& lambda : outline_.lambdas) {
      if (lambda.is_device && !inside_device_function(lambda.body.begin)) {
        report_static_locals(lambda.body);
      }
      capture_shared(lambda);
      if (lambda.is_device || inside_device_function(lambda.body.begin)) keep_out_of_line(lambda);
    }
  }

  // The parameters of a function, a range of tokens each.
  std::vector<Range> parameters_of(const Function& function) const {
    std::vector<Range> all;
    Range each{function.parameters.begin, function.parameters.begin};
    for (std::size_t i = function.parameters.begin; i < function.parameters.end; ++i) {
      const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
      if (opens && outline_.match[i] != npos) {
        i = outline_.match[i];
      } else if (is(i, ",")) {
        each.end = i;
        all.push_back(each);
        each.begin = i + 1;
      }
    }
    each.end = function.parameters.end;
    if (!each.empty()) all.push_back(each);
    return all;
  }

  // A global function for other files to call, which takes the stream that its work goes on: a
  // report of a kernel that it launches may tell who called it, and with what sizes.
  bool queues_work(const Function& function) const {
    if (function.is_device || function.is_static || function.in_class || function.is_template ||
        function.namespace_depth > 0 || !is_plain_name(function)) {
      return false;
    }
    const std::vector<Range> parameters = parameters_of(function);
    if (parameters.empty()) return false;
    const Range last = parameters.back();
    return last.end - last.begin == 2 && is(last.begin, "cudaStream_t");
  }

  // The parameters that are an int: {"M", M}, {"N", N}
  std::string sizes_of(const Function& function) const {
    std::string sizes;
    for (Range each : parameters_of(function)) {
      if (is(each.begin, "const")) ++each.begin;
      if (each.end - each.begin != 2 || !is(each.begin, "int")) continue;
      const std::string name(tokens_[each.begin + 1].text);
      sizes += (sizes.empty() ? "{\"" : ", {\"") + name + "\", " + name + "}";
    }
    return sizes;
  }

  bool inside_device_function(std::size_t i) const {
    return std::any_of(
        outline_.functions.begin(), outline_.functions.end(),
        [i](const Function& f) { return f.is_device && f.has_body && f.body.contains(i); });
  }

  // Is token i a member of a class that is itself inside `outer`?
  bool in_local_class(std::size_t i, Range outer) const {
    return std::any_of(outline_.classes.begin(), outline_.classes.end(), [&](const Range& body) {
      return body.contains(i) && outer.contains(body.begin);
    });
  }

  void report_static_locals(Range body) {
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!is(i, "static") || in_local_class(i, body)) continue;
      bool harmless = false;
      std::size_t name = npos;
      for (std::size_t j = i; j < body.end && !is(j, ";") && !is(j, "=") && !is(j, "{"); ++j) {
        harmless = harmless || is(j, "__shared__") || is(j, "const") || is(j, "constexpr") ||
                   is(j, "__device__") || is(j, "__constant__") || is(j, "__managed__");
        if (tokens_[j].kind == TokenKind::identifier) name = j;
        if (is(j, "[")) break;
      }
      if (i > body.begin && (is(i - 1, "__shared__") || is(i - 1, "__device__") ||
                             is(i - 1, "__constant__") || is(i - 1, "const"))) {
        harmless = true;
      }
      if (harmless) continue;
      problem(i, "static local variable '" +
                     std::string(name == npos ? std::string_view("?") : tokens_[name].text) +
                     "' in device code: all threads of all blocks would share one copy. Drop "
                     "'static', or say __shared__ (one per block) or __device__ at file scope");
    }
  }

  bool has_barrier(Range body) const {
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (tokens_[i].kind == TokenKind::identifier && names::is_barrier(tokens_[i].text) &&
          !in_local_class(i, body)) {
        return true;
      }
    }
    return false;
  }

  // The runtime tells one barrier's calls apart by the chain of function entries.
  void keep_out_of_line(const Function& function) {
    bool placed = false;
    for (std::size_t i = function.head.begin; i < function.head.end; ++i) {
      if (function.parameters.contains(i)) continue;
      if (is(i, "__noinline__")) return;
      if ((is(i, "__device__") || is(i, "__global__")) && !placed && !erased_.contains(i)) {
        replace(i, names::noinline_attribute);
        placed = true;
      } else if (is(i, "__forceinline__")) {
        replace_forceinline(i, function.head);
      }
    }
  }

  void keep_out_of_line(const Lambda& lambda) {
    if (!has_barrier(lambda.body)) return;
    // The attribute follows the parameters, so there must be some.
    std::size_t place = lambda.head.end;
    bool parameters = false;
    for (std::size_t i = lambda.captures.end + 1; i < lambda.head.end; ++i) {
      if (is(i, "->") && place == lambda.head.end) place = i;
      parameters = parameters || is(i, "(");
      if (is(i, "(") && outline_.match[i] != npos) i = outline_.match[i];
    }
    if (parameters) insert_before(place, std::string(names::noinline_attribute) + " ");
  }

  void inject_file_shared(const Function& function) {
    if (file_shared_.empty()) return;
    std::set<std::string> used;
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::identifier) continue;
      if (i > 0 && (is(i - 1, ".") || is(i - 1, "->"))) continue;
      const std::string name(token.text);
      if (file_shared_.contains(name)) used.insert(name);
    }
    for (std::size_t i = function.parameters.begin; i < function.parameters.end; ++i) {
      used.erase(std::string(tokens_[i].text));
    }
    // A local of the same name hides the shared one.
    for (const auto& [name, token] : shared_names_) {
      if (function.body.contains(token)) used.erase(name);
    }
    if (used.empty() || !is(function.body.end, "}")) return;
    std::string text = " ";
    for (const std::string& name : used) {
      text += file_shared_[name];
      injected_.push_back({name, function.body});
    }
    insert_after(function.body.begin - 1, text + " {");
    insert_before(function.body.end, "}");
  }

  void lower_kernel(const Function& function) {
    if (function.in_class) {
      problem(function.name_token, "a kernel cannot be a member of a class: move it out");
      return;
    }
    std::string bound = "0";
    const std::size_t open = function.launch_bounds + 1;
    if (function.launch_bounds != npos && is(open, "(") && outline_.match[open] != npos) {
      const Range arguments{open + 1, outline_.match[open]};
      insert_after(function.body.begin - 1, names::launch_bounds(text_of(arguments)));
      bound = text_of(first_argument(arguments));
    }
    const Kernel& kernel = kernels_[std::string(function.name)];
    if (!kernel.is_template && !kernel.overloaded && is(function.body.end, "}") &&
        is_plain_name(function)) {
      insert_after(function.body.end, names::register_kernel(std::string(function.name), bound));
    } else if (can_name_its_instance(function, kernel)) {
      std::string arguments;
      for (const std::string_view name : function.template_parameters) {
        arguments += (arguments.empty() ? "" : ", ") + std::string(name);
      }
      insert_after(function.body.begin - 1,
                   names::register_instance(std::string(function.name), arguments, bound));
    }
  }

  // May a template kernel's body write `k<T, N>` and mean the instance that it is?
  bool can_name_its_instance(const Function& function, const Kernel& kernel) const {
    if (!kernel.is_template || kernel.overloaded || kernel.signatures.size() > 1 ||
        !function.names_its_parameters || !is_plain_name(function) || !is(function.body.end, "}")) {
      return false;
    }
    for (std::size_t i = function.parameters.begin; i < function.parameters.end; ++i) {
      if (tokens_[i].text == function.name) return false;  // hides the kernel
    }
    return true;
  }

  Range first_argument(Range range) const {
    std::size_t i = range.begin;
    while (i < range.end && !is(i, ",")) {
      const bool group = is(i, "(") || is(i, "[") || is(i, "{");
      i = group && outline_.match[i] != npos ? outline_.match[i] + 1 : i + 1;
    }
    return {range.begin, std::min(i, range.end)};
  }

  // Not `ns::k`, defined outside its namespace.
  bool is_plain_name(const Function& function) const {
    return function.name_token != npos && tokens_[function.name_token].text == function.name &&
           is_identifier(function.name_token) && !is(function.name_token - 1, "::");
  }
  bool is_identifier(std::size_t i) const {
    return tokens_[i].kind == TokenKind::identifier && !is(i, "operator");
  }

  // `__shared__` variables have static storage, so lambdas may use them without a capture; the
  // references that stand for them need one.
  void capture_shared(const Lambda& lambda) {
    std::set<std::string> wanted;
    for (std::size_t i = lambda.body.begin; i < lambda.body.end; ++i) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::identifier || is(i - 1, ".") || is(i - 1, "->") ||
          is(i - 1, "::")) {
        continue;
      }
      if (is_shared_local(token.text, lambda)) wanted.emplace(token.text);
    }
    for (std::size_t i = lambda.captures.begin; i < lambda.captures.end; ++i) {
      if (is(i, "&") && (i + 1 == lambda.captures.end || is(i + 1, ","))) return;
      wanted.erase(std::string(tokens_[i].text));
    }
    if (wanted.empty()) return;
    std::string text;
    for (const std::string& name : wanted) {
      text += (text.empty() && lambda.captures.empty() ? "&" : ", &") + name;
    }
    insert_before(lambda.captures.end, text);
  }

  bool is_shared_local(std::string_view name, const Lambda& lambda) const {
    for (const auto& [shared, token] : shared_names_) {
      if (shared != name || token > lambda.head.begin) continue;
      for (const Function& function : outline_.functions) {
        if (function.has_body && function.body.contains(token) &&
            function.body.contains(lambda.head.begin)) {
          return true;
        }
      }
    }
    return std::any_of(injected_.begin(), injected_.end(), [&](const auto& entry) {
      return entry.first == name && entry.second.contains(lambda.head.begin);
    });
  }

  // ---- launches ----

  // Number of tokens that spell "<<<" at i: 1, 2 for "<< <", 0 when there is none.
  std::size_t opener_length(std::size_t i) const {
    if (is(i, "<<<")) return 1;
    if (is(i, "<<") && is(i + 1, "<") && !(i > 0 && is(i - 1, "operator"))) return 2;
    return 0;
  }

  void lower_launches() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t length = opener_length(i);
      if (length == 0) continue;
      lower_launch(i, length);
      i += length - 1;
    }
  }

  // The ">>>" that ends the configuration: the last one before the next ';', "<<<" or closing
  // bracket that a '(' follows; failing that the last one at all.
  std::size_t find_closer(std::size_t begin) const {
    std::size_t best = npos;
    std::size_t fallback = npos;
    std::size_t i = begin;
    while (i < tokens_.size()) {
      const Token& token = tokens_[i];
      if (token.is(";") || token.is(")") || token.is("]") || token.is("}") ||
          opener_length(i) != 0) {
        break;
      }
      if (token.is("(") || token.is("[") || token.is("{")) {
        if (outline_.match[i] == npos) break;
        i = outline_.match[i] + 1;
        continue;
      }
      if (token.is(">") && is(i + 1, ">") && is(i + 2, ">") && !is(i + 3, ">")) {
        (is(i + 3, "(") ? best : fallback) = i;
      }
      ++i;
    }
    return best != npos ? best : fallback;
  }

  void lower_launch(std::size_t open, std::size_t open_length) {
    const std::size_t config = open + open_length;
    const std::size_t close = find_closer(config);
    if (close == npos) {
      problem(open,
              "kernel launch without its closing '>>>': write "
              "kernel<<<blocks, threads>>>(arguments)");
      return;
    }
    const std::size_t callee = callee_begin(open);
    if (callee == npos) {
      problem(open, "'<<<' without a kernel's name before it");
      return;
    }
    const std::string callee_text = text_of({callee, open});
    const std::size_t arguments = close + 3;
    if (!is(arguments, "(")) {
      problem(open, "launch of '" + callee_text +
                        "' without its argument list: write (...) after '>>>', () when the kernel "
                        "takes nothing");
      return;
    }
    if (outline_.match[arguments] == npos) {
      problem(arguments, "launch of '" + callee_text + "': its argument list is never closed");
      return;
    }
    if (!check_configuration(open, {config, close}, callee_text)) return;
    if (inside_device_function(open)) {
      problem(open, "a kernel cannot launch another kernel here: launches belong in host code");
      return;
    }
    if (open_length != 1 || is(config, "{") ||
        tokens_[close + 2].offset != tokens_[close].offset + 2) {
      result_.unusual_launches = true;
    }
    insert_before(callee, names::launch_open(launch_name(callee, open), line_of(open)));
    const bool deduced = needs_deduction(callee, open);
    // The callee's own text stays where it is, for the compiler's messages.
    if (deduced) {
      edit_launch_deduced(callee, open, callee_text);
    } else {
      replace(open, names::launch_middle(callee_text));
    }
    if (open_length == 2) replace(open + 1, "");
    replace(close, names::launch_close);
    replace(close + 1, "");
    replace(close + 2, "");
  }

  void edit_launch_deduced(std::size_t callee, std::size_t open, const std::string& callee_text) {
    insert_before(callee, names::deduced_open);
    replace(open, names::deduced_middle);
    static_cast<void>(callee_text);
  }

  bool check_configuration(std::size_t open, Range config, const std::string& callee) {
    std::size_t commas = 0;
    for (std::size_t i = config.begin; i < config.end; ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) {
        if (outline_.match[i] == npos) break;
        i = outline_.match[i];
      } else if (is(i, ",")) {
        ++commas;
      }
    }
    if (commas > 0 && !config.empty()) return true;
    problem(open, "launch of '" + callee +
                      "': too few execution configuration arguments, it needs the number of blocks "
                      "and of threads per block: <<<blocks, threads>>>");
    return false;
  }

  // The name of the kernel in reports: the callee's last identifier outside template arguments.
  std::string launch_name(std::size_t callee, std::size_t open) const {
    return in_quotes(text_of({callee, open}));
  }

  // Kernels whose type the call's arguments must decide cannot pass as a function pointer.
  bool needs_deduction(std::size_t callee, std::size_t open) const {
    std::size_t last = open - 1;
    std::size_t given = 0;
    if (is(last, ">")) {
      const std::size_t begin = template_arguments_begin(tokens_, outline_.match, last, callee);
      if (begin == npos || begin == 0) return false;
      given = count_arguments({begin + 1, last});
      last = begin - 1;
    }
    if (tokens_[last].kind != TokenKind::identifier) return false;
    const auto found = kernels_.find(std::string(tokens_[last].text));
    if (found == kernels_.end()) return false;
    const Kernel& kernel = found->second;
    if (kernel.is_template) return given < kernel.explicit_arguments;
    return kernel.overloaded;
  }

  std::size_t count_arguments(Range range) const {
    std::size_t count = range.empty() ? 0 : 1;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if ((is(i, "(") || is(i, "[") || is(i, "{")) && outline_.match[i] != npos) {
        i = outline_.match[i];
      } else if (is(i, "<")) {
        const std::size_t after = after_template_arguments(tokens_, outline_.match, i, range.end);
        if (after != npos) i = after - 1;
      } else if (is(i, ",")) {
        ++count;
      }
    }
    return count;
  }

  // First token of the postfix expression that ends before `open`.
  std::size_t callee_begin(std::size_t open) const {
    std::size_t i = open;
    bool need_operand = true;
    while (i > 0) {
      const std::size_t last = i - 1;
      const Token& token = tokens_[last];
      if (need_operand) {
        if (token.kind == TokenKind::identifier && !is_expression_keyword(token.text)) {
          i = last;
          need_operand = false;
        } else if (token.is(">")) {
          const std::size_t begin = template_arguments_begin(tokens_, outline_.match, last, 0);
          if (begin == npos) return npos;
          i = begin;  // the template's name must follow
        } else if (token.is(")") || token.is("]")) {
          const std::size_t group = outline_.match[last];
          if (group == npos) return npos;
          i = group;
          // `f(x)`, `t[i]` go on with what they apply to; `(*fp)` stands alone.
          if (i == 0) return token.is(")") ? i : npos;
          const Token& before = tokens_[i - 1];
          const bool applied =
              (before.kind == TokenKind::identifier && !is_expression_keyword(before.text)) ||
              before.is("]") || (before.is(")") && !closes_statement(i - 1)) ||
              (before.is(">") && token.is(")") &&
               template_arguments_begin(tokens_, outline_.match, i - 1, 0) != npos);
          if (!applied) {
            if (token.is("]")) return npos;
            need_operand = false;
          }
        } else {
          return npos;
        }
      } else if (token.is("::")) {
        i = last;
        if (i == 0) return i;
        const Token& before = tokens_[i - 1];
        const bool qualified =
            (before.kind == TokenKind::identifier && !is_expression_keyword(before.text)) ||
            before.is(">");
        if (!qualified) return i;
        need_operand = true;
      } else if (token.is(".") || token.is("->")) {
        i = last;
        need_operand = true;
      } else if (token.is("template") && last > 0) {
        i = last;
      } else {
        return i;
      }
    }
    return need_operand ? npos : i;
  }

  // Is the ')' at `close` the end of an `if (...)`, `while (...)` and the like?
  bool closes_statement(std::size_t close) const {
    const std::size_t open = outline_.match[close];
    if (open == npos || open == 0) return false;
    const Token& before = tokens_[open - 1];
    return before.is("if") || before.is("while") || before.is("for") || before.is("switch") ||
           before.is("constexpr");
  }

  // ---- words ----

  void erase_words() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::identifier || !token.text.starts_with("__")) continue;
      if (erased_.contains(i)) continue;
      if (token.is("__global__") || token.is("__device__") || token.is("__host__") ||
          token.is("__shared__") || token.is("__constant__") || token.is("__managed__") ||
          token.is("__grid_constant__")) {
        blank(i);
      } else if (token.is("__forceinline__")) {
        replace_forceinline(i, {i > 12 ? i - 12 : 0, i + 12});
      } else if (token.is("__noinline__")) {
        if (!(i > 0 && (is(i - 1, "(") || is(i - 1, ",")))) replace(i, "__attribute__((noinline))");
      } else if (token.is("__launch_bounds__") || token.is("__cluster_dims__") ||
                 token.is("__maxnreg__") || token.is("__block_size__")) {
        erase_with_operand(i);
      }
    }
  }

  void erase_with_operand(std::size_t i) {
    std::size_t end = i + 1;
    if (is(end, "(") && outline_.match[end] != npos) end = outline_.match[end] + 1;
    for (std::size_t j = i; j < end; ++j) blank(j);
  }

  // `inline`, unless the declaration already says so.
  void replace_forceinline(std::size_t i, Range around) {
    if (erased_.contains(i)) return;
    bool has_inline = false;
    for (std::size_t j = i; j-- > around.begin && !is(j, ";") && !is(j, "}") && !is(j, "{");) {
      has_inline = has_inline || is(j, "inline") || is(j, "__forceinline__");
    }
    for (std::size_t j = i + 1;
         j < around.end && j < tokens_.size() && !is(j, ";") && !is(j, "{") && !is(j, "("); ++j) {
      has_inline = has_inline || is(j, "inline");
    }
    if (has_inline) {
      blank(i);
    } else {
      replace(i, "inline         ");
    }
  }

  // ---- checks and facts ----

  void report_unconfigured_calls() {
    for (const Function& function : outline_.functions) {
      if (!function.has_body) continue;
      for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
        if (tokens_[i].kind != TokenKind::identifier) continue;
        const auto found = kernels_.find(std::string(tokens_[i].text));
        if (found == kernels_.end() || found->second.overloaded) continue;
        std::size_t next = i + 1;
        if (is(next, "<")) {
          next = after_template_arguments(tokens_, outline_.match, next, function.body.end);
          if (next == npos) continue;
        }
        if (!is(next, "(")) continue;
        const Token& before = tokens_[i - 1];
        // `float k(0);` declares a variable that hides the kernel; `.k(` is a member.
        const bool declares =
            (before.kind == TokenKind::identifier && !is_expression_keyword(before.text)) ||
            before.is(">") || before.is("*") || before.is("&") || before.is(".") ||
            before.is("->") || before.is("::");
        if (declares) continue;
        problem(i, "kernel '" + std::string(tokens_[i].text) +
                       "' is called like a function; a launch needs its configuration: " +
                       std::string(tokens_[i].text) + "<<<blocks, threads>>>(...)");
      }
    }
  }

  void describe_functions() {
    for (const Function& function : outline_.functions) {
      if (function.in_class || function.name_token == npos) continue;
      DefinedFunction described;
      described.name = function.name;
      described.parameters = text_of(function.parameters);
      const Token& token = tokens_[function.name_token];
      described.file = stream_.files[static_cast<std::size_t>(token.file)];
      described.line = token.line;
      described.is_kernel = function.is_kernel;
      described.is_device = function.is_device;
      described.is_static = function.is_static;
      described.extern_c = function.extern_c;
      described.in_namespace = function.namespace_depth > 0;
      described.in_anonymous_namespace = function.in_anonymous_namespace;
      described.is_template = function.is_template;
      described.has_body = function.has_body;
      result_.functions.push_back(std::move(described));
    }
  }

  std::string apply_edits() {
    // Equal offsets keep their order: insertions made first stand first.
    std::stable_sort(result_.edits.begin(), result_.edits.end(),
                     [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
    std::string text;
    text.reserve(source_.size() + 128 * result_.edits.size());
    std::size_t at = 0;
    for (const Edit& next : result_.edits) {
      if (next.offset > at) {
        text.append(source_.substr(at, next.offset - at));
        at = next.offset;
      }
      text.append(next.text);
      at = std::max(at, next.offset + next.length);
    }
    text.append(source_.substr(at));
    return text;
  }

  std::string_view source_;
  TokenStream stream_;
  const std::vector<Token>& tokens_;
  Outline outline_;
  Rewritten result_;
  std::set<std::string, std::less<>> host_functions_;
  std::map<std::string, Kernel> kernels_;
  std::unordered_set<std::size_t> erased_;
  std::vector<std::pair<std::string, std::size_t>> shared_names_;  // name, token
  std::map<std::string, std::string> file_shared_;                 // name, reference declaration
  std::vector<std::pair<std::string, Range>> injected_;
};

}  // namespace

bool Rewritten::ok() const {
  return std::none_of(problems.begin(), problems.end(),
                      [](const Problem& problem) { return problem.severity == Severity::error; });
}

Rewritten rewrite(std::string_view source, const RewriteOptions& options) {
  return Rewriter(source, options).run();
}

}  // namespace simt::compiler
