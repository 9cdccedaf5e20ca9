#include "site/assets.h"

#include <fmt/format.h>

#include <array>

#include "system/files.h"

namespace grade::site {
namespace {

namespace fs = std::filesystem;

struct Font {
  const char* package;  // of tools/site/package.json
  const char* family;
  const char* style;
  const char* weights;
};

constexpr std::array kFonts{
    Font{"source-serif-4", "Source Serif 4", "normal", "200 900"},
    Font{"source-serif-4", "Source Serif 4", "italic", "200 900"},
    Font{"inter", "Inter", "normal", "100 900"},
    Font{"jetbrains-mono", "JetBrains Mono", "normal", "100 800"},
};

std::string file_name(const Font& font) {
  return fmt::format("{}-latin-wght-{}.woff2", font.package, font.style);
}

// What these fonts hold; other characters come from the system's.
constexpr const char* kRange =
    "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,"
    "U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";

std::string font_rules() {
  std::string rules;
  for (const Font& font : kFonts) {
    rules += fmt::format(
        "@font-face {{ font-family: \"{}\"; font-style: {}; font-weight: {}; font-display: swap; "
        "src: url(fonts/{}) format(\"woff2\"); unicode-range: {}; }}\n",
        font.family, font.style, font.weights, file_name(font), kRange);
  }
  return rules;
}

const char* type_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".css") return "text/css; charset=utf-8";
  if (extension == ".js") return "text/javascript; charset=utf-8";
  if (extension == ".svg") return "image/svg+xml";
  if (extension == ".json") return "application/json";
  if (extension == ".woff2") return "font/woff2";
  return "text/plain; charset=utf-8";
}

constexpr std::string_view kStyle = "assets/site.css";

}  // namespace

Assets::Assets(const Paths& paths) : colours_(paths.docs() / "theme" / "colours.css") {
  for (const char* name : {"site.css", "site.js", "theme.js", "icon.svg"}) {
    files_["assets/" + std::string(name)] = paths.docs() / "theme" / name;
  }
  const fs::path packages = paths.root / "tools" / "site" / "node_modules" / "@fontsource-variable";
  for (const Font& font : kFonts) {
    fonts_ = fonts_ && fs::exists(packages / font.package / "files" / file_name(font));
  }
  if (!fonts_) return;
  for (const Font& font : kFonts) {
    files_["assets/fonts/" + file_name(font)] = packages / font.package / "files" / file_name(font);
    files_[fmt::format("assets/fonts/{}-LICENSE.txt", font.package)] =
        packages / font.package / "LICENSE";
  }
}

std::vector<std::string> Assets::paths() const {
  std::vector<std::string> all;
  for (const auto& [path, file] : files_) all.push_back(path);
  return all;
}

std::optional<Page> Assets::read(std::string_view path) const {
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  Page page{type_of(found->first), read_file(found->second)};
  if (path == kStyle)
    page.bytes.insert(0, read_file(colours_) + "\n" + (fonts_ ? font_rules() : ""));
  return page;
}

std::vector<std::string> Assets::remarks() const {
  if (fonts_) return {};
  return {
      "The pages' fonts are not installed, so the system's are used: npm ci --prefix tools/site"};
}

}  // namespace grade::site
