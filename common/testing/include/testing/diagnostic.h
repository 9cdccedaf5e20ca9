// What a check found, from the CPU runtime, from the wrapped CUDA calls or from the harness itself.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace testing {

struct Diagnostic {
  std::string kind;   // one of the kinds of `grade --json`: "race", "out_of_bounds", ...
  bool error = true;  // else a note, which does not fail a lesson
  std::string message;
  std::string kernel;  // empty for host code
  std::string file;
  int line = 0;  // 0: unknown
  std::string other_file;
  int other_line = 0;  // the earlier access of a race
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  std::size_t count = 1;
  // Where the backend knows: of a race or a read of nothing the array (empty: no memory, but a
  // shuffle), of a race how far apart the two threads are.
  std::string array;
  enum class Reach { none, warp, block, grid } reach = Reach::none;
  // Where the backend knows. Of a race, an access out of bounds or a read of nothing: in shared
  // memory.
  bool shared_memory = false;
  // Of an access out of bounds: in shared or local memory, not in an array that the kernel was
  // given.
  bool own_memory = false;
  // Who is missing at a barrier, where the backend knows: threads of the block or lanes that a mask
  // names, and whether all of them have returned; or the mask does not name the caller.
  enum class Divergence {
    none,
    block_returned,
    block_elsewhere,
    lanes_returned,
    lanes_elsewhere,
    lane_not_named
  } divergence = Divergence::none;

  bool is(std::string_view a_kind) const { return kind == a_kind; }
  // Of an array that was passed: what a guard on the index prevents.
  bool is_out_of_global_bounds() const { return is("out_of_bounds") && !own_memory; }
  bool is_race_in_shared_memory() const { return is("race") && shared_memory; }
  // One statement that several threads run unordered, as a plain `+=` of a sum they share.
  bool is_race_with_itself() const { return is("race") && line != 0 && line == other_line; }
  bool misses(Divergence who) const { return is("barrier_divergence") && divergence == who; }
  // A barrier of the block, not of a warp.
  bool misses_block_barrier() const {
    return misses(Divergence::block_returned) || misses(Divergence::block_elsewhere);
  }
  // The thread's index along x through the whole grid, for blocks of `width` threads.
  long global_x(int width) const { return static_cast<long>(block[0]) * width + thread[0]; }
};

}  // namespace testing
