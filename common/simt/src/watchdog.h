// Ends launches that run for too long, and turns faults of device code into reports.
#pragma once

#include <csignal>
#include <cstdint>

#include "device.h"

namespace simt::watchdog {

void set_limit(double seconds);
// With `seconds_before_cut` and where that is less than the limit, the end of the time is no
// error: the launch is cut short.
void begin_launch(double seconds_before_cut = 0);
void end_launch();

// The time is up: whoever notices calls end_launch(). Set by a signal handler.
extern volatile sig_atomic_t time_is_up __attribute__((visibility("hidden")));
inline bool interrupted() {
  return time_is_up != 0;
}
// Reports the endless loop and ends the launch. `pc` 0: the place is taken from what the thread
// waits for.
[[noreturn]] void end_launch(Thread& thread, std::uintptr_t pc);

}  // namespace simt::watchdog
