#include "site/search_index.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "render/document.h"
#include "render/markdown.h"
#include "site/html.h"
#include "system/files.h"

namespace grade::site {
namespace {

using nlohmann::json;

constexpr std::size_t kShortestWord = 3;
constexpr std::size_t kLongestWord = 32;

// Each word once, in lower case; code and names in it count as words.
std::string words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto take = [&] {
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    if (word.size() >= kShortestWord && word.size() <= kLongestWord && !number) words.insert(word);
    word.clear();
  };
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_') {
      word += static_cast<char>(std::tolower(byte));
    } else {
      take();
    }
  }
  take();
  std::string all;
  for (const std::string& each : words) all += (all.empty() ? "" : " ") + each;
  return all;
}

json entry(const std::string& page, const std::string& anchor, const std::string& title,
           const std::string& section, const std::string& text) {
  return json::array({page + (anchor.empty() ? "" : "#" + anchor), title, section, words_of(text)});
}

}  // namespace

std::string search_index_script(const Book& book) {
  json index = json::array();
  for (const Lesson& lesson : book.course.lessons) {
    const std::string title = fmt::format("{:03} {}", lesson.number, lesson.title);
    const std::string page = lesson_path(lesson);
    index.push_back(
        entry(page, "", title, "",
              fmt::format("{} {} {} {}", lesson.slug, lesson.step, fmt::join(lesson.concepts, " "),
                          fmt::join(lesson.introduces_terms, " "))));
    for (const Section& section : split_sections(book.notes(lesson))) {
      index.push_back(entry(page, id_of(section.title), title, section.title, section.text));
    }
  }
  for (const DocPage& doc : book.docs) {
    for (const Section& section : split_sections(read_file(doc.file))) {
      // A heading may hold code and formulas: its id is made of its plain text.
      const auto heading = parse_markdown(section.title);
      const std::string title = heading ? plain(*heading) : section.title;
      index.push_back(
          entry(doc.path, title.empty() ? "" : id_of(title), doc.title, title, section.text));
    }
  }
  return "window.workbookIndex = " + index.dump(-1, ' ', false, json::error_handler_t::replace) +
         ";\n";
}

}  // namespace grade::site
