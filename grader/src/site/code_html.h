// Code as HTML: highlighted, with the course's functions linked to their lessons.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace grade::site {

// The address of the page that explains an identifier; empty when there is none.
using LinkOfName = std::function<std::string(std::string_view name)>;

// C++ and CUDA; lines end as they did.
std::string cpp_html(std::string_view code, const LinkOfName& link);

}  // namespace grade::site
