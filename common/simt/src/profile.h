// Profile runs: the lanes of a warp run in lockstep, and what a GPU's load/store units would do is
// counted.
//
// A thread stops before each access and at the beginning of each basic block, and says where it is.
// Of a warp's lanes those go on that are furthest behind: in the innermost call, then at the lowest
// address. Lanes that part at a branch so meet again behind it, as they do on a GPU, and the lanes
// that stand before one access together are one request.
#pragma once

#include <cstdint>
#include <string>

#include "access.h"
#include "device.h"
#include "launch.h"

namespace simt::profile {

// Does the launch that runs count? False outside launches.
extern bool active __attribute__((visibility("hidden")));

void set(bool on);
bool on();

// ---- For the launch and the scheduler ----
void begin_launch(const Launch& launch);
void end_launch();
void begin_block(const Block& block);
// The next thread to run, null when all wait.
Thread* next(Block& block);
// The thread can't go on before another changed something.
void park(Thread& thread);
void barrier_released(const Block& block);
void warp_operation(const Warp& warp, std::uint32_t lanes, WarpOp op);

// ---- What a running thread does, before it does it ----
// Counts nothing of what lies on the thread's stack or among the kernel's arguments.
void access(Thread& thread, const Access& access);

// ---- What host code does ----
void host_launched();
void host_waited();

}  // namespace simt::profile
