#include "source_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "lexer.h"

namespace simt::compiler {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word or the single character at `at`.
std::string_view word_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, std::max<std::size_t>(end - at, 1));
}

}  // namespace

std::string read_file(const std::string& path) {
  // A #line may name a device, which has no end.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw std::runtime_error("cannot read " + path);
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + path);
  return std::move(text).str();
}

std::string why_no_source(std::string_view text) {
  using namespace std::string_view_literals;
  const char* encoding = nullptr;
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv)) {
    encoding = "UTF-32";
  } else if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    encoding = "UTF-16";
  } else {
    const auto zeros = std::count(text.begin(), text.end(), '\0');
    if (zeros == 0) return {};
    // Without a mark at its start: every second byte of what is mostly ASCII is 0, on one side.
    std::ptrdiff_t at_even = 0;
    for (std::size_t i = 0; i < text.size(); i += 2) at_even += text[i] == '\0';
    const bool one_side = at_even == 0 || at_even == zeros;
    if (one_side && zeros * 5 >= static_cast<std::ptrdiff_t>(text.size()) * 2) encoding = "UTF-16";
  }
  if (encoding == nullptr) return "this is no text: it has bytes of value 0";
  return std::string("saved as ") + encoding + ", which compilers don't read; save it as UTF-8";
}

SourceFiles::File& SourceFiles::load(const std::string& file) {
  auto [found, added] = files_.try_emplace(file);
  File& loaded = found->second;
  if (!added) return loaded;
  try {
    loaded.text = read_file(file);
    loaded.readable = true;
  } catch (const std::runtime_error&) {
    return loaded;
  }
  loaded.starts.push_back(0);
  for (std::size_t i = 0; i < loaded.text.size(); ++i) {
    if (loaded.text[i] == '\n') loaded.starts.push_back(i + 1);
  }
  return loaded;
}

bool SourceFiles::exists(const std::string& file) {
  return load(file).readable;
}

std::string_view SourceFiles::line(const std::string& file, int line) {
  const File& loaded = load(file);
  const auto index = static_cast<std::size_t>(line) - 1;
  if (line < 1 || index >= loaded.starts.size()) return {};
  const std::size_t begin = loaded.starts[index];
  const std::size_t end = std::min(loaded.text.find('\n', begin), loaded.text.size());
  std::string_view text = std::string_view(loaded.text).substr(begin, end - begin);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

ColumnMap::ColumnMap(std::string_view preprocessed, const std::vector<Edit>& edits,
                     SourceFiles& sources)
    : preprocessed_(preprocessed), edits_(edits), sources_(sources) {
  std::map<std::string, bool> own;
  std::string file;
  bool interesting = true;
  int line = 1;
  each_line(preprocessed, [&](std::size_t begin, std::size_t end, const LineMarker* marker) {
    if (marker != nullptr) {
      file = marker->file;
      interesting = own.try_emplace(file, !marker->system).first->second;
      line = marker->line;
    } else {
      if (interesting && end > begin) lines_[{file, line}].push_back({begin, end});
      ++line;
    }
  });
}

int ColumnMap::original(const std::string& file, int line, int column) const {
  const auto found = lines_.find({file, line});
  if (found == lines_.end() || column < 1) return column;
  const std::string_view author = sources_.line(file, line);
  int result = 0;
  int best_distance = 0;
  for (const PhysicalLine& physical : found->second) {
    auto next =
        std::lower_bound(edits_.begin(), edits_.end(), physical.begin,
                         [](const Edit& edit, std::size_t offset) { return edit.offset < offset; });
    // Walk along the rewritten line until the wanted column is reached.
    std::size_t at = physical.begin;
    auto left = static_cast<std::size_t>(column) - 1;
    bool inside_edit = false;
    for (; next != edits_.end() && next->offset <= physical.end; ++next) {
      if (next->offset > at) {
        if (left < next->offset - at) break;
        left -= next->offset - at;
        at = next->offset;
      }
      if (left < next->text.size()) {
        inside_edit = true;
        break;
      }
      left -= next->text.size();
      at = std::max(at, next->offset + next->length);
    }
    if (!inside_edit) at += left;
    if (at >= physical.end) {
      // Something is missing at the end of the line.
      if (found->second.size() == 1) return static_cast<int>(author.size()) + 1;
      continue;
    }
    const std::string_view text = preprocessed_.substr(0, physical.end);
    const int guess = static_cast<int>(at - physical.begin) + 1;
    const int place = nearest_word(author, word_at(text, at), guess);
    const int distance = std::abs(place - guess);
    if (place > 0 && (result == 0 || distance < best_distance)) {
      result = place;
      best_distance = distance;
    }
  }
  return result;
}

int nearest_word(std::string_view line, std::string_view word, int column) {
  if (word.empty()) return 0;
  int best = 0;
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const bool whole = !is_word(word.front()) ||
                       ((at == 0 || !is_word(line[at - 1])) &&
                        (at + word.size() >= line.size() || !is_word(line[at + word.size()])));
    const int place = static_cast<int>(at) + 1;
    if (whole && (best == 0 || std::abs(place - column) < std::abs(best - column))) best = place;
  }
  return best;
}

}  // namespace simt::compiler
