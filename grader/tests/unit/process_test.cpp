#include "system/process.h"

#include <doctest/doctest.h>

#include <csignal>

TEST_CASE("a program that fails is never taken for one that did not") {
  for (const auto action : {SIG_DFL, SIG_IGN}) {  // ignored, its end cannot be known
    const auto before = std::signal(SIGCHLD, action);
    const auto failed = grade::capture({"sh", "-c", "echo some; exit 3"});
    std::signal(SIGCHLD, before);
    CHECK((!failed || failed->exit == 3));
    CHECK((failed || action == SIG_IGN));
  }
}
