#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "pattern.h"

namespace testing {
namespace {

std::string show(double value, bool integer) {
  if (integer) return fmt::format("{}", static_cast<long>(value));
  if (std::isnan(value)) return "NaN";
  return fmt::format("{:.9g}", value);
}

std::string show_got(const Got& got, std::size_t i) {
  return got.unwritten(i) ? "was never written" : "is " + show(got.at(i), got.array->integer);
}

// A remark on values that are all, or nearly all, wrong in one way.
class Remarks {
 public:
  Remarks(const Got& got, std::span<const Expected> expected, std::span<const char> wrong,
          const std::vector<const detail::ArrayState*>& inputs, UnwrittenReads unwritten)
      : got_(got), expected_(expected), wrong_(wrong), inputs_(inputs), unwritten_(unwritten) {}

  std::optional<std::string> find() const {
    const std::size_t size = got_.words.size();
    if (every([&](std::size_t i) { return got_.unwritten(i); })) {
      if (std::ranges::count(wrong_, 1) == 1) return std::nullopt;  // said already
      return all_wrong() ? "Nothing was written: every element still holds the fill that it had "
                           "before the call."
                         : "All of these were never written: they still hold the fill that they "
                           "had before the call.";
    }
    if (every([&](std::size_t i) { return Expected::unset_local().admits(got_.at(i)); })) {
      return "Such a number is what a local variable holds here until something is assigned to it.";
    }
    if (every([&](std::size_t i) { return got_.at(i) == 0; })) return "All of these are 0.";
    if (every([&](std::size_t i) { return std::isnan(got_.at(i)) || got_.unwritten(i); })) {
      return explain_nan();
    }
    if (close()) {
      return "The values are close, but not to the accuracy of binary32: was a lower precision "
             "used "
             "(half, TF32, a fast-math function)?";
    }
    if (size < 2) return std::nullopt;
    if (got_.array->role == Role::in_place) {
      if (unchanged()) return "All of these are as they were before the call.";
      if (all_wrong() && every_close([&](std::size_t i) { return expected_[i].value - old(i); })) {
        return "The array's old content was overwritten; the result must be added to it.";
      }
    }
    if (!all_wrong()) return std::nullopt;
    for (const detail::ArrayState* input : inputs_) {
      if (input->count == size && std::ranges::equal(input->content, got_.words)) {
        return fmt::format("The output is a copy of {}.", input->name);
      }
    }
    if (every_close([&](std::size_t i) { return 2 * expected_[i].value; })) {
      return "Every element is twice what it should be.";
    }
    if (every_close([&](std::size_t i) { return -expected_[i].value; })) {
      return "Every element has the wrong sign.";
    }
    return transposed();
  }

 private:
  const Got& got_;
  std::span<const Expected> expected_;
  std::span<const char> wrong_;
  const std::vector<const detail::ArrayState*>& inputs_;
  UnwrittenReads unwritten_;

  // Where the fill is a NaN, arithmetic on an x86 CPU hands its payload on: that one is no NaN of
  // the kernel's own.
  bool carries_fill() const {
    constexpr std::uint32_t payload = 0x003fffff;
    if (!std::isnan(number(got_.fill, false)) || (got_.fill & payload) == 0) return false;
    return every([&](std::size_t i) {
      return got_.unwritten(i) || (got_.words[i] & payload) == (got_.fill & payload);
    });
  }

  bool nan_among_inputs() const {
    return std::ranges::any_of(inputs_, [](const detail::ArrayState* input) {
      return std::ranges::any_of(input->content, [&](std::uint32_t word) {
        return std::isnan(number(word, input->integer));
      });
    });
  }

  std::string explain_nan() const {
    static constexpr const char* computed =
        "0/0, inf - inf, 0 * inf, or a root or logarithm of a negative number";
    std::string text = "All of these are NaN";
    switch (unwritten_) {
      case UnwrittenReads::in_arrays:
        return text +
               ", and come from memory that nothing wrote: the old content of an output, or of "
               "another array, was used.";
      case UnwrittenReads::in_shared_memory:
        return text + ", and come from shared memory that nothing wrote.";
      case UnwrittenReads::by_shuffle:
        return text +
               ", and come from a shuffle: the value of a lane that has no part in it is "
               "undefined.";
      case UnwrittenReads::mixed:
        return text + ", and come from values that nothing wrote: the reports tell which.";
      case UnwrittenReads::unknown:
      case UnwrittenReads::none:
        break;
    }
    if (carries_fill()) {
      return text +
             ", and come from memory that nothing wrote: the old content of an output, of another "
             "array or of shared memory was used.";
    }
    if (unwritten_ == UnwrittenReads::none) {
      text += ", though all the memory that was read had been written: ";
      if (nan_among_inputs()) text += "a NaN of an input was passed on, or ";
      return text + "they were computed, as by " + computed + ".";
    }
    return text + ": computed, as by " + computed +
           (got_.filled ? "; or the old content of the array, which is a fill, was used."
                        : "; or made from memory that nothing wrote.");
  }

