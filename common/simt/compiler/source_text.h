// The author's files, line by line, and the way back from generated text to them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rewriter.h"

namespace simt::compiler {

std::string read_file(const std::string& path);  // throws std::runtime_error

// Why no compiler would read `text` as a source: it is UTF-16, or no text at all. Empty: it may.
std::string why_no_source(std::string_view text);

class SourceFiles {
 public:
  // Line `line` (1-based) of `file` without its newline; empty when there is none.
  std::string_view line(const std::string& file, int line);
  bool exists(const std::string& file);

 private:
  struct File {
    bool readable = false;
    std::string text;
    std::vector<std::size_t> starts;
  };
  File& load(const std::string& file);
  std::map<std::string, File> files_;
};

// Finds the column in the author's line that a column of the rewritten text stands for. Macro
// expansion moves text about, so the word found there decides.
class ColumnMap {
 public:
  ColumnMap(std::string_view preprocessed, const std::vector<Edit>& edits, SourceFiles& sources);
  // Columns are 1-based; 0 when no place in the line corresponds.
  int original(const std::string& file, int line, int column) const;

 private:
  struct PhysicalLine {
    std::size_t begin;
    std::size_t end;
  };
  std::string_view preprocessed_;
  const std::vector<Edit>& edits_;
  SourceFiles& sources_;
  std::map<std::pair<std::string, int>, std::vector<PhysicalLine>> lines_;
};

// The column of the word nearest to `column` in `line` that equals `word`, 0 when there is none.
int nearest_word(std::string_view line, std::string_view word, int column);

}  // namespace simt::compiler
