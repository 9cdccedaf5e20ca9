// Arrays of a benchmark in device memory, each as often as it takes to overflow the L2 cache: a
// call finds the next copy, and nothing of it in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class Role {
  input,
  output,       // written as a whole by each call
  accumulated,  // added to, or changed in place: set back before a check
  scratch,      // whatever the call makes of it; not checked
};

// The untyped half: words of 4 bytes.
class ArrayMemory {
 public:
  // `initial` is what an input or an accumulated array begins with; else it is empty, and the array
  // begins with zeros.
  ArrayMemory(Role role, std::size_t count, std::vector<std::uint32_t> initial, bool integer);
  ~ArrayMemory();
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;

  Role role() const { return role_; }
  bool checked() const { return role_ == Role::output || role_ == Role::accumulated; }
  std::size_t bytes() const { return count_ * sizeof(std::uint32_t); }

  void allocate(int copies);   // and fills them
  void set_back();             // an output to NaN, an accumulated array to its first values
  void* copy(int turn) const;  // turn modulo copies

  // What is wrong in the copy of `turn`, seen beside `expected` (an earlier contents()); empty:
  // nothing. Real numbers may differ by a thousandth of the largest: the kernel has been graded,
  // this asks whether the timed calls did their work. NaN equals nothing.
  std::vector<std::uint32_t> contents(int turn) const;
  std::string difference(const std::vector<std::uint32_t>& expected, int turn) const;

 private:
  // Gives a copy its first values, or, where it has none, makes each byte `otherwise`.
  void begin(std::uint32_t* copy, int otherwise);

  Role role_;
  std::size_t count_;
  bool integer_;
  std::vector<std::uint32_t> initial_;
  std::vector<std::uint32_t*> copies_;
};

// Converts to the pointer of the current turn's copy.
template <class T>
class Array {
 public:
  Array(std::shared_ptr<ArrayMemory> memory, std::shared_ptr<int> turn)
      : memory_(std::move(memory)), turn_(std::move(turn)) {}
  operator T*() const { return static_cast<T*>(memory_->copy(*turn_)); }

 private:
  std::shared_ptr<ArrayMemory> memory_;
  std::shared_ptr<int> turn_;
};

}  // namespace bench
