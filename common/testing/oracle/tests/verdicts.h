// How a kernel fares against an oracle over many cases.
#pragma once

#include <doctest/doctest.h>

#include <random>

#include "machine.h"
#include "oracle/bounded.h"

namespace oracle_test {

class Verdicts {
 public:
  // One case: rejected if any element is.
  void add(const oracle::Bounded& want, const Floats& got) {
    REQUIRE(got.size() == want.size());
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool accepted = want.accepts(i, got[i]);
      right = right && accepted;
      const double error = std::fabs(got[i] - want.value[i]);
      if (want.bound[i] > 0 && std::isfinite(error)) {
        worst_ = std::max(worst_, error / want.bound[i]);
      }
    }
    ++cases_;
    rejected_ += right ? 0 : 1;
  }
  void add(const oracle::Bounded& want, float got) { add(want, Floats{got}); }

  int cases() const { return cases_; }
  int rejected() const { return rejected_; }
  double worst() const { return worst_; }  // the largest error divided by its bound

 private:
  int cases_ = 0;
  int rejected_ = 0;
  double worst_ = 0;
};

// A right kernel: never rejected. Prints how much of the bound it used.
inline void check_right(const Verdicts& v, const std::string& what) {
  INFO(what, ": ", v.rejected(), " of ", v.cases(), " rejected, worst error / bound ", v.worst());
  CHECK(v.rejected() == 0);
  MESSAGE(what, ": ", v.cases(), " cases, worst error / bound ", v.worst());
}

// A wrong kernel: rejected in every case, or in the share given of them.
inline void check_wrong(const Verdicts& v, const std::string& what, double share = 1) {
  INFO(what, ": ", v.rejected(), " of ", v.cases(), " rejected");
  CHECK(v.rejected() >= share * v.cases());
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::mt19937_64& engine() { return random_; }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  float normal(float deviation = 1) {
    return std::normal_distribution<float>(0, deviation)(random_);
  }
  float uniform(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }
  Floats normals(int count, float deviation = 1) {
    Floats out(static_cast<std::size_t>(count));
    for (float& x : out) x = normal(deviation);
    return out;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace oracle_test
