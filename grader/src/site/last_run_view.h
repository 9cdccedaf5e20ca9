// The latest run of a lesson, as part of its page.
#pragma once

#include <string>
#include <string_view>

#include "course/lesson.h"
#include "site/code_html.h"

namespace grade::site {

// `report` is what keep_last_run() wrote. Empty when it can't be read: it is an older tool's.
std::string last_run_html(std::string_view report, const Lesson& lesson, const LinkOfName& link);

}  // namespace grade::site
