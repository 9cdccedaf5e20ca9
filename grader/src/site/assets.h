// The files that pages share: theme, scripts, fonts, and what docs/ holds besides pages.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/site.h"
#include "system/paths.h"

namespace grade::site {

class Assets {
 public:
  explicit Assets(const Paths& paths);

  std::vector<std::string> paths() const;
  std::optional<Page> read(std::string_view path) const;
  std::vector<std::string> remarks() const;

 private:
  std::filesystem::path colours_;
  std::map<std::string, std::filesystem::path, std::less<>> files_;  // by path on the site
  bool fonts_ = true;
};

}  // namespace grade::site
