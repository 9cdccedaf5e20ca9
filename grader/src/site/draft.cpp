#include "site/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "site/html.h"
#include "system/files.h"

namespace grade::site {
namespace {

namespace fs = std::filesystem;

void remove_attribute(std::string& tag, std::string_view name) {
  const std::string begin = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(begin);
  if (at == std::string::npos) return;
  tag.erase(at, tag.find('"', at + begin.size()) + 1 - at);
}

}  // namespace

std::string inlined_svg(std::string svg) {
  const std::size_t start = svg.find("<svg");
  if (start == std::string::npos) return {};
  svg.erase(0, start);  // an XML declaration
  // The theme has the rules for what the course's pictures are made of.
  for (std::size_t at = svg.find("<style>"); at != std::string::npos; at = svg.find("<style>")) {
    constexpr std::string_view close = "</style>\n";
    const std::size_t end = svg.find("</style>", at);
    if (end == std::string::npos) return {};
    svg.erase(at, end + close.size() - at);
  }
  const std::size_t end = svg.find('>');
  std::string tag = svg.substr(0, end);
  // The viewBox gives the shape, the theme the width.
  const std::size_t box = tag.find("viewBox=\"0 0 ");
  std::string width;
  if (box != std::string::npos) {
    const std::size_t first = box + std::string_view("viewBox=\"0 0 ").size();
    width = tag.substr(first, tag.find(' ', first) - first);
  }
  for (const char* name : {"width", "height", "xmlns"}) remove_attribute(tag, name);
  if (!width.empty()) tag += " width=\"" + width + "\"";
  std::string result = tag + svg.substr(end);
  for (std::size_t at = result.find(" xml:space=\"preserve\""); at != std::string::npos;
       at = result.find(" xml:space=\"preserve\"", at)) {
    result.erase(at, std::string_view(" xml:space=\"preserve\"").size());
  }
  while (result.ends_with('\n')) result.pop_back();
  return result;
}

Draft::Draft(Book& book, std::string path, fs::path source)
    : book_(book), path_(std::move(path)), source_(std::move(source)) {
  const auto depth = std::count(path_.begin(), path_.end(), '/');
  for (std::ptrdiff_t i = 0; i < depth; ++i) root_ += "../";
  const CrossLinks& links = book_.links;
  page_.link = [this](std::string_view target) { return link(target); };
  page_.figure = [this](std::string_view file) { return figure(file); };
  page_.link_of_name = [this, &links](std::string_view name) {
    return lesson_link(links.function(name));
  };
  page_.link_of_number = [this, &links](std::string_view number) {
    return lesson_link(links.number(number));
  };
  page_.link_of_code = [this, &links](std::string_view code) {
    const Lesson* lesson = links.function(code.substr(0, code.find('(')));
    if (lesson == nullptr) lesson = links.directory(code);
    // In a lesson `A` may be any matrix; the docs speak of the layer.
    if (lesson == nullptr && path_.starts_with("docs/")) lesson = links.array(code);
    return lesson_link(lesson);
  };
}

std::string Draft::markdown(std::string_view text, int shift) {
  return markdown_html(text, page_, shift);
}

std::string Draft::in_line(std::string_view text) {
  return inline_html(text, page_);
}

std::string Draft::cpp(std::string_view code) {
  return cpp_html(code, page_.link_of_name);
}

std::string Draft::lesson_link(const Lesson* lesson) const {
  if (lesson == nullptr) return {};
  const std::string path = lesson_path(*lesson);
  return path == path_ ? std::string() : href(path);
}

std::string Draft::link(std::string_view target) const {
  if (target.starts_with("https://") || target.starts_with("http://") || target.starts_with('#')) {
    return std::string(target);
  }
  const std::size_t hash = target.find('#');
  const std::string anchor(hash == std::string_view::npos ? "" : target.substr(hash));
  const fs::path file =
      (source_.parent_path() / std::string(target.substr(0, hash))).lexically_normal();
  for (const DocPage& page : book_.docs) {
    if (page.file == file) return href(page.path) + anchor;
  }
  for (const Lesson& lesson : book_.course.lessons) {
    if (lesson.notes_file() == file) return href(lesson_path(lesson)) + anchor;
  }
  return {};  // a file of the repository that is no page
}

std::string Draft::figure(std::string_view source) const {
  if (!source.ends_with(".svg")) return {};
  const auto svg = read_file_if_there(source_.parent_path() / std::string(source));
  return svg ? inlined_svg(*svg) : std::string();
}

std::string Draft::finish(const Frame& frame, std::string_view main) {
  const Course& course = book_.course;
  const auto tab = [&](const char* section, const char* path, const char* text) {
    return fmt::format("<a href=\"{}\"{}>{}</a>", href(path),
                       frame.section == section ? " aria-current=\"true\"" : "", text);
  };
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>{}{}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"grade-root\" content=\"{}\">\n",
      frame.title.empty() ? "" : escaped(frame.title) + " · ", escaped(course.title), root_);
  if (book_.options.live) {
    page +=
        fmt::format("<meta name=\"grade-live\" content=\"{}\">\n", escaped(book_.options.token));
  }
  page += fmt::format(
      "<link rel=\"icon\" href=\"{0}assets/icon.svg\">\n"
      "<link rel=\"stylesheet\" href=\"{0}assets/site.css\">\n"
      "<script src=\"{0}assets/theme.js\"></script>\n"
      "<script src=\"{0}assets/site.js\" defer></script>\n",
      root_);
  if (!frame.previous.empty()) {
    page += fmt::format("<link rel=\"prev\" href=\"{}\">\n", href(frame.previous));
  }
  if (!frame.next.empty()) {
    page += fmt::format("<link rel=\"next\" href=\"{}\">\n", href(frame.next));
  }
  const std::string set = set_formulas(main, page_, book_.formulas);
  page += fmt::format(
      "</head>\n<body class=\"{}\">\n<a class=\"skip\" href=\"#main\">Skip to the text</a>\n"
      "<header class=\"top\">\n<a class=\"brand\" href=\"{}\">{}</a>\n"
      "<nav aria-label=\"Site\">{}{}{}</nav>\n"
      "<div class=\"tools\" data-tools></div>\n</header>\n",
      frame.body_class, href("index.html"), escaped(course.title),
      tab("course", "index.html", "Course"), tab("docs", "docs/index.html", "Docs"),
      book_.options.progress ? tab("progress", "progress.html", "Progress") : "");
  page += book_.formulas.glyphs(set);
  page += "<div class=\"page\">\n";
  if (!frame.rail.empty()) page += frame.rail;
  page += fmt::format("<main id=\"main\" tabindex=\"-1\">\n{}</main>\n</div>\n", set);
  page +=
      "<footer class=\"bottom\"><p>Keys: <kbd>j</kbd> <kbd>k</kbd> section, <kbd>n</kbd> "
      "<kbd>p</kbd> page, <kbd>/</kbd> search, <kbd>t</kbd> theme.</p></footer>\n"
      "</body>\n</html>\n";
  return page;
}

}  // namespace grade::site
