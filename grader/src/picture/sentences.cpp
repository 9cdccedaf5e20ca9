#include "picture/sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace grade {
namespace {

// Lanes whose elements follow one another at an even distance.
struct Run {
  unsigned first_lane, last_lane;
  long first, last, stride;
};

std::vector<Run> runs_of(const Trace::Part& part) {
  std::vector<Run> runs;
  std::size_t i = 0;
  for (std::uint32_t rest = part.lanes; rest != 0; rest &= rest - 1, ++i) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const long element = part.elements[i];
    if (!runs.empty() && runs.back().last_lane + 1 == lane) {
      Run& run = runs.back();
      const long stride = element - run.last;
      if (run.first_lane == run.last_lane || stride == run.stride) {
        run.last_lane = lane;
        run.last = element;
        run.stride = stride;
        continue;
      }
    }
    runs.push_back({lane, lane, element, element, 0});
  }
  return runs;
}

std::string run_in_words(const Run& run, const Trace::Array& array) {
  const std::string first = element_in_words(array, run.first);
  if (run.first_lane == run.last_lane) return fmt::format("lane {} has {}", run.first_lane, first);
  const std::string lanes =
      fmt::format("lanes {} {} {}", run.first_lane,
                  run.last_lane == run.first_lane + 1 ? "and" : "to", run.last_lane);
  if (run.stride == 0) return fmt::format("{} share {}", lanes, first);
  const std::string last = element_in_words(array, run.last);
  if (run.stride == 1) return fmt::format("{} have {} to {}", lanes, first, last);
  return fmt::format("{} have {} to {} in steps of {}", lanes, first, last, run.stride);
}

std::string cost_in_words(const Trace::Step& step) {
  std::string text;
  if (step.shared) {
    text = number_of(step.transactions, "pass", "passes") + " over the banks";
    text += step.transactions > step.best
                ? fmt::format(" where {} would do: a bank conflict", step.best)
                : ", no bank conflict";
  } else {
    text = number_of(step.transactions, "sector", "sectors");
    text += step.transactions > step.best ? fmt::format(" where {} would do", step.best)
                                          : ", the fewest that would do";
  }
  if (step.crowd > 1) text += fmt::format("; {} lanes want one address and take turns", step.crowd);
  return text;
}

const char* verb_of(const Trace::Step& step) {
  if (step.kind == "load") return "loads from";
  return step.kind == "store" ? "stores to" : "updates atomically";
}

std::string block_in_words(const Trace& trace, const Trace::Step& step) {
  return triple_in_words(index_of(step.block, trace.launches[step.launch].grid));
}

std::string barrier_in_words(const Trace& trace, const Trace::Step& step) {
  const char* const what = step.kind == "barrier" ? "Barrier" : "Barrier of the whole grid";
  std::string text = fmt::format("{}, block {}: ", what, block_in_words(trace, step));
  const std::string threads = number_of(step.arrived, "thread is", "threads are");
  text += step.missing == 0 && !step.mismatch ? fmt::format("all {} there and go on", threads)
                                              : threads + " there";
  if (step.missing > 0) text += fmt::format(", {} had ended before", step.missing);
  if (step.mismatch) text += ", and not all at the same barrier";
  return text + ".";
}

std::string thread_in_words(const Trace& trace, const Trace::Step& step, unsigned lane) {
  return "thread " +
         triple_in_words(
             index_of(std::size_t{step.warp} * 32 + lane, trace.launches[step.launch].block)) +
         " of block " + block_in_words(trace, step);
}

std::string line_in_words(const Trace& trace, const Trace::Step& step) {
  const Trace::Place& place = trace.places[step.place];
  return place.line == 0 ? "an unknown line" : fmt::format("line {}", place.line);
}

const char* past_verb_of(const Trace::Step& step) {
  if (step.kind == "load") return "loaded";
  return step.kind == "store" ? "stored" : "updated atomically";
}

std::string finding_in_words(const Trace& trace, const Trace::Finding& finding) {
  const Trace::Finding::Hit& hit = finding.hits.front();
  const Trace::Step& step = trace.steps[finding.step];
  const std::string element = element_in_words(trace.arrays[finding.array], hit.element);
  const std::string thread = thread_in_words(trace, step, hit.lane);
  if (finding.kind == "out_of_bounds") {
    return fmt::format("Out of bounds: {} touches {}, which is not there.", thread, element);
  }
  if (finding.kind == "use_after_free") {
    return fmt::format("Use after free: {} touches {}.", thread, element);
  }
  if (finding.kind == "misaligned") {
    return fmt::format("Misaligned: {} touches {} at an address that the hardware refuses.", thread,
                       element);
  }
  if (finding.kind == "uninitialized_read") {
    return fmt::format("Nothing was written to {} before {} reads it.", element, thread);
  }
  const char* const title = finding.error ? "Race" : "Race that does no harm here";
  if (!finding.other_known) {
    return fmt::format("{} on {}: nothing orders {} and an earlier access.", title, element,
                       thread);
  }
  const Trace::Step& other = trace.steps[finding.other_step];
  const char* const does = step.kind == "load"    ? "loads"
                           : step.kind == "store" ? "stores"
                                                  : "updates";
  return fmt::format(
      "{} on {}: {} {} it here, {} {} it in step {} ({}), and nothing orders the two.", title,
      element, thread, does, thread_in_words(trace, other, hit.other_lane), past_verb_of(other),
      finding.other_step + 1, line_in_words(trace, other));
}

}  // namespace

