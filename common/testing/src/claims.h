// What a run left in the arrays, against what the trial claims of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "comparison.h"
#include "device_array.h"
#include "findings.h"
#include "testing/oracle.h"
#include "trial_state.h"

namespace testing {

class Claims {
 public:
  // `devices`: as in trial.arrays. Both must outlive it.
  Claims(Trial::State& trial, const std::vector<std::unique_ptr<DeviceArray>>& devices);

  // Adds the wrong values to the findings, and the known mistake that explains them. `fill` is the
  // word that an element nothing wrote still holds. `partly`: some blocks did not run, or not to
  // their end, so that only what was written is compared.
  void compare(std::uint32_t fill, bool partly, Findings& findings);

  bool few_to_write() const;
  std::size_t written_elements(std::uint32_t fill) const;
  bool ends_written(std::uint32_t fill) const;  // both ends of every output

  std::vector<std::vector<std::uint32_t>> results() const;  // of every array with an expectation

 private:
  void judge();
  void name_mistake(std::uint32_t fill, Findings& findings);
  const std::vector<Expected>& expected(std::size_t e);
  const DeviceArray& device_of(const detail::ArrayState* array) const;
  Got got(const detail::ArrayState* array, std::uint32_t fill) const;

  Trial::State& trial_;
  const std::vector<std::unique_ptr<DeviceArray>>& devices_;
  std::vector<std::vector<Expected>> expected_;      // as in trial_.expectations; when needed
  std::size_t fixed_expectations_, fixed_mistakes_;  // the rest is of the last run alone
};

}  // namespace testing
