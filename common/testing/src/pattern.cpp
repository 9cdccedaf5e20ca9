#include "pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace testing {
namespace {

// A set of coordinates below `extent`, in words about the name: "n >= 16", "odd n", "n = 3".
std::optional<std::string> describe_coordinates(const std::string& name, int extent,
                                                const std::vector<int>& in) {
  const int count = static_cast<int>(in.size());
  if (count == 0 || count == extent) return std::nullopt;
  const int first = in.front(), last = in.back();
  if (count == 1) return fmt::format("{} = {}", name, first);
  if (last - first + 1 == count) {
    if (last == extent - 1) return fmt::format("{} >= {}", name, first);
    if (first == 0) return fmt::format("{} <= {}", name, last);
    return fmt::format("{} from {} to {}", name, first, last);
  }
  for (const int step : {2, 4, 8, 16, 32, 64, 128, 256}) {
    const bool regular = std::ranges::all_of(in, [&](int i) { return i % step == first % step; }) &&
                         count == (extent - first % step + step - 1) / step;
    if (!regular) continue;
    if (step == 2) return fmt::format("{} {}", first % 2 == 1 ? "odd" : "even", name);
    return fmt::format("{} % {} = {}", name, step, first % step);
  }
  if (extent - count == 1) {
    int missing = 0;
    while (missing < count && in[static_cast<std::size_t>(missing)] == missing) ++missing;
    return fmt::format("{} other than {}", name, missing);
  }
  for (const int step : {2, 4, 8, 16, 32, 64, 128, 256}) {  // all but one residue
    std::vector<char> seen(static_cast<std::size_t>(step));
    for (const int i : in) seen[static_cast<std::size_t>(i % step)] = 1;
    const auto missing = std::ranges::find(seen, 0);
    if (missing == seen.end() || std::ranges::count(seen, 0) != 1) continue;
    const int rest = static_cast<int>(missing - seen.begin());
    if (rest >= extent || count != extent - (extent - rest + step - 1) / step) continue;
    return fmt::format("{} that are not {}a multiple of {}", name,
                       rest == 0 ? std::string() : fmt::format("{} plus ", rest), step);
  }
  if (count <= 4) {
    return fmt::format("{} = {}", name, fmt::join(in, ", "));
  }
  return std::nullopt;
}

struct View {
  const Axes& axes;
  std::span<const char> wrong;
  std::vector<std::size_t> strides;  // of each axis
  std::size_t count = 0;             // wrong elements

  View(const Axes& all_axes, std::span<const char> all_wrong) : axes(all_axes), wrong(all_wrong) {
    strides.assign(axes.size(), 1);
    for (std::size_t a = axes.size(); a-- > 1;) {
      strides[a - 1] = strides[a] * static_cast<std::size_t>(axes[a].extent);
    }
    count = static_cast<std::size_t>(std::ranges::count_if(wrong, [](char w) { return w != 0; }));
  }

  int coordinate(std::size_t flat, std::size_t axis) const {
    return static_cast<int>(flat / strides[axis]) % axes[axis].extent;
  }
};

// Whole slices across one axis: every wrong element lies in them, and (nearly) all of theirs are
// wrong; by chance a few may be right.
std::optional<std::string> slices(const View& view) {
  for (std::size_t a = 0; a < view.axes.size(); ++a) {
    const int extent = view.axes[a].extent;
    const std::size_t slice = view.wrong.size() / static_cast<std::size_t>(extent);
    std::vector<std::size_t> wrong_in(static_cast<std::size_t>(extent));
    for (std::size_t i = 0; i < view.wrong.size(); ++i) {
      if (view.wrong[i]) ++wrong_in[static_cast<std::size_t>(view.coordinate(i, a))];
    }
    std::vector<int> coordinates;
    bool whole = true, exact = true;
    for (int c = 0; c < extent; ++c) {
      const std::size_t here = wrong_in[static_cast<std::size_t>(c)];
      if (here == 0) continue;
      coordinates.push_back(c);
      whole = whole && here * 10 >= slice * 9;
      exact = exact && here == slice;
    }
    if (!whole) continue;
    if (const auto words = describe_coordinates(view.axes[a].name, extent, coordinates)) {
      return fmt::format("{} with {}", exact ? "all" : "nearly all", *words);
    }
  }
  return std::nullopt;
}

// In the order of memory: a tail, a head, every second element.
std::optional<std::string> flat_runs(const View& view) {
  const std::size_t size = view.wrong.size();
  const std::string index = view.axes.size() == 1 ? view.axes[0].name : "flat index";
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(view.wrong, [](char w) { return w != 0; }) - view.wrong.begin());
  if (first > 0 && view.count == size - first) {
    std::string words = fmt::format("every element from {} {} on", index, first);
    for (const std::size_t block : {1024u, 512u, 256u, 128u, 64u, 32u}) {
      if (first == block) {
        words += fmt::format(", as if {} threads did all the work", block);
        break;
      }
      if (first % block == 0) {
        words += fmt::format(", as if the last block of {} were missing", block);
        break;
      }
    }
    return words;
  }
  if (first == 0 && view.count > 1 &&
      std::all_of(view.wrong.begin(), view.wrong.begin() + static_cast<std::ptrdiff_t>(view.count),
                  [](char w) { return w != 0; })) {
    return fmt::format("every element below {} {}", index, view.count);
  }
  std::vector<int> flat;
  for (std::size_t i = 0; i < size; ++i) {
    if (view.wrong[i]) flat.push_back(static_cast<int>(i));
  }
  if (flat.size() > 4 && size - flat.size() > 1) {
    if (const auto words = describe_coordinates(index, static_cast<int>(size), flat)) {
      return "all with " + *words;
    }
  }
  return std::nullopt;
}

