#include "parallel/launch.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>

using namespace parallel;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("a rank that fails ends the run; the others, which wait for it, are not the cause") {
  const auto ended = run_ranks(3, [](const Group& group) {
    if (group.rank() == 1) throw std::runtime_error("no luck");
    group.all_gather(0);
    return 0;
  });
  CHECK(first_failure(ended) == 1);
  CHECK(ended[1].code == 1);
  CHECK(ended[1].last == "no luck");
  CHECK(ended[0].code == kPeerGone);
  CHECK(ended[2].code == kPeerGone);
}

TEST_CASE("a rank that is killed is told by its signal") {
  const auto ended = run_ranks(2, [](const Group& group) {
    if (group.rank() == 1) {
      std::fprintf(stderr, "last words");
      raise(SIGKILL);
    }
    group.all_gather(0);
    return 0;
  });
  CHECK(first_failure(ended) == 1);
  CHECK(ended[1].signal == SIGKILL);
  CHECK(!ended[1].cut);
  CHECK(ended[1].last == "last words");
}

TEST_CASE("a rank that is killed is the cause even when the others' ends are seen first") {
  const auto ended = run_ranks(2, [](const Group& group) {
    if (group.rank() == 0) return kPeerGone;
    usleep(100'000);
    raise(SIGKILL);
    return 0;
  });
  CHECK(first_failure(ended) == 1);
  CHECK(!ended[1].cut);
}

TEST_CASE("ranks that all put it on another have failed all the same") {
  CHECK(first_failure(run_ranks(2, [](const Group&) { return kPeerGone; })) == 0);
}

TEST_CASE("a rank that hangs after another's failure is ended, and is not the cause") {
  const auto begin = std::chrono::steady_clock::now();
  const auto ended = run_ranks(2, [](const Group& group) {
    if (group.rank() == 1) return 5;
    while (true) pause();
  });
  CHECK(seconds_since(begin) < 60);  // and not for ever
  CHECK(first_failure(ended) == 1);
  CHECK(ended[1].code == 5);
  CHECK(ended[0].cut);
}

// As the trainer does, the handler is there before the ranks are: a stop may come before they run.
TEST_CASE("a request to stop reaches every rank, one that has hardly begun too") {
  static volatile std::sig_atomic_t told = 0;
  const auto before = signal(SIGTERM, [](int) { told = 1; });
  for (const int looks : {0, 5}) {
    const auto ended = run_ranks(
        3,
        [](const Group&) {
          while (told == 0) usleep(1000);
          return 0;
        },
        [looks, asked = 0]() mutable { return ++asked > looks; });
    CHECK(first_failure(ended) == -1);
  }
  signal(SIGTERM, before);
}

TEST_CASE("how a rank ended is known where SIGCHLD is ignored") {
  const auto before = signal(SIGCHLD, SIG_IGN);
  CHECK(run_ranks(2, [](const Group& group) { return 3 * group.rank(); })[1].code == 3);
  signal(SIGCHLD, before);
}
