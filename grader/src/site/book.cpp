#include "site/book.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "system/files.h"

namespace grade::site {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string_view name;  // without .md
  std::string_view group;
};

// The order to read them in. A page that is not named here comes last.
constexpr std::array kPlaces{
    Place{"start", "Before the first lesson"},
    Place{"conventions", "Before the first lesson"},
    Place{"layer", "Derivations"},
    Place{"softmax", "Derivations"},
    Place{"gates", "Derivations"},
    Place{"dispatch", "Derivations"},
    Place{"auxiliary-loss", "Derivations"},
    Place{"parallel", "Derivations"},
    Place{"error-bounds", "Derivations"},
    Place{"products", "Derivations"},
    Place{"cpu-runtime", "How the workbook works"},
    Place{"architecture", "How the workbook works"},
    Place{"progress", "How the workbook works"},
};
constexpr std::string_view kEvidence = "Performance and evidence";
constexpr std::string_view kOthers = "More";

std::size_t place_of(std::string_view name) {
  const auto found = std::find_if(kPlaces.begin(), kPlaces.end(),
                                  [&](const Place& each) { return each.name == name; });
  return static_cast<std::size_t>(found - kPlaces.begin());
}

DocPage read_page(const Paths& paths, const fs::path& file) {
  DocPage page;
  page.file = file;
  fs::path name = fs::relative(file, paths.docs());
  const std::size_t place = place_of(name.replace_extension().string());
  page.path = "docs/" + name.generic_string() + ".html";
  const bool evidence = page.path.starts_with("docs/evidence/") ||
                        name.string().find("performance") != std::string::npos;
  page.group = place < kPlaces.size() ? kPlaces.at(place).group : evidence ? kEvidence : kOthers;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (page.title.empty() && line.starts_with("# ")) {
      page.title = line.substr(2);
    } else if (!page.title.empty() && line.empty() && !page.about.empty()) {
      break;
    } else if (!page.title.empty() && !line.empty()) {
      page.about += (page.about.empty() ? "" : "\n") + line;
    }
  }
  if (page.title.empty()) page.title = name.filename().string();
  return page;
}

std::vector<DocPage> read_docs(const Paths& paths) {
  std::vector<DocPage> pages;
  std::error_code missing;
  for (const auto& entry : fs::recursive_directory_iterator(paths.docs(), missing)) {
    if (entry.is_regular_file() && entry.path().extension() == ".md") {
      pages.push_back(read_page(paths, entry.path()));
    }
  }
  const auto rank = [&](const DocPage& page) {
    const fs::path name = fs::relative(page.file, paths.docs()).replace_extension();
    return std::pair(place_of(name.string()), page.path);
  };
  // Evidence before what nobody placed.
  std::sort(pages.begin(), pages.end(), [&](const DocPage& a, const DocPage& b) {
    const bool a_other = a.group == kOthers;
    const bool b_other = b.group == kOthers;
    return a_other != b_other ? b_other : rank(a) < rank(b);
  });
  // Two reports of one kind are told apart by their files.
  for (DocPage& page : pages) {
    const bool alone = std::count_if(pages.begin(), pages.end(), [&](const DocPage& other) {
                         return other.title.starts_with(page.title);
                       }) == 1;
    if (!alone) page.title += " (" + page.file.stem().string() + ")";
  }
  return pages;
}

}  // namespace

Book::Book(const Paths& where, const Course& what, SiteOptions how)
    : paths(where),
      course(what),
      options(std::move(how)),
      declarations(read_declarations(
          read_file_if_there(where.root / "common/moe/include/moe/kernels.h").value_or(""))),
      links(what, declarations),
      formulas(where),
      docs(read_docs(where)) {}

const Declaration* Book::declaration(const Lesson& lesson) const {
  const auto found =
      std::find_if(declarations.begin(), declarations.end(),
                   [&](const Declaration& each) { return each.function == lesson.slug; });
  return found == declarations.end() ? nullptr : &*found;
}

std::string Book::notes(const Lesson& lesson) const {
  const std::string file = lesson.notes_file().string();
  return split_front_matter(read_file(file), file).body;
}

std::string lesson_path(const Lesson& lesson) {
  return "lessons/" + lesson.directory() + ".html";
}

}  // namespace grade::site
