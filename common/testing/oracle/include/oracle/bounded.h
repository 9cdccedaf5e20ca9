// Arrays that go into the oracles and come out of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace oracle {

// What a right kernel may leave in an array: element i lies within bound[i] of value[i], which is
// computed in double precision. A bound of 0 asks for the value itself (-0 passes for 0); a value
// that is not finite asks for a NaN or for that same infinity.
struct Bounded {
  std::vector<double> value;
  std::vector<double> bound;

  std::size_t size() const { return value.size(); }

  // Whether `got` is right as element i. Written so that a NaN is wrong unless a NaN is due.
  bool accepts(std::size_t i, double got) const {
    if (std::isnan(value[i])) return std::isnan(got);
    if (std::isinf(value[i])) return got == value[i];
    return std::fabs(got - value[i]) <= bound[i];
  }
};

inline Bounded make_bounded(std::size_t size) {
  return {std::vector<double>(size), std::vector<double>(size)};
}

// An input of an oracle: a read-only array of doubles, made from floats (converted, which is
// exact), from doubles, or from another oracle's result. In the last case an element may be as far
// from its value as the bound says, because a kernel works on what an earlier kernel computed; the
// oracles carry that error into their own bounds.
//
// Made from an lvalue of doubles or of a Bounded, it refers to the caller's memory.
class Input {
 public:
  Input() = default;
  Input(std::span<const float> values) : Input(std::vector<double>(values.begin(), values.end())) {}
  Input(const std::vector<float>& values) : Input(std::span<const float>(values)) {}
  Input(std::span<const double> values) : value_(values) {}
  Input(const std::vector<double>& values) : value_(values) {}
  Input(std::vector<double>&& values)
      : owned_(std::make_shared<Bounded>(Bounded{std::move(values), {}})), value_(owned_->value) {}
  Input(const Bounded& result) : value_(result.value), error_(result.bound) {}
  Input(Bounded&& result)
      : owned_(std::make_shared<Bounded>(std::move(result))),
        value_(owned_->value),
        error_(owned_->bound) {}

  std::size_t size() const { return value_.size(); }
  bool empty() const { return value_.empty(); }
  // Known exactly: no element carries an error.
  bool exact() const { return error_.empty(); }

  double operator[](std::size_t i) const { return value_[i]; }
  double error(std::size_t i) const { return error_.empty() ? 0.0 : error_[i]; }
  // The largest magnitude that element i may have.
  double magnitude(std::size_t i) const { return std::fabs(value_[i]) + error(i); }

  // `count` elements from `first` on, sharing the memory.
  Input part(std::size_t first, std::size_t count) const {
    Input result(*this);
    result.value_ = value_.subspan(first, count);
    if (!exact()) result.error_ = error_.subspan(first, count);
    return result;
  }

 private:
  std::shared_ptr<const Bounded> owned_;
  std::span<const double> value_;
  std::span<const double> error_;
};

// The values of an input as a result: unchanged, with the errors it carries.
inline Bounded to_bounded(const Input& array) {
  Bounded out = make_bounded(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    out.value[i] = array[i];
    out.bound[i] = array.error(i);
  }
  return out;
}

// How far the product a_i b_j moves when each factor moves by its error: |a| eb + ea |b| + ea eb.
inline double product_spread(const Input& a, std::size_t i, const Input& b, std::size_t j) {
  return std::fabs(a[i]) * b.error(j) + a.error(i) * b.magnitude(j);
}

}  // namespace oracle
