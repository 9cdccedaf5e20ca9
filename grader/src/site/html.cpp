#include "site/html.h"

#include <cctype>

namespace grade::site {

std::string id_of(std::string_view title) {
  std::string id;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-')) id.pop_back();
  return id.empty() ? "section" : id;
}

}  // namespace grade::site
