#include "picture/trace.h"

#include <fmt/core.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "cli/error.h"

namespace grade {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Exit::unavailable, "the grader sent no trace that can be drawn: " + why);
}

std::size_t below(const json& value, std::size_t count, const char* what) {
  const auto index = value.get<std::size_t>();
  if (index >= count) refuse(fmt::format("it has no {} {}", what, index));
  return index;
}

template <class Read>
void each(const json& list, Read read) {
  for (const json& value : list) read(value);
}

Trace::Array array_of(const json& from) {
  Trace::Array array;
  from.at("name").get_to(array.name);
  from.at("shared").get_to(array.shared);
  from.at("bytes").get_to(array.element_bytes);
  from.at("length").get_to(array.length);
  from.at("extents").get_to(array.extents);
  from.at("axes").get_to(array.axes);
  from.at("offset").get_to(array.offset);
  if (array.element_bytes == 0) refuse("an array has elements without size");
  return array;
}

Trace::Step step_of(const json& from, const Trace& trace) {
  Trace::Step step;
  from.at("kind").get_to(step.kind);
  step.launch = below(from.at("launch"), trace.launches.size(), "launch");
  step.place = below(from.at("place"), trace.places.size(), "place");
  from.at("block").get_to(step.block);
  step.warp = from.value("warp", 0u);
  step.lanes = from.value("lanes", 0u);
  step.arrived = from.value("arrived", 0u);
  step.missing = from.value("missing", 0u);
  step.mismatch = from.value("mismatch", false);
  step.operation = from.value("operation", "");
  if (step.is_access()) {
    from.at("shared").get_to(step.shared);
    from.at("bytes").get_to(step.bytes);
    from.at("cost").at(0).get_to(step.transactions);
    from.at("cost").at(1).get_to(step.best);
    step.crowd = from.value("crowd", std::uint64_t{0});
    each(from.at("at"), [&](const json& part) {
      step.parts.push_back(
          {below(part.at(0), trace.arrays.size(), "array"), part.at(1), part.at(2)});
      const Trace::Part& read = step.parts.back();
      if (static_cast<std::size_t>(std::popcount(read.lanes)) != read.elements.size()) {
        refuse("a step has more lanes than elements");
      }
    });
  }
  return step;
}

Trace::Finding finding_of(const json& from, const Trace& trace) {
  Trace::Finding finding;
  from.at("kind").get_to(finding.kind);
  from.at("error").get_to(finding.error);
  finding.step = below(from.at("step"), trace.steps.size(), "step");
  finding.array = below(from.at("array"), trace.arrays.size(), "array");
  if (from.contains("other")) {
    finding.other_known = true;
    finding.other_step = below(from["other"], trace.steps.size(), "step");
  }
  each(from.at("hits"), [&](const json& hit) {
    finding.hits.push_back({hit.at(0), hit.at(1), hit.at(2)});
  });
  if (finding.hits.empty()) refuse("a finding is about nothing");
  return finding;
}

}  // namespace

Trace read_trace(const std::string& text) {
  try {
    const json all = json::parse(text);
    const json& from = all.at("trace");
    if (from.at("version") != 1) refuse("its version is not 1");
    Trace trace;
    all.at("case").get_to(trace.case_name);
    all.at("sizes").get_to(trace.sizes);
    const auto files = from.at("files").get<std::vector<std::string>>();
    each(from.at("places"), [&](const json& place) {
      trace.places.push_back({files[below(place.at(0), files.size(), "file")], place.at(1)});
    });
    each(from.at("launches"), [&](const json& launch) {
      trace.launches.push_back({launch.at("kernel"), launch.at("line"), launch.at("grid"),
                                launch.at("block"), launch.at("shown"), launch.at("steps")});
    });
    each(from.at("arrays"), [&](const json& array) { trace.arrays.push_back(array_of(array)); });
    each(from.at("steps"), [&](const json& step) { trace.steps.push_back(step_of(step, trace)); });
    each(from.at("findings"),
         [&](const json& finding) { trace.findings.push_back(finding_of(finding, trace)); });
    const json& left_out = from.at("left_out");
    left_out.at("steps").get_to(trace.steps_left_out);
    left_out.at("arrays").get_to(trace.arrays_left_out);
    left_out.at("launches").get_to(trace.launches_left_out);
    left_out.at("findings").get_to(trace.findings_left_out);
    return trace;
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

}  // namespace grade