  bool all_wrong() const {  // by chance, or where it is 0, an element may be right
    return std::ranges::count(wrong_, 1) * 10 >= static_cast<std::ptrdiff_t>(wrong_.size()) * 8;
  }

  bool every(auto predicate) const {  // of the wrong ones
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      if (wrong_[i] && !predicate(i)) return false;
    }
    return true;
  }

  bool every_close(auto value) const {  // of all
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      if (!Expected(value(i), 4 * expected_[i].bound).admits(got_.at(i))) return false;
    }
    return true;
  }

  double old(std::size_t i) const { return number(got_.array->content[i], got_.array->integer); }

  bool unchanged() const {
    return every([&](std::size_t i) { return got_.words[i] == got_.array->content[i]; });
  }

  bool close() const {
    return every([&](std::size_t i) {
      const double error = std::abs(got_.at(i) - expected_[i].value);
      return !got_.array->integer && expected_[i].bound > 0 &&
             error <= 0x1p11 * expected_[i].bound && error <= 0.02 * std::abs(expected_[i].value);
    });
  }

  // The right values at the place of the transposed index.
  std::optional<std::string> transposed() const {
    const Axes& axes = got_.array->axes;
    if (axes.size() != 2 || axes[0].extent < 2 || axes[1].extent < 2) return std::nullopt;
    const auto rows = static_cast<std::size_t>(axes[0].extent);
    const auto columns = static_cast<std::size_t>(axes[1].extent);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        if (!expected_[r * columns + c].admits(got_.at(c * rows + r))) return std::nullopt;
      }
    }
    return fmt::format(
        "The values are right, but stored transposed: element [{}, {}] lies where "
        "[{}, {}] of an array with the extents swapped would.",
        axes[0].name, axes[1].name, axes[1].name, axes[0].name);
  }
};

}  // namespace

double number(std::uint32_t word, bool integer) {
  return integer ? static_cast<double>(std::bit_cast<std::int32_t>(word))
                 : static_cast<double>(std::bit_cast<float>(word));
}

std::vector<char> wrong_elements(const Got& got, std::span<const Expected> expected) {
  std::vector<char> wrong(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    wrong[i] = !expected[i].admits(got.at(i));
  }
  return wrong;
}

bool explains(const Got& got, std::size_t i, const Expected& mistaken) {
  // An element that nobody wrote is not what a mistake computes, though both may be NaN.
  if (got.unwritten(i) != mistaken.never_written) return false;
  return got.unwritten(i) || mistaken.admits(got.at(i));
}

bool explains(const Got& got, std::span<const Expected> mistaken) {
  for (std::size_t i = 0; i < mistaken.size(); ++i) {
    if (!explains(got, i, mistaken[i])) return false;
  }
  return true;
}

std::string describe_mismatch(const Got& got, std::span<const Expected> expected,
                              std::span<const char> wrong,
                              const std::vector<const detail::ArrayState*>& inputs,
                              UnwrittenReads unwritten) {
  const detail::ArrayState& array = *got.array;
  const auto first = static_cast<std::size_t>(std::ranges::find(wrong, 1) - wrong.begin());
  const Expected& want = expected[first];
  std::string text = fmt::format("{} {}, expected {}", element_name(array.name, array.axes, first),
                                 show_got(got, first), show(want.value, array.integer));
  if (got.unwritten(first) || array.integer || std::isnan(got.at(first))) {
    // An error in units of the fill says nothing.
  } else if (want.bound > 0) {
    text += fmt::format(" (error {:.2g}, at most {:.2g} is allowed)",
                        std::abs(got.at(first) - want.value), want.bound);
  } else {
    text += " exactly";
  }
  const auto count = std::ranges::count(wrong, 1);
  if (wrong.size() > 1) {
    text += fmt::format(".\n{} of {} elements of {} {} wrong: {}.", count, wrong.size(), array.name,
                        count == 1 ? "is" : "are", describe_pattern(array.axes, wrong));
  } else {
    text += ".";
  }
  if (const auto remark = Remarks(got, expected, wrong, inputs, unwritten).find())
    text += "\n" + *remark;
  return text;
}

}  // namespace testing
