// A page while it is written: knows where it stands, so that links lead from there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "site/book.h"
#include "site/markdown_html.h"

namespace grade::site {

class Draft {
 public:
  // `path` is the page's own; `source` the file that its Markdown comes from, by whose folder links
  // and pictures are found.
  Draft(Book& book, std::string path, std::filesystem::path source = {});
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // The address of another page of the site, from this one.
  std::string href(std::string_view path) const { return root_ + std::string(path); }

  std::string markdown(std::string_view text, int shift = 0);
  std::string in_line(std::string_view text);
  std::string cpp(std::string_view code);
  MarkdownPage& page() { return page_; }

  struct Frame {
    std::string title;           // of the window; the course's name follows
    std::string section;         // course, docs or progress: marked in the head of the page
    std::string rail;            // beside the text where there is room; may be empty
    std::string previous, next;  // paths, for the keys p and n; may be empty
    std::string body_class;
  };
  // The whole page round `main`.
  std::string finish(const Frame& frame, std::string_view main);

 private:
  std::string link(std::string_view target) const;
  std::string figure(std::string_view source) const;
  std::string lesson_link(const Lesson* lesson) const;

  Book& book_;
  std::string path_;
  std::filesystem::path source_;
  std::string root_;  // "../" as often as it takes
  MarkdownPage page_;
};

// A picture of the course as part of a page, coloured by the page's theme.
std::string inlined_svg(std::string svg);

}  // namespace grade::site
