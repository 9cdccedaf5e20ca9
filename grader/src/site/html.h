// Small things that all pages need.
#pragma once

#include <string>
#include <string_view>

#include "render/markup.h"

namespace grade::site {

// "No guard" as "no-guard": for ids. Never empty.
std::string id_of(std::string_view title);

}  // namespace grade::site