std::string number_of(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string triple_in_words(const std::array<unsigned, 3>& index) {
  return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

std::string nothing_in_words(const Trace& trace) {
  if (trace.launches.empty()) return "Nothing was launched: there is nothing to draw.";
  const bool own = std::ranges::any_of(trace.launches, &Trace::Launch::shown);
  return own ? "No thread touched memory: there is nothing to draw."
             : "The file launches no kernels of its own here: it calls those of other lessons, and "
               "each of these has a picture of its own.";
}

std::array<unsigned, 3> index_of(std::size_t linear, const std::array<unsigned, 3>& extents) {
  const std::size_t x = std::max(extents[0], 1u), y = std::max(extents[1], 1u);
  return {static_cast<unsigned>(linear % x), static_cast<unsigned>(linear / x % y),
          static_cast<unsigned>(linear / x / y)};
}

std::string element_in_words(const Trace::Array& array, long element) {
  if (array.extents.empty()) return fmt::format("{}[{}]", array.name, element);
  std::vector<long> indices(array.extents.size());
  long rest = element;
  for (std::size_t i = indices.size(); i-- > 1;) {
    const long extent = std::max(array.extents[i], 1L);
    const long before = rest / extent - (rest % extent < 0 ? 1 : 0);
    indices[i] = rest - before * extent;
    rest = before;
  }
  indices[0] = rest;  // and whatever is outside
  std::string text;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i < array.axes.size() && !array.axes[i].empty()) {
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", array.axes[i], indices[i]);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : "][", indices[i]);
    }
  }
  return fmt::format("{}[{}]", array.name, text);
}

std::string step_in_words(const Trace& trace, std::size_t index) {
  const Trace::Step& step = trace.steps[index];
  if (step.is_barrier()) return barrier_in_words(trace, step);
  const std::string who = fmt::format("Block {}, warp {}", block_in_words(trace, step), step.warp);
  const auto lanes = static_cast<std::uint64_t>(std::popcount(step.lanes));
  if (step.kind == "warp") {
    return fmt::format("{}: {} meet in a warp operation ({}).", who,
                       number_of(lanes, "lane", "lanes"), step.operation);
  }
  std::string arrays, touched;
  std::size_t told = 0, left = 0;
  for (const Trace::Part& part : step.parts) {
    const Trace::Array& array = trace.arrays[part.array];
    if (arrays.find(array.name) == std::string::npos) {
      arrays += (arrays.empty() ? "" : " and ") + array.name;
    }
    for (const Run& run : runs_of(part)) {
      constexpr std::size_t most_runs = 4;
      if (told == most_runs) {
        left += run.last_lane - run.first_lane + 1;
        continue;
      }
      touched += (told++ == 0 ? "" : ", ") + run_in_words(run, array);
    }
  }
  if (left > 0) touched += fmt::format(", and {} more", number_of(left, "lane", "lanes"));
  const std::size_t elements =
      step.parts.empty() ? 1 : step.bytes / trace.arrays[step.parts.front().array].element_bytes;
  const std::string wide =
      elements > 1 ? fmt::format(" ({} elements each, from the one named)", elements) : "";
  return fmt::format(
      "{} {} {}: {}{}. {}.", who, verb_of(step), arrays.empty() ? "memory without a name" : arrays,
      touched.empty() ? number_of(lanes, "lane", "lanes") : touched, wide, cost_in_words(step));
}

std::string findings_in_words(const Trace& trace, std::size_t step) {
  constexpr std::size_t most = 2;
  std::string text;
  std::size_t told = 0, left = 0;
  for (const Trace::Finding& finding : trace.findings) {
    if (finding.step != step) continue;
    left += finding.hits.size();
    if (told == most) continue;
    text += (text.empty() ? "" : " ") + finding_in_words(trace, finding);
    ++told;
    --left;
  }
  if (left > 0) text += fmt::format(" And {} more like it in this step.", left);
  return text;
}

}  // namespace grade
