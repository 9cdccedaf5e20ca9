// A device array of a trial, seen from the grader: a pointer for the lesson's function, and the
// host's copy of what the array holds before the call, for the oracle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {

// An axis in the lesson's terms. {"m", M} makes a report say C[m=3, ...].
struct Axis {
  std::string name;
  int extent;
};
using Axes = std::vector<Axis>;  // slowest first; none: a single number

enum class Role {
  input,    // must not change
  output,   // holds the fill before each call
  in_place  // holds its content before each call, and may change
};

namespace detail {

struct ArrayState {
  std::string name;
  Axes axes;
  Role role = Role::input;
  bool integer = false;
  bool scratch = false;  // an output of which nothing is expected
  std::size_t count = 0;
  std::vector<std::uint32_t> content;  // before each call; none for outputs
  std::uint32_t* device = nullptr;     // inside call(): where it lies in this run
};

}  // namespace detail

// T is float or int. Cheap to copy; lives as long as its trial.
template <class T>
class Array {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, int>);

 public:
  // Floats are read as double, so that an oracle computes in double precision.
  using Value = std::conditional_t<std::is_same_v<T, float>, double, int>;

  explicit Array(const detail::ArrayState& state) : state_(&state) {}

  // The device pointer. It moves from run to run: ask for it inside call() only.
  operator T*() const { return reinterpret_cast<T*>(state_->device); }

  // The content before the call, by indices (A(m, k)) or by flat index (A[i]).
  template <class... Indices>
  Value operator()(Indices... indices) const {
    std::size_t flat = 0, axis = 0;
    ((flat = flat * static_cast<std::size_t>(state_->axes[axis++].extent) +
             static_cast<std::size_t>(indices)),
     ...);
    return (*this)[flat];
  }
  template <class Index>
  Value operator[](Index flat) const {
    return std::bit_cast<T>(state_->content[static_cast<std::size_t>(flat)]);
  }

  // The whole content before the call, for the functions of oracle/.
  std::vector<T> values() const {
    std::vector<T> result(state_->content.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = std::bit_cast<T>(state_->content[i]);
    return result;
  }

  std::size_t size() const { return state_->count; }
  const detail::ArrayState& state() const { return *state_; }

 private:
  const detail::ArrayState* state_;
};

}  // namespace testing
