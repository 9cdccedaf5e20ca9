// Small things that all pages need.
#pragma once

#include <string>
#include <string_view>

namespace grade::site {

// For text and for attributes in double quotes.
std::string escaped(std::string_view text);

// "No guard" as "no-guard": for ids. Never empty.
std::string id_of(std::string_view title);

}  // namespace grade::site
