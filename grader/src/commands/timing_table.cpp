#include "commands/timing_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "terminal/text.h"

namespace grade {
namespace {

using terminal::pad_left;
using terminal::pad_right;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

constexpr int kSubjectWidth = 11;
constexpr int kMedianWidth = 11;
constexpr int kSpreadWidth = 9;
constexpr int kRateWidth = 15;
constexpr int kRatioWidth = 11;
constexpr int kRooflineWidth = 10;

std::string timing_row(const std::string& subject, const std::string& median,
                       const std::string& spread, const std::string& rate, const std::string& ratio,
                       const std::string& roofline) {
  return "  " + pad_right(subject, kSubjectWidth) + pad_left(median, kMedianWidth) +
         pad_left(spread, kSpreadWidth) + pad_left(rate, kRateWidth) +
         pad_left(ratio, kRatioWidth) + pad_left(roofline, kRooflineWidth);
}

// "8.39 MB", "50.00 kFLOP"
std::string in_words(double amount, const char* unit) {
  if (amount >= 1e9) return fmt::format("{:.2f} G{}", amount / 1e9, unit);
  if (amount >= 1e6) return fmt::format("{:.2f} M{}", amount / 1e6, unit);
  return fmt::format("{:.2f} k{}", amount / 1e3, unit);
}

void print_case(Terminal& out, const TimedCase& timed) {
  out.line();
  out.paragraph(out.style(Style::bold, terminal::printable(timed.function)) + " with " +
                    terminal::printable(timed.shape),
                2);
  if (!timed.skipped.empty()) {
    out.paragraph(
        fmt::format("{} Left out: {}.", out.style(Style::warning, out.symbol(Symbol::warning)),
                    terminal::printable(timed.skipped)),
        2);
    return;
  }
  std::string work = fmt::format("  {} read, {} written", in_words(timed.bytes_read, "B"),
                                 in_words(timed.bytes_written, "B"));
  if (timed.flops > 0) work += ", " + in_words(timed.flops, "FLOP");
  if (timed.method == "replayed") work += "; in the cache, replayed";
  out.line(out.style(Style::dim, terminal::truncate(work, out.columns())));
  out.line(terminal::truncate(timing_row("", "median", "spread", "rate", "reference", "roofline"),
                              out.columns()));
  // The learner's own first, whatever the order in which they ran.
  std::vector<const TimedSubject*> order;
  for (const TimedSubject& each : timed.subjects) order.push_back(&each);
  std::stable_partition(order.begin(), order.end(),
                        [](const TimedSubject* s) { return s->name == "yours"; });
  for (const TimedSubject* each : order) {
    const std::string name = terminal::printable(each->name);
    if (!each->sound()) {
      out.line(terminal::truncate(timing_row(name, "-", "-", "-", "-", "-"), out.columns()));
      continue;
    }
    const auto ratio = timed.ratio(*each);
    const std::string line =
        timing_row(name, seconds_in_words(each->median, out.can().unicode),
                   fmt::format("{:.1f} %", 100 * each->spread()),
                   rate_in_words(timed, each->median), ratio ? fmt::format("{:.2f}", *ratio) : "-",
                   each->of_roofline ? fmt::format("{:.0f} %", 100 * *each->of_roofline) : "-");
    out.line(terminal::truncate(each->name == "yours" ? out.style(Style::accent, line) : line,
                                out.columns()));
  }
  for (const TimedSubject* each : order) {
    if (each->wrong.empty()) continue;
    out.paragraph(fmt::format("{} {}: {}", out.style(Style::bad, out.symbol(Symbol::failed)),
                              terminal::printable(each->name), terminal::printable(each->wrong)),
                  2);
  }
}

}  // namespace

void print_times(Terminal& out, const Timing& timing) {
  for (const TimedCase& each : timing.cases) print_case(out, each);
}

void print_time_meanings(Terminal& out, const Timing& timing) {
  out.line();
  const auto meaning = [&](const std::string& text) {
    out.paragraph(out.style(Style::dim, text), 2);
  };
  const auto terabytes = [](double rate) { return fmt::format("{:.2f}", rate / 1e12); };
  std::string ceilings = fmt::format(
      "{}: in this run it copied {} TB/s, read {} and wrote {}, and did {:.1f} TFLOP/s in FP32",
      terminal::printable(timing.device), terabytes(timing.copy_bytes),
      terabytes(timing.read_bytes), terabytes(timing.fill_bytes), timing.flops / 1e12);
  if (timing.product_flops > 0) {
    ceilings += fmt::format(" (products, on tensor cores: {:.1f})", timing.product_flops / 1e12);
  }
  meaning(ceilings + ".");
  meaning(
      "median, spread: of the time of one call, and how wide the middle half of the samples is. "
      "The "
      "cache is flushed before each, but for calls that are replayed.");
  meaning("reference: how many times as fast as the reference it is; above 1 is faster.");
  meaning(
      "roofline: the least time that this device can take for that work, as a part of the median. "
      "100 % is out of reach of most.");
}

}  // namespace grade
