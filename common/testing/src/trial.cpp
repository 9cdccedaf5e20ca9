#include "testing/trial.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "evaluation.h"
#include "pattern.h"
#include "session.h"
#include "trial_state.h"

namespace testing {
namespace {

std::size_t count_of(const Axes& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= static_cast<std::size_t>(axis.extent);
  return count;
}

template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& values) {
  std::vector<std::uint32_t> words;
  words.reserve(values.size());
  for (const T value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return words;
}

// For a console there is no parent that prints the diagnostics.
std::string with_diagnostics(const Outcome& outcome) {
  std::string text = outcome.message;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    text += fmt::format("\n  {} {}{}{}: {}", diagnostic.error ? "error" : "note", diagnostic.kind,
                        diagnostic.file.empty() ? "" : " at ",
                        diagnostic.file.empty()
                            ? std::string()
                            : fmt::format("{}:{}", diagnostic.file, diagnostic.line),
                        diagnostic.message);
  }
  if (!outcome.mistake.empty()) text += "\n  known mistake: " + outcome.mistake;
  return text;
}

std::size_t flat_index(const Axes& axes, std::span<const int> indices) {
  std::size_t flat = 0;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    flat = flat * static_cast<std::size_t>(axes[a].extent) + static_cast<std::size_t>(indices[a]);
  }
  return flat;
}

void check_size(const detail::ArrayState& array, std::size_t count) {
  if (count == array.count) return;
  throw std::logic_error(
      fmt::format("{} has {} elements, but the oracle gave {}", array.name, array.count, count));
}

Trial::Element element_of(const detail::ArrayState& array, oracle::Bounded result) {
  check_size(array, result.size());
  return [&array, result = std::move(result)](std::span<const int> indices) {
    const std::size_t i = flat_index(array.axes, indices);
    return Expected(result.value[i], result.bound[i]);
  };
}

Trial::Element element_of(const detail::ArrayState& array, std::vector<int> result) {
  check_size(array, result.size());
  return [&array, result = std::move(result)](std::span<const int> indices) {
    return Expected(result[flat_index(array.axes, indices)]);
  };
}

}  // namespace

std::vector<Expected> Trial::State::Claim::values() const {
  const Axes& axes = array->axes;
  std::vector<Expected> result(array->count);
  std::vector<int> indices(axes.size());
  for (Expected& value : result) {
    value = element(indices);
    for (std::size_t a = axes.size(); a-- > 0;) {
      if (++indices[a] < axes[a].extent) break;
      indices[a] = 0;
    }
  }
  return result;
}

Expected Trial::State::Claim::value(std::size_t flat) const {
  return element(indices_of(array->axes, flat));
}

std::string Trial::State::sizes_text() const {
  std::string text;
  for (const Size& size : sizes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", size.name, size.value);
  }
  return text;
}

Trial::Trial(std::initializer_list<Size> sizes) {
  Session& run = session();
  const int index = run.trials++;
  state_ = std::make_unique<State>(sizes, index, Random(run.seed, run.case_name, index));
}

Trial::~Trial() = default;

Random& Trial::random() {
  return state_->random;
}

const detail::ArrayState& Trial::add(std::string name, Axes axes, Role role, bool integer) {
  detail::ArrayState& array = state_->arrays.emplace_back();
  array.name = std::move(name);
  array.count = count_of(axes);
  array.axes = std::move(axes);
  array.role = role;
  array.integer = integer;
  return array;
}

const detail::ArrayState& Trial::add_filled(std::string name, Axes axes, Role role, bool integer,
                                            std::vector<std::uint32_t> words) {
  add(std::move(name), std::move(axes), role, integer);
  detail::ArrayState& array = state_->arrays.back();
  if (words.size() != array.count) {
    throw std::logic_error(fmt::format("{} has {} elements, but {} values were given", array.name,
                                       array.count, words.size()));
  }
  array.content = std::move(words);
  return array;
}

Array<float> Trial::input(std::string name, Axes axes, std::vector<float> values) {
  return add_floats(std::move(name), std::move(axes), Role::input, std::move(values));
}

