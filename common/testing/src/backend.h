// What the harness asks of the machine below: the CPU runtime (backend_simt.cpp) or a GPU through
// the CUDA runtime with its calls wrapped (backend_cuda.cpp).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "testing/array.h"
#include "testing/counts.h"
#include "testing/diagnostic.h"

namespace testing::backend {

const char* name();  // "cpu" or "cuda"
// Why no kernel can run here (no driver that suits the CUDA runtime, say); empty: they can.
std::string unusable();

// One way to run a function: the order of threads, and the word in memory that nothing wrote.
struct Schedule {
  enum class Order { forward, reverse, seeded } order = Order::forward;
  std::uint64_t seed = 0;
  std::uint32_t poison = 0x7fa0dead;
  std::string description;  // "threads and blocks in reverse order"
};
int default_runs();
bool sees_unwritten_reads();  // of global and shared memory, as diagnostics
Schedule schedule(int run, std::uint64_t seed);
void apply(const Schedule& schedule);

// Ends a launch that runs for longer, where the backend can.
void set_launch_time_limit(double seconds);

// `data`, `bytes` long, lies somewhere in the allocation that begins at `allocation`: accesses
// outside are reported by the array's name where the backend can.
void guard(void* allocation, std::uint32_t* data, const detail::ArrayState& array);
// Takes the restriction back, so that the harness may reach the whole allocation.
void unguard(void* allocation, std::size_t bytes);
// Fills with the schedule's poison and marks as unwritten.
void poison(std::uint32_t* data, std::size_t words, std::uint32_t word);

// Only some blocks of launches with more than `full_threads` threads run; 0: all blocks. A smaller
// launch is cut short after `full_seconds`, which launch_was_cut() tells.
// False if the backend runs all blocks anyway.
bool sample_blocks(std::size_t full_threads, std::uint64_t seed, double full_seconds);
// Both since the last call of sample_blocks().
bool launch_was_cut();
int launches();

// While one lives, the code that runs is a lesson's function.
class LessonScope {
 public:
  explicit LessonScope(cudaStream_t stream);
  ~LessonScope();
  LessonScope(const LessonScope&) = delete;
  LessonScope& operator=(const LessonScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Counts what happens between the two, where the backend can. `traced`: the kernel object whose
// launches are traced as well; empty: none.
void begin_counting(const std::string& traced = {});
CallCounts end_counting();

// The diagnostics since the last call.
std::vector<Diagnostic> take_diagnostics();

// After a fault: a device as good as new, all memory released. False if it cannot be used again.
bool reset();

}  // namespace testing::backend
