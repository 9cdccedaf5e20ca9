#include "timing/timing.h"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "terminal/text.h"

namespace grade {
namespace {

using nlohmann::json;

// Above so many operations a byte, those are what a machine is busy with.
constexpr double kComputeBound = 16;

TimedSubject read_subject(const json& from) {
  TimedSubject subject;
  from.at("subject").get_to(subject.name);
  from.at("wrong").get_to(subject.wrong);
  if (!subject.wrong.empty()) return subject;
  from.at("median").get_to(subject.median);
  from.at("lower").get_to(subject.lower);
  from.at("upper").get_to(subject.upper);
  subject.samples = static_cast<int>(from.at("samples").size());
  if (from.contains("of_roofline")) subject.of_roofline = from.at("of_roofline").get<double>();
  return subject;
}

TimedCase read_case(const json& from) {
  TimedCase timed;
  from.at("function").get_to(timed.function);
  from.at("shape").get_to(timed.shape);
  from.at("method").get_to(timed.method);
  from.at("bytes_read").get_to(timed.bytes_read);
  from.at("bytes_written").get_to(timed.bytes_written);
  from.at("flops").get_to(timed.flops);
  from.at("least_seconds").get_to(timed.least_seconds);
  timed.skipped = from.value("skipped", "");
  for (const json& each : from.at("subjects")) timed.subjects.push_back(read_subject(each));
  return timed;
}

}  // namespace

const TimedSubject* TimedCase::sound(const std::string& name) const {
  for (const TimedSubject& each : subjects) {
    if (each.name == name && each.sound()) return &each;
  }
  return nullptr;
}

std::optional<double> TimedCase::ratio(const TimedSubject& subject) const {
  const TimedSubject* const reference = sound("reference");
  if (reference == nullptr || !subject.sound()) return std::nullopt;
  return reference->median / subject.median;
}

Timing read_timing(const std::vector<std::string>& messages) {
  if (messages.empty()) throw std::runtime_error("the benchmark measured nothing");
  try {
    Timing timing;
    const json head = json::parse(messages.front());
    head.at("machine").at("gpu").get_to(timing.device);
    head.at("smoke").get_to(timing.smoke);
    const json& ceilings = head.at("ceilings");
    ceilings.at("copy_bytes_per_second").get_to(timing.copy_bytes);
    ceilings.at("read_bytes_per_second").get_to(timing.read_bytes);
    ceilings.at("fill_bytes_per_second").get_to(timing.fill_bytes);
    ceilings.at("flops_per_second").get_to(timing.flops);
    ceilings.at("product_flops_per_second").get_to(timing.product_flops);
    for (std::size_t i = 1; i < messages.size(); ++i) {
      timing.cases.push_back(read_case(json::parse(messages[i])));
    }
    return timing;
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("the benchmark's report cannot be read: ") + error.what());
  }
}

std::string rate_in_words(const TimedCase& timed, double seconds) {
  const double bytes = timed.bytes_read + timed.bytes_written;
  if (timed.flops > kComputeBound * bytes) {
    return fmt::format("{:.1f} TFLOP/s", timed.flops / seconds / 1e12);
  }
  const double rate = bytes / seconds / 1e9;
  return rate < 10 ? fmt::format("{:.2f} GB/s", rate) : terminal::grouped(rate) + " GB/s";
}

std::string seconds_in_words(double seconds, bool unicode) {
  struct Unit {
    const char* name;
    double scale;
  };
  const std::array<Unit, 3> units{{{"s", 1}, {"ms", 1e3}, {unicode ? "µs" : "us", 1e6}}};
  for (const Unit& unit : units) {
    const double value = seconds * unit.scale;
    // Three digits, none of them before a power of ten.
    if (value >= 99.95) return fmt::format("{:.0f} {}", value, unit.name);
    if (value >= 9.995) return fmt::format("{:.1f} {}", value, unit.name);
    if (value >= 0.9995) return fmt::format("{:.2f} {}", value, unit.name);
  }
  return fmt::format("{:.0f} ns", seconds * 1e9);
}

}  // namespace grade
