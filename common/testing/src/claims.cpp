#include "claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "pattern.h"

namespace testing {
namespace {

bool written(const Got& result, std::size_t i) {
  return result.filled ? !result.unwritten(i) : result.words[i] != result.array->content[i];
}

// No element that was written is wrong. What nobody wrote may be the work of a block that did not
// run, and needs no oracle.
bool written_are_right(const Trial::State::Claim& claim, const Got& result) {
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    if (written(result, i) && !claim.value(i).admits(result.at(i))) return false;
  }
  return true;
}

// Up to the first element that does not fit: what a mistake leaves may be slow to work out.
bool fits(const Trial::State::Claim& mistake, const Got& result) {
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    if (!explains(result, i, mistake.value(i))) return false;
  }
  return true;
}

}  // namespace

Claims::Claims(Trial::State& trial, const std::vector<std::unique_ptr<DeviceArray>>& devices)
    : trial_(trial),
      devices_(devices),
      expected_(trial.expectations.size()),
      fixed_expectations_(trial.expectations.size()),
      fixed_mistakes_(trial.mistakes.size()) {}

void Claims::compare(std::uint32_t fill, bool partly, Findings& findings) {
  judge();
  for (std::size_t e = 0; e < expected_.size(); ++e) {
    const detail::ArrayState* array = trial_.expectations[e].array;
    const Got result = got(array, fill);
    if (partly && written_are_right(trial_.expectations[e], result)) continue;
    std::vector<char> wrong = wrong_elements(result, expected(e));
    if (partly) {
      for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = wrong[i] && written(result, i);
    }
    if (std::ranges::find(wrong, 1) == wrong.end()) continue;
    if (findings.values_are_wrong()) {
      findings.add_wrong_values(
          fmt::format("Also wrong: {} ({}).", array->name, describe_pattern(array->axes, wrong)));
      continue;
    }
    std::vector<const detail::ArrayState*> inputs;
    for (const detail::ArrayState& other : trial_.arrays) {
      if (other.role == Role::input) inputs.push_back(&other);
    }
    findings.add_wrong_values(
        describe_mismatch(result, expected(e), wrong, inputs, findings.unwritten_reads()));
  }
  if (!findings.values_are_wrong()) return;
  findings.blame_uninitialized("The outputs are wrong, so it is an error.");
  name_mistake(fill, findings);
}

bool Claims::few_to_write() const {
  return std::ranges::all_of(trial_.expectations, [](const auto& claim) {
    return claim.array->role == Role::output && claim.array->count < 250'000;
  });
}

std::size_t Claims::written_elements(std::uint32_t fill) const {
  std::size_t count = 0;
  for (const auto& claim : trial_.expectations) {
    const Got result = got(claim.array, fill);
    for (std::size_t i = 0; i < result.words.size(); ++i) count += written(result, i);
  }
  return count;
}

bool Claims::ends_written(std::uint32_t fill) const {
  return std::ranges::all_of(trial_.expectations, [&](const auto& claim) {
    const Got result = got(claim.array, fill);
    return claim.array->count == 0 ||
           (written(result, 0) && written(result, claim.array->count - 1));
  });
}

std::vector<std::vector<std::uint32_t>> Claims::results() const {
  std::vector<std::vector<std::uint32_t>> all;
  for (const auto& claim : trial_.expectations) all.push_back(device_of(claim.array).words());
  return all;
}

// What only this run's results tell.
void Claims::judge() {
  if (!trial_.judge) return;
  trial_.expectations.erase(
      trial_.expectations.begin() + static_cast<std::ptrdiff_t>(fixed_expectations_),
      trial_.expectations.end());
  trial_.mistakes.erase(trial_.mistakes.begin() + static_cast<std::ptrdiff_t>(fixed_mistakes_),
                        trial_.mistakes.end());
  trial_.judge(Results([this](const detail::ArrayState& array) {
    return std::span<const std::uint32_t>(device_of(&array).words());
  }));
  expected_.resize(fixed_expectations_);
  expected_.resize(trial_.expectations.size());
}

void Claims::name_mistake(std::uint32_t fill, Findings& findings) {
  // Threads that run out of step read what nothing wrote yet, and then an output full of NaN is
  // no sign of a mistake of another kind.
  const bool out_of_step = findings.has_error("race") || findings.has_error("barrier_divergence");
  for (const auto& mistake : trial_.mistakes) {
    if (mistake.array->count > 300'000) continue;  // smaller cases name it
    const Got result = got(mistake.array, fill);
    if (!fits(mistake, result)) continue;
    const auto nan = [](const Expected& e) { return !e.never_written && std::isnan(e.value); };
    if (out_of_step && std::ranges::all_of(mistake.values(), nan)) continue;
    // An array that the mistake leaves right says nothing.
    for (std::size_t e = 0; e < expected_.size(); ++e) {
      if (trial_.expectations[e].array != mistake.array) continue;
      if (explains(result, expected(e))) continue;
      findings.name_mistake(mistake.slug);
      return;
    }
  }
}

const std::vector<Expected>& Claims::expected(std::size_t e) {
  if (expected_[e].empty()) expected_[e] = trial_.expectations[e].values();
  return expected_[e];
}

const DeviceArray& Claims::device_of(const detail::ArrayState* array) const {
  std::size_t i = 0;
  while (&trial_.arrays[i] != array) ++i;
  return *devices_[i];
}

Got Claims::got(const detail::ArrayState* array, std::uint32_t fill) const {
  Got result;
  result.array = array;
  result.words = device_of(array).words();
  result.filled = array->role == Role::output;
  result.fill = fill;
  return result;
}

}  // namespace testing
