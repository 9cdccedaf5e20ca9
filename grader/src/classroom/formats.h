// Results in the formats of others.
#pragma once

#include <string>

#include "classroom/results.h"
#include "terminal/terminal.h"

namespace grade::classroom {

// JUnit's XML as Ant writes it and Jenkins, GitLab and GitHub's reporters read it: a suite for each
// student, a test case for each lesson.
std::string to_junit(const Results& results);

// Gradescope's results.json, of one student.
std::string to_gradescope(const Results& results, const Student& student);

// A row for each student, a column for each lesson; RFC 4180.
std::string to_csv(const Results& results);

// For people: a row for each student, then a row for each lesson.
void print_table(terminal::Terminal& out, const Results& results);

// What a student is told of a mark, in plain text; empty lines at the end are left out.
std::string explanation(const Mark& mark);

}  // namespace grade::classroom
