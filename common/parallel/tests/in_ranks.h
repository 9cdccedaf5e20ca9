// Checks inside of ranks, which are processes of their own.
#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>

#include "parallel/launch.h"

namespace parallel_test {

// `body` says whether all is well; what it finds it prints.
inline void in_ranks(int count, const std::function<bool(const parallel::Group&)>& body) {
  const auto ended =
      parallel::run_ranks(count, [&](const parallel::Group& group) { return body(group) ? 0 : 1; });
  const int failed = parallel::first_failure(ended);
  INFO("rank ", failed, " of ", count);
  CHECK(failed == -1);
}

#define RANK_CHECK(condition)                                               \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "line %d is wrong: %s\n", __LINE__, #condition); \
      return false;                                                         \
    }                                                                       \
  } while (false)

}  // namespace parallel_test
