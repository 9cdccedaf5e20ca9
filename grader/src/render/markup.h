// Text as HTML, SVG and XML take it.
#pragma once

#include <string>
#include <string_view>

namespace grade {

// For text and for attributes in double quotes. Control characters, which none of the three allows
// and a program's output may hold, are left out.
std::string escaped(std::string_view text);

}  // namespace grade
