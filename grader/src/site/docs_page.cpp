#include <fmt/format.h>

#include "site/draft.h"
#include "site/html.h"
#include "site/pages.h"
#include "system/files.h"

namespace grade::site {
namespace {

std::string rail(const Book& book, const Draft& draft, const std::string& here) {
  std::string html = "<nav class=\"rail\" aria-label=\"Docs\">\n";
  std::string group;
  for (const DocPage& doc : book.docs) {
    if (doc.group != group) {
      if (!group.empty()) html += "</ol>\n";
      html += fmt::format("<p>{}</p>\n<ol>\n", escaped(doc.group));
      group = doc.group;
    }
    html += fmt::format("<li><a href=\"{}\"{}>{}</a></li>\n", draft.href(doc.path),
                        doc.path == here ? " aria-current=\"page\"" : "", escaped(doc.title));
  }
  return html + (group.empty() ? "" : "</ol>\n") + "</nav>\n";
}

}  // namespace

std::string docs_index_page(Book& book) {
  Draft draft(book, "docs/index.html", book.paths.docs() / "index.md");
  std::string main =
      "<header class=\"head\"><h1>Docs</h1>\n<p class=\"lead\">What the lessons build on: "
      "conventions, derivations in one piece, the runtime, and the figures "
      "measured.</p></header>\n";
  std::string group;
  for (const DocPage& doc : book.docs) {
    if (doc.group != group) {
      if (!group.empty()) main += "</dl>\n</section>\n";
      const std::string id = id_of(doc.group);
      main += fmt::format(
          "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n<dl class=\"list\">\n", id,
          escaped(doc.group));
      group = doc.group;
    }
    main += fmt::format("<div><dt><a href=\"{}\">{}</a></dt><dd>{}</dd></div>\n",
                        draft.href(doc.path), escaped(doc.title), draft.in_line(doc.about));
  }
  if (!group.empty()) main += "</dl>\n</section>\n";
  Draft::Frame frame;
  frame.title = "Docs";
  frame.section = "docs";
  frame.body_class = "docs";
  frame.rail = rail(book, draft, "docs/index.html");
  if (!book.docs.empty()) frame.next = book.docs.front().path;
  return draft.finish(frame, main);
}

std::string doc_page(Book& book, const DocPage& doc) {
  Draft draft(book, doc.path, doc.file);
  const std::string main = "<article>\n" + draft.markdown(read_file(doc.file)) + "</article>\n";
  Draft::Frame frame;
  frame.title = doc.title;
  frame.section = "docs";
  frame.body_class = "docs";
  frame.rail = rail(book, draft, doc.path);
  frame.previous = "docs/index.html";
  for (std::size_t i = 0; i < book.docs.size(); ++i) {
    if (book.docs[i].path != doc.path) continue;
    if (i > 0) frame.previous = book.docs[i - 1].path;
    if (i + 1 < book.docs.size()) frame.next = book.docs[i + 1].path;
  }
  return draft.finish(frame, main);
}

}  // namespace grade::site
