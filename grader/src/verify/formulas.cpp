#include "verify/formulas.h"

#include <fmt/core.h>
#include <md4c.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sandbox/sandbox.h"
#include "system/process.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

struct Collector {
  std::string where;
  std::vector<Formula> found;
  bool inside = false;
};

int enter_span(MD_SPANTYPE type, void*, void* data) {
  auto& collector = *static_cast<Collector*>(data);
  if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
    collector.inside = true;
    collector.found.push_back({collector.where, "", type == MD_SPAN_LATEXMATH_DISPLAY});
  }
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* data) {
  if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
    static_cast<Collector*>(data)->inside = false;
  }
  return 0;
}

int take_text(MD_TEXTTYPE, const MD_CHAR* text, MD_SIZE size, void* data) {
  auto& collector = *static_cast<Collector*>(data);
  if (collector.inside) collector.found.back().latex += std::string_view(text, size);
  return 0;
}

int ignore_block(MD_BLOCKTYPE, void*, void*) {
  return 0;
}

}  // namespace

std::vector<Formula> formulas(std::string_view markdown, const std::string& where) {
  Collector collector{where, {}, false};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_TABLES;
  parser.enter_block = ignore_block;
  parser.leave_block = ignore_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = take_text;
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &collector);
  return collector.found;
}

FormulaCheck check_formulas(const Paths& paths, const std::vector<Formula>& all) {
  FormulaCheck check;
  const fs::path folder = paths.root / "tools" / "site";
  const std::string node = find_program("node");
  if (node.empty()) {
    check.why_not = "node is not on this machine";
    return check;
  }
  if (!fs::exists(folder / "node_modules" / "mathjax-full")) {
    check.why_not = "MathJax is not installed: npm ci --prefix tools/site";
    return check;
  }
  const fs::path list = paths.state() / "verify" / "formulas.txt";
  fs::create_directories(list.parent_path());
  {
    std::ofstream file(list);
    for (const Formula& each : all) {
      std::string latex = each.latex;
      std::replace(latex.begin(), latex.end(), '\n', ' ');
      file << (each.display ? "display" : "inline") << '\t' << each.where << '\t' << latex << '\n';
    }
  }
  sandbox::Command command;
  command.program = node;
  command.arguments = {(folder / "check_formulas.mjs").string(), list.string()};
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  command.folder = folder;
  command.limits.timeout = std::chrono::minutes(3);
  const sandbox::Outcome outcome = sandbox::run(command);
  if (outcome.ending != sandbox::Ending::exited || outcome.code > 1) {
    check.why_not = fmt::format("node failed: {}{}", outcome.detail, outcome.output.substr(0, 500));
    return check;
  }
  check.done = true;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) check.problems.push_back(line);
  return check;
}

}  // namespace grade
