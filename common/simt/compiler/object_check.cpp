#include "object_check.h"

#include <filesystem>
#include <set>
#include <utility>

#include "fair_play.h"
#include "lexer.h"
#include "object_file.h"

namespace simt::compiler {
namespace {

// `int f(` declares f; `return f(` calls it.
bool is_declared_after(const Token& before) {
  if (before.is("*") || before.is("&") || before.is(">")) return true;
  return before.kind == TokenKind::identifier && !before.is("return") && !before.is("else") &&
         !before.is("do") && !before.is("case");
}

std::string why_it_does_not_count(const DefinedFunction& function) {
  if (function.is_kernel) {
    return "this is a kernel; the lesson's function is the host function that launches it";
  }
  if (function.in_anonymous_namespace) {
    return "this one is in an anonymous namespace, where nobody else sees it; move it out";
  }
  if (function.in_namespace) return "this one is in a namespace; move it to the global one";
  if (function.is_static) return "this one is static, so nobody else sees it; drop 'static'";
  if (function.extern_c) return "this one is extern \"C\"; drop that";
  if (function.is_template) return "this one is a template; make it a plain function";
  return "this one takes (" + function.parameters + ")";
}

Message missing_function(const ObjectRules& rules, const LessonFunction* wanted,
                         const std::vector<DefinedFunction>& functions) {
  Message message;
  message.text = std::filesystem::path(rules.source).filename().string() + " does not define " +
                 rules.function;
  if (wanted != nullptr) {
    message.text += " as moe/kernels.h declares it";
    Message declaration;
    declaration.kind = MessageKind::note;
    declaration.text = "declared is: void " + wanted->name + "(" + wanted->parameters + ")";
    message.notes.push_back(declaration);
  }
  for (const DefinedFunction& function : functions) {
    if (function.name != rules.function || !function.has_body) continue;
    message.file = function.file;
    message.line = function.line;
    message.text += ": " + why_it_does_not_count(function);
    break;
  }
  return message;
}

}  // namespace

std::optional<std::string> check_object(
    const std::string& object, const ObjectRules& rules,
    const std::vector<DefinedFunction>& functions,
    const std::function<Message(const std::string& name)>& call_of,
    std::vector<Message>& complaints) {
  const std::vector<Symbol> symbols = read_symbols(object);
  std::set<std::string> provided;
  for (const std::string& path : rules.allowed) {
    for (const Symbol& symbol : read_symbols(path)) {
      if (symbol.defined) provided.insert(symbol.name);
    }
  }
  bool good = true;
  if (!rules.lesson.empty()) {
    const std::vector<Symbol> runtime =
        rules.runtime.empty() ? std::vector<Symbol>() : read_symbols(rules.runtime);
    for (const Trespass& trespass : check_symbols(symbols, runtime)) {
      Message message = call_of(base_name(trespass.name));
      message.text = base_name(trespass.name) + " " + trespass.why;
      complaints.push_back(std::move(message));
      good = false;
    }
  }
  for (const Symbol& symbol : symbols) {
    if (symbol.defined || provided.contains(symbol.name)) continue;
    const std::string name = base_name(symbol.demangled);
    const LessonFunction* other = find_lesson(rules.lessons, name);
    if (other == nullptr || symbol.demangled != other->signature || name == rules.function) {
      continue;
    }
    Message message = call_of(name);
    message.text = (rules.lesson.empty() ? "this file" : "lesson " + rules.lesson.substr(0, 3)) +
                   " may not call " + name + " (lesson " + other->number +
                   "): the kernel is the exercise";
    complaints.push_back(std::move(message));
    good = false;
  }
  if (!good) return std::nullopt;
  if (rules.function.empty()) return "";
  const LessonFunction* wanted = find_lesson(rules.lessons, rules.function);
  for (const Symbol& symbol : symbols) {
    if (!symbol.defined || !symbol.global) continue;
    const bool matches = wanted != nullptr ? symbol.demangled == wanted->signature
                                           : base_name(symbol.demangled) == rules.function;
    if (matches) return symbol.name;
  }
  complaints.push_back(missing_function(rules, wanted, functions));
  return std::nullopt;
}

Message call_of(const std::string& name, std::string_view text, const std::string& file) {
  Message message;
  const TokenStream stream = lex(text, {file, true});
  for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) {
    if (!stream.tokens[i].is(name) || !stream.tokens[i + 1].is("(")) continue;
    message.file = stream.files[static_cast<std::size_t>(stream.tokens[i].file)];
    message.line = stream.tokens[i].line;
    if (i == 0 || !is_declared_after(stream.tokens[i - 1])) break;
  }
  return message;
}

}  // namespace simt::compiler
