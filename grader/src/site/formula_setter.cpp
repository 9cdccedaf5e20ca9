#include "site/formula_setter.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "render/latex.h"
#include "site/html.h"
#include "system/files.h"
#include "system/line_process.h"
#include "system/process.h"

namespace grade::site {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kPatience{60};
constexpr int kFallbackColumns = 76;

std::string key_of(const FormulaText& formula) {
  return content_hash((formula.display ? "display " : "inline ") + formula.latex);
}

std::string label(const FormulaText& formula) {
  return escaped(inline_formula(formula.latex));
}

std::string as_text(const FormulaText& formula) {
  if (!formula.display) {
    return "<span class=\"formula-text\">" + label(formula) + "</span>";
  }
  std::string lines;
  for (const std::string& line : display_formula(formula.latex, kFallbackColumns)) {
    if (!lines.empty()) lines += '\n';
    lines += escaped(line);
  }
  return "<span class=\"display formula-text\">" + lines + "</span>";
}

std::string as_svg(const FormulaText& formula, const std::string& svg) {
  const std::string labelled =
      fmt::format("<svg class=\"formula\" role=\"img\" aria-label=\"{}\"{}", label(formula),
                  svg.substr(std::string_view("<svg").size()));
  return formula.display ? "<span class=\"display\">" + labelled + "</span>" : labelled;
}

}  // namespace

FormulaSetter::FormulaSetter(const Paths& paths)
    : scripts_(paths.root / "tools" / "site"), cache_file_(paths.state() / "site" / "formulas") {}

FormulaSetter::~FormulaSetter() = default;

std::vector<std::string> FormulaSetter::set(const std::vector<FormulaText>& formulas) {
  if (formulas.empty()) return {};
  const std::lock_guard lock(mutex_);
  load();
  std::vector<FormulaText> missing;
  std::set<std::string> listed;
  for (const FormulaText& each : formulas) {
    const std::string key = key_of(each);
    if (!svg_.contains(key) && listed.insert(key).second) missing.push_back(each);
  }
  if (!missing.empty()) ask(missing);
  std::vector<std::string> html;
  for (const FormulaText& each : formulas) {
    const auto found = svg_.find(key_of(each));
    html.push_back(found == svg_.end() ? as_text(each) : as_svg(each, found->second));
  }
  return html;
}

std::string FormulaSetter::glyphs(std::string_view html) {
  constexpr std::string_view reference = "href=\"#m-";
  std::set<std::string> ids;
  for (std::size_t at = html.find(reference); at != std::string_view::npos;
       at = html.find(reference, at + 1)) {
    const std::size_t first = at + reference.size() - 2;  // the id begins with its "m-"
    ids.emplace(html.substr(first, html.find('"', first) - first));
  }
  std::string paths;
  const std::lock_guard lock(mutex_);
  for (const std::string& id : ids) {
    const auto found = glyphs_.find(id);
    if (found == glyphs_.end()) continue;
    paths += fmt::format("<path id=\"{}\" d=\"{}\"/>", id, found->second);
  }
  if (paths.empty()) return {};
  return "<svg class=\"glyphs\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>" + paths +
         "</defs></svg>\n";
}

std::vector<std::string> FormulaSetter::remarks() {
  const std::lock_guard lock(mutex_);
  return remarks_;
}

void FormulaSetter::remark(const std::string& text) {
  if (std::find(remarks_.begin(), remarks_.end(), text) == remarks_.end()) {
    remarks_.push_back(text);
  }
}

// A line of the file: "f", key, SVG or "g", id, path, tabs between; the first one is the version.
void FormulaSetter::load() {
  if (loaded_) return;
  loaded_ = true;
  version_ = content_hash(read_file_if_there(scripts_ / "render_formulas.mjs").value_or("") +
                          read_file_if_there(scripts_ / "package-lock.json").value_or(""));
  std::ifstream file(cache_file_);
  std::string line;
  if (!std::getline(file, line) || line != version_) return;
  while (std::getline(file, line)) {
    const std::size_t tab = line.find('\t', 2);
    if (tab == std::string::npos || (line[0] != 'f' && line[0] != 'g')) continue;
    auto& kind = line.starts_with("f\t") ? svg_ : glyphs_;
    kind[line.substr(2, tab - 2)] = line.substr(tab + 1);
  }
}

void FormulaSetter::start() {
  failed_ = true;
  const char* consequence = "formulas are shown as plain text";
  if (find_program("node").empty()) {
    remark(fmt::format(
        "Node.js is not on this machine, so {}. `grade doctor` names the package; after that: npm "
        "ci --prefix tools/site",
        consequence));
    return;
  }
  if (!fs::exists(scripts_ / "node_modules" / "mathjax-full")) {
    remark(fmt::format("MathJax is not installed, so {}: npm ci --prefix tools/site", consequence));
    return;
  }
  node_ = std::make_unique<LineProcess>(
      std::vector<std::string>{"node", (scripts_ / "render_formulas.mjs").string()});
  failed_ = false;
}

void FormulaSetter::ask(const std::vector<FormulaText>& formulas) {
  if (node_ == nullptr && !failed_) start();
  if (failed_) return;
  json request = json::array();
  for (const FormulaText& each : formulas) {
    request.push_back({{"latex", each.latex}, {"display", each.display}});
  }
  const auto answer = node_->ask(request.dump(), kPatience);
  const json reply = answer ? json::parse(*answer, nullptr, false) : json();
  if (!reply.is_object() || reply.at("formulas").size() != formulas.size()) {
    failed_ = true;
    node_.reset();
    remark(
        "MathJax gave no answer, so formulas are shown as plain text. To see why: "
        "echo '[]' | node tools/site/render_formulas.mjs");
    return;
  }
  std::string lines;
  for (const auto& [id, path] : reply.at("glyphs").items()) {
    if (glyphs_.contains(id)) continue;
    glyphs_[id] = path;
    lines += "g\t" + id + "\t" + glyphs_[id] + "\n";
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const json& each = reply.at("formulas").at(i);
    if (!each.is_string()) {
      remark(fmt::format("MathJax does not understand {}: {}", formulas[i].latex,
                         each.value("error", "")));
      continue;
    }
    const std::string key = key_of(formulas[i]);
    svg_[key] = each;
    lines += "f\t" + key + "\t" + svg_[key] + "\n";
  }
  keep(lines);
}

// That it cannot be kept (a read-only folder) only costs time.
void FormulaSetter::keep(const std::string& lines) {
  std::error_code ignored;
  fs::create_directories(cache_file_.parent_path(), ignored);
  std::string first;
  std::getline(std::ifstream(cache_file_), first);
  if (first == version_) {
    std::ofstream(cache_file_, std::ios::app) << lines;
  } else {
    std::ofstream(cache_file_) << version_ << '\n' << lines;
  }
}

}  // namespace grade::site
