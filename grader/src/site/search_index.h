// What `/` searches: the words of every section of every page.
#pragma once

#include <string>

#include "site/book.h"

namespace grade::site {

// A script that defines it: from file:// a page may not fetch data, but may load a script.
std::string search_index_script(const Book& book);

}  // namespace grade::site