// Two axes at once: the last tile, the rim past whole tiles, all but the diagonal.
std::optional<std::string> corners(const View& view) {
  if (view.axes.size() < 2) return std::nullopt;
  const std::size_t a = view.axes.size() - 2, b = a + 1;
  const Axis& rows = view.axes[a];
  const Axis& columns = view.axes[b];
  const auto matches = [&](auto predicate) {
    for (std::size_t i = 0; i < view.wrong.size(); ++i) {
      if (predicate(view.coordinate(i, a), view.coordinate(i, b)) != (view.wrong[i] != 0)) {
        return false;
      }
    }
    return true;
  };
  int least_row = rows.extent, least_column = columns.extent;
  for (std::size_t i = 0; i < view.wrong.size(); ++i) {
    if (!view.wrong[i]) continue;
    least_row = std::min(least_row, view.coordinate(i, a));
    least_column = std::min(least_column, view.coordinate(i, b));
  }
  if (least_row > 0 && least_column > 0 &&
      matches([&](int r, int c) { return r >= least_row && c >= least_column; })) {
    return fmt::format("all with {} >= {} and {} >= {}", rows.name, least_row, columns.name,
                       least_column);
  }
  for (const int tile : {64, 32, 16, 8, 4}) {
    const int whole_rows = rows.extent / tile * tile, whole_columns = columns.extent / tile * tile;
    if ((whole_rows == rows.extent && whole_columns == columns.extent) ||
        (whole_rows == 0 && whole_columns == 0)) {
      continue;
    }
    if (matches([&](int r, int c) { return r >= whole_rows || c >= whole_columns; })) {
      return fmt::format("all with {} >= {} or {} >= {}, past the whole tiles of {}", rows.name,
                         whole_rows, columns.name, whole_columns, tile);
    }
  }
  if (matches([](int r, int c) { return r != c; })) {
    return "all but the diagonal, as if rows and columns were swapped";
  }
  if (matches([](int r, int c) { return r > c; })) return "all below the diagonal";
  if (matches([](int r, int c) { return r < c; })) return "all above the diagonal";
  return std::nullopt;
}

// Not whole slices, yet all within a part of an axis.
std::optional<std::string> within(const View& view) {
  for (std::size_t a = 0; a < view.axes.size(); ++a) {
    std::vector<char> seen(static_cast<std::size_t>(view.axes[a].extent));
    for (std::size_t i = 0; i < view.wrong.size(); ++i) {
      if (view.wrong[i]) seen[static_cast<std::size_t>(view.coordinate(i, a))] = 1;
    }
    std::vector<int> coordinates;
    for (int c = 0; c < view.axes[a].extent; ++c) {
      if (seen[static_cast<std::size_t>(c)]) coordinates.push_back(c);
    }
    if (const auto words =
            describe_coordinates(view.axes[a].name, view.axes[a].extent, coordinates)) {
      return "scattered over those with " + *words;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> indices_of(const Axes& axes, std::size_t flat) {
  std::vector<int> indices(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    const auto extent = static_cast<std::size_t>(axes[a].extent);
    indices[a] = static_cast<int>(flat % extent);
    flat /= extent;
  }
  return indices;
}

std::string element_name(const std::string& array, const Axes& axes, std::size_t flat) {
  if (axes.empty()) return array;
  const std::vector<int> indices = indices_of(axes, flat);
  std::string name = array + "[";
  for (std::size_t a = 0; a < axes.size(); ++a) {
    name += fmt::format("{}{}={}", a == 0 ? "" : ", ", axes[a].name, indices[a]);
  }
  return name + "]";
}

std::string describe_pattern(const Axes& axes, std::span<const char> wrong) {
  const View view(axes, wrong);
  if (view.count == 0) return "";
  if (view.count == wrong.size()) return wrong.size() == 1 ? "the only one" : "all of them";
  if (view.count == 1) return "this one alone";
  if (axes.size() == 1) {
    if (const auto words = flat_runs(view)) return *words;
  }
  if (const auto words = slices(view)) return *words;
  if (const auto words = flat_runs(view)) return *words;
  if (const auto words = corners(view)) return *words;
  if (view.count * 10 >= wrong.size() * 9) return "nearly all of them";
  if (const auto words = within(view)) return *words;
  return "scattered";
}

}  // namespace testing
