// What a test harness may ask of the CPU runtime: schedules, names of arrays, diagnostics.
//
// Only host code outside kernels calls these; a learner's file never needs them. Not thread-safe:
// one host thread drives the runtime.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

enum class DiagnosticKind {
  race,
  out_of_bounds,
  use_after_free,
  uninitialized_read,
  barrier_divergence,
  misaligned,
  host_access,
  wrong_stream,
  forbidden_call,
  input_written,
  leak,
  launch_error,
  device_assert,
  deadlock,
  endless_loop,
  arithmetic,  // without a defined result: a division by zero, a shift or conversion out of range
};

// The kind's name in reports and in JSON, e.g. "out_of_bounds".
const char* kind_name(DiagnosticKind kind);

// An error fails the lesson. A note is shown after a pass (a read of nothing that never mattered,
// equal values written by all threads, accesses ordered by a shuffle alone).
enum class Severity { error, note };

// How far apart the two threads of a race are.
enum class Reach { none, warp, block, grid };

// Who is missing at a barrier: threads of the block or lanes that the mask names, and whether all
// of them have returned; or the mask does not name the caller.
enum class Divergence {
  none,
  block_returned,
  block_elsewhere,
  lanes_returned,
  lanes_elsewhere,
  lane_not_named
};

struct SourceLocation {
  std::string file;
  int line = 0;  // 0: unknown
  std::string function;
};

// One report for each kernel, kind and pair of source lines, however often it happened.
struct Diagnostic {
  DiagnosticKind kind;
  Severity severity;
  std::string message;  // who, where, what and why, in plain words; may span lines
  std::string kernel;   // empty for host code
  SourceLocation where;
  SourceLocation other;  // the earlier access of a race, else empty
  uint3 block{0, 0, 0};
  uint3 thread{0, 0, 0};
  std::size_t count = 1;
  std::string array;  // that was accessed, where a single one was
  Reach reach = Reach::none;
  // Of a race, an access out of bounds or a read of nothing: in shared memory.
  bool shared_memory = false;
  // Of an access out of bounds: in shared or local memory, not in an array that the kernel was
  // given.
  bool own_memory = false;
  Divergence divergence = Divergence::none;
};

enum class Order { forward, reverse, seeded };

// How the threads and blocks of later launches are interleaved, and what memory that nothing wrote
// holds. The set of reports is the same under each schedule.
struct Schedule {
  Order order = Order::forward;
  std::uint64_t seed = 0;
  std::uint32_t poison = 0x7fc0dead;  // the 32-bit pattern of unwritten memory (a NaN by default)
  int resident_blocks = 1;            // blocks interleaved with each other
};
void set_schedule(const Schedule& schedule);

// Names the allocation that starts at `pointer` in reports; `axes` and `extents` let a report give
// indices in the lesson's terms ("A[m=3, k=17]"). Forgotten by cudaFree.
void name_allocation(const void* pointer, std::string name, std::vector<std::string> axes = {},
                     std::vector<long> extents = {});

// Restricts the allocation's valid bytes to [pointer, pointer + bytes): reads and writes outside
// are out of bounds although the allocation is larger. Used for guard bands.
void restrict_allocation(const void* pointer, std::size_t bytes);

// Fills [pointer, pointer + bytes) with the schedule's poison and marks it unwritten.
void mark_unwritten(void* pointer, std::size_t bytes);

// Inside a LessonScope, writes into the allocation that holds `pointer` become diagnostics.
void mark_input(const void* pointer);

// While one lives, the code that runs is a lesson's function: work on another stream, and calls
// that synchronise, allocate or free, become diagnostics.
class LessonScope {
 public:
  explicit LessonScope(cudaStream_t stream);
  ~LessonScope();
  LessonScope(const LessonScope&) = delete;
  LessonScope& operator=(const LessonScope&) = delete;
};

// The diagnostics since the last call, in the order first seen.
std::vector<Diagnostic> take_diagnostics();

// Allocations not freed since the process began or the last reset, and a device as good as new:
// sticky errors cleared, memory released.
std::size_t live_allocations();
void reset_device();

// A launch that still runs after this process has worked for `seconds` (processor time: a busy
// machine makes nothing endless) is ended with an `endless_loop` diagnostic that names the kernel,
// the thread and the line it was at; 0 switches the watchdog off (the default).
void set_launch_time_limit(double seconds);

// Dry launches: configurations are checked against the device's limits; of every later launch with
// more than `full_threads` threads only the first and last block and `random_blocks` others run.
// `full_threads` 0 runs every launch in full (the default). `executed_blocks` tells which blocks of
// the last launch ran (linear indices, ascending). A launch with fewer threads, each of which does
// much, runs for at most `full_seconds` (0: no limit of its own); then it is left as it is, without
// an error, and `launch_was_cut` tells so.
struct Sampling {
  std::size_t full_threads = 0;
  int random_blocks = 6;
  std::uint64_t seed = 0;
  double full_seconds = 0;
};
void set_sampling(const Sampling& sampling);
const std::vector<std::size_t>& executed_blocks();
bool launch_was_cut();  // any since the last set_sampling()
int launches_since_sampling();

// ---- Profile runs ----

// The accesses of one kind that a launch made. A request is one load or store instruction of one
// warp, whatever number of its lanes take part.
//
// A transaction is, in global memory, a sector (32 bytes) that a request touches; in shared memory
// a pass over the 32 banks. `best` is how few would do for as many different bytes, were they side
// by side and aligned. Nothing is cached: what two requests touch is moved twice.
struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;  // that took part, over all requests
  std::uint64_t bytes = 0;  // that they asked for
  std::uint64_t transactions = 0;
  std::uint64_t best = 0;
  std::uint64_t different = 0;  // global memory: different sectors, over the whole launch
  std::uint64_t crowd = 0;      // atomics: lanes at the most wanted address, over all requests
};

// What the model counts of one launch.
struct LaunchCounts {
  std::string kernel;
  int line = 0;  // of the launch
  dim3 grid;
  dim3 block;
  bool exact = false;          // compiled with --profile, so that lanes part and meet as on a GPU
  std::uint64_t blocks = 0;    // that ran
  std::uint64_t barriers = 0;  // of blocks
  std::uint64_t warp_operations = 0;
  // Basic blocks that warps entered, and the lanes that entered together: how far a warp diverges.
  std::uint64_t steps = 0;
  std::uint64_t step_lanes = 0;
  std::uint64_t operations = 0;  // on floating-point numbers; a fused multiply-add is two
  Traffic global_loads, global_stores, global_atomics;
  Traffic shared_loads, shared_stores, shared_atomics;
};

// What host code did since the last call of take_host_counts().
struct HostCounts {
  std::uint64_t launches = 0;
  std::uint64_t waits = 0;  // calls that wait for the device, blocking copies included
};

// While it is on, the lanes of each warp run in lockstep, the one furthest behind first, and what
// they do is counted: for kernels compiled with `simt-cc --profile`, on small grids. Of schedules
// nothing but the poison holds.
void set_profiling(bool on);
// The launches since the last call, in order.
std::vector<LaunchCounts> take_counts();
HostCounts take_host_counts();

}  // namespace simt