Array<int> Trial::input(std::string name, Axes axes, std::vector<int> values) {
  return Array<int>(
      add_filled(std::move(name), std::move(axes), Role::input, true, words_of(values)));
}

const detail::ArrayState& Trial::add_scratch(std::string name, Axes axes, bool integer) {
  add(std::move(name), std::move(axes), Role::output, integer);
  state_->arrays.back().scratch = true;
  return state_->arrays.back();
}

Array<float> Trial::accumulated(std::string name, Axes axes, std::vector<float> values) {
  return add_floats(std::move(name), std::move(axes), Role::in_place, std::move(values));
}

Array<float> Trial::in_place(std::string name, Axes axes, std::vector<float> values) {
  return add_floats(std::move(name), std::move(axes), Role::in_place, std::move(values));
}

Array<float> Trial::add_floats(std::string name, Axes axes, Role role, std::vector<float> values) {
  const std::size_t count = count_of(axes);
  if (values.empty()) values = random().values(count);
  return Array<float>(add_filled(std::move(name), std::move(axes), role, false, words_of(values)));
}

void Trial::add_expectation(const detail::ArrayState& array, Element element) {
  state_->expectations.push_back({"", &array, std::move(element)});
}

void Trial::expect(const Array<float>& array, oracle::Bounded result) {
  add_expectation(array.state(), element_of(array.state(), std::move(result)));
}

void Trial::expect(const Array<int>& array, std::vector<int> result) {
  add_expectation(array.state(), element_of(array.state(), std::move(result)));
}

void Trial::mistake(std::string slug, const Array<float>& array, oracle::Bounded result) {
  add_mistake(std::move(slug), array.state(), element_of(array.state(), std::move(result)));
}

void Trial::mistake(std::string slug, const Array<int>& array, std::vector<int> result) {
  add_mistake(std::move(slug), array.state(), element_of(array.state(), std::move(result)));
}

void Trial::add_mistake(std::string slug, const detail::ArrayState& array, Element element) {
  state_->mistakes.push_back({std::move(slug), &array, std::move(element)});
}

void Trial::judge_each_run(std::function<void(const Results&)> judge) {
  state_->judge = std::move(judge);
}

void Trial::mistake_if(std::string slug, std::function<bool(const Diagnostic&)> matches) {
  state_->telling_diagnostics.emplace_back(std::move(slug), std::move(matches));
}

void Trial::limit_runs(int runs) {
  state_->most_runs = runs;
}

void Trial::sample_blocks(std::size_t full_threads) {
  state_->sample_above = full_threads;
}

void Trial::judge_if_quick() {
  state_->judged_if_quick = true;
  limit_runs(1);
}

void Trial::use_stream(Stream stream) {
  state_->stream = stream;
}

Counts Trial::count(const Call& function) {
  return testing::count(*state_, function).total;
}

Outcome Trial::evaluate(const Call& function) {
  return testing::evaluate(*state_, function);
}

void Trial::call(const Call& function, const char* file, int line) {
  Session& run = session();
  const auto fail = [&](const std::string& message) { DOCTEST_ADD_FAIL_AT(file, line, message); };
  std::string skip = run.halted;
  if (skip.empty() && state_->sample_above > 0 && run.failed_cases > 0) {
    skip = "it takes long, and earlier cases failed.";
  }
  if (!skip.empty()) {
    run.skipped = true;
    fail("Not run: " + skip);
  }
  if (run.trace_taken) return;
  const bool watched = run.bench || !run.traced.empty();
  CallCounts counts;
  const Outcome outcome = testing::evaluate(*state_, function, watched ? &counts : nullptr);
  run.report(outcome.diagnostics);
  if (!counts.trace.empty()) run.report_trace(state_->sizes_text(), counts.trace);
  if (run.bench) run.report(counts);
  if (outcome.passed) return;
  run.mistake = outcome.mistake;
  fail(run.verdict != nullptr ? outcome.message : with_diagnostics(outcome));
}

}  // namespace testing
