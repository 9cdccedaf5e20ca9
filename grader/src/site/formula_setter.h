// Formulas as SVG, set by MathJax in a node process that is started when the first one is asked for
// that no earlier run has set: what was set once stays in .grade/site/formulas.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "system/paths.h"

namespace grade {
class LineProcess;
}

namespace grade::site {

struct FormulaText {
  std::string latex;
  bool display = false;
};

class FormulaSetter {
 public:
  explicit FormulaSetter(const Paths& paths);
  ~FormulaSetter();

  // HTML for each formula, in order: an SVG with its Unicode text as label, or that text where
  // MathJax isn't there or does not understand it. Thread-safe.
  std::vector<std::string> set(const std::vector<FormulaText>& formulas);

  // The shapes that these formulas refer to, as one hidden SVG; empty when there are none.
  std::string glyphs(std::string_view html);

  std::vector<std::string> remarks();

 private:
  void load();
  void start();
  void ask(const std::vector<FormulaText>& formulas);
  void keep(const std::string& lines);
  void remark(const std::string& text);

  std::filesystem::path scripts_;
  std::filesystem::path cache_file_;
  std::mutex mutex_;
  bool loaded_ = false;
  std::string version_;  // of the script and of MathJax: another one sets all anew
  std::unordered_map<std::string, std::string> svg_;     // by hash of the formula
  std::unordered_map<std::string, std::string> glyphs_;  // paths by id
  std::unique_ptr<LineProcess> node_;
  bool failed_ = false;
  std::vector<std::string> remarks_;
};

}  // namespace grade::site
