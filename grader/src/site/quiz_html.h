// The checkpoint's questions as forms.
#pragma once

#include <string>

#include "course/lesson.h"
#include "progress/progress.h"
#include "site/draft.h"

namespace grade::site {

// `checked_in_page`: the forms carry their answers and the page's script judges.
std::string quiz_html(Draft& draft, const Lesson& lesson, const LessonProgress& progress,
                      bool checked_in_page);

}  // namespace grade::site
