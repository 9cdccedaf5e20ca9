#include "sandbox/own_time.h"

#include <doctest/doctest.h>

using grade::sandbox::OwnTime;
using namespace std::chrono_literals;

namespace {

// Looks every 20 ms until the time is used up, or the program starved, or `end`; of the time that
// passes the program works this part.
OwnTime::Time looks_until(OwnTime& time, double works, bool waits, OwnTime::Time end = 1h) {
  OwnTime::Time passed{};
  while (passed < end && !time.used_up() && !time.starved()) {
    passed += 20ms;
    const auto worked = std::chrono::duration<double, std::milli>(passed) * works;
    time.look(passed, std::chrono::duration_cast<OwnTime::Time>(worked), waits);
  }
  return passed;
}

}  // namespace

TEST_CASE("own time: who works, and who waits, has as much time as passes") {
  OwnTime works(2s);
  CHECK(looks_until(works, 1, false) == 2s);
  CHECK(works.used_up());
  CHECK(works.worked() == 2s);

  OwnTime waits(2s);
  CHECK(looks_until(waits, 0, true) == 2s);
  CHECK(waits.used_up());
  CHECK(waits.waited() == 2s);

  OwnTime both(2s);
  CHECK(looks_until(both, 0.25, true) == 2s);
  CHECK(both.worked() == 500ms);
  CHECK(both.waited() == 1500ms);
}

TEST_CASE("own time: what others keep it waiting for a processor does not count") {
  OwnTime kept(2s);
  CHECK(looks_until(kept, 0.25, false) == 8s);
  CHECK(kept.used_up());
  CHECK_FALSE(kept.starved());
}

TEST_CASE("own time: who has hardly a processor is starved in the end, not at work") {
  OwnTime starved(2s);
  CHECK(looks_until(starved, 0.05, false) == 20s);
  CHECK(starved.starved());
  CHECK_FALSE(starved.used_up());
}

TEST_CASE("own time: threads add up, but to no more than what passes") {
  OwnTime threads(2s);
  CHECK(looks_until(threads, 8, false) == 2s);
  OwnTime kept(2s);
  CHECK(looks_until(kept, 2 * 0.25, false) == 4s);
}

TEST_CASE("own time: of an observer without a processor, a long gap says little") {
  OwnTime time(20s);
  time.look(10ms, 10ms, false);
  time.look(15s, 10ms, true);
  CHECK(time.waited() == 1s);
}

TEST_CASE("own time: no limit") {
  OwnTime time(0s);
  looks_until(time, 1, false, 1min);
  CHECK_FALSE(time.used_up());
  CHECK_FALSE(time.starved());
}
