// What all pages are made from: read once, and the same for every page.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "course/course.h"
#include "progress/progress.h"
#include "site/cross_links.h"
#include "site/declarations.h"
#include "site/formula_setter.h"
#include "site/site.h"
#include "system/paths.h"

namespace grade::site {

// A page of docs/.
struct DocPage {
  std::filesystem::path file;
  std::string path;   // on the site: docs/start.html
  std::string title;  // its first heading
  std::string about;  // its first paragraph, as Markdown
  std::string group;
};

struct Book {
  Book(const Paths& paths, const Course& course, SiteOptions options);

  const Paths& paths;
  const Course& course;
  const SiteOptions options;
  std::vector<Declaration> declarations;
  CrossLinks links;
  FormulaSetter formulas;
  std::vector<DocPage> docs;  // in reading order

  const Declaration* declaration(const Lesson& lesson) const;
  std::string notes(const Lesson& lesson) const;  // without the front matter
};

std::string lesson_path(const Lesson& lesson);  // lessons/001_matmul_nn.html

}  // namespace grade::site
