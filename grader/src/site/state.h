// Where a lesson stands, as the pages show it.
#pragma once

#include <string>

#include "course/course.h"
#include "progress/progress.h"

namespace grade::site {

struct State {
  const char* name;   // passed, tried, next, open: a class of the theme
  const char* words;  // "Passed"
};

State state_of(const Lesson& lesson, const Progress& progress, const Lesson* next);

// A mark whose form tells the state without colour, with its words for who cannot see it.
std::string state_mark(const State& state);

// "●●○○" with its words.
std::string effort_marks(int effort);

int passed_in(const Course& course, const Progress& progress, int first, int last);

// "1 attempt", "2 attempts".
std::string count_of(int count, const std::string& one, const std::string& many);

// A bar, `done` of `all`; `what` is its name for who cannot see it.
std::string bar(int done, int all, const std::string& what);

// A time as progress.json has it, in the local zone: "2025-03-09 14:05".
std::string shown_time(const std::string& utc);

}  // namespace grade::site
