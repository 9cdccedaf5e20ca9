// The kinds of pages, each as a whole HTML document.
#pragma once

#include <string>

#include "site/book.h"

namespace grade::site {

std::string course_page(Book& book, const Progress& progress);
std::string lesson_page(Book& book, const Lesson& lesson, const Progress& progress);
std::string progress_page(Book& book, const Progress& progress);
std::string docs_index_page(Book& book);
std::string doc_page(Book& book, const DocPage& doc);

}  // namespace grade::site
