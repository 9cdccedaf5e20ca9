#include "trace_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace testing {
namespace {

using Json = nlohmann::ordered_json;
using simt::Trace;

const char* name(Trace::Kind kind) {
  switch (kind) {
    case Trace::Kind::load:
      return "load";
    case Trace::Kind::store:
      return "store";
    case Trace::Kind::atomic:
      return "atomic";
    case Trace::Kind::barrier:
      return "barrier";
    case Trace::Kind::grid_barrier:
      return "grid_barrier";
    case Trace::Kind::warp_operation:
      break;
  }
  return "warp";
}

Json triple(const dim3& value) {
  return {value.x, value.y, value.z};
}

// Files are named once.
Json places_json(const std::vector<simt::SourceLocation>& places, Json& files) {
  Json result = Json::array();
  for (const simt::SourceLocation& place : places) {
    auto known = std::find(files.begin(), files.end(), Json(place.file));
    if (known == files.end()) {
      files.push_back(place.file);
      known = files.end() - 1;
    }
    result.push_back({known - files.begin(), place.line});
  }
  return result;
}

Json json(const Trace::Launch& launch) {
  return {{"kernel", launch.kernel},       {"line", launch.line},   {"grid", triple(launch.grid)},
          {"block", triple(launch.block)}, {"shown", launch.shown}, {"steps", launch.steps}};
}

Json json(const Trace::Array& array) {
  return {{"name", array.name},     {"shared", array.shared},   {"bytes", array.element_bytes},
          {"length", array.length}, {"extents", array.extents}, {"axes", array.axes},
          {"offset", array.offset}};
}

Json json(const Trace::Step& step) {
  Json result{{"kind", name(step.kind)},
              {"launch", step.launch},
              {"block", step.block},
              {"place", step.place}};
  switch (step.kind) {
    case Trace::Kind::barrier:
    case Trace::Kind::grid_barrier:
      result["arrived"] = step.arrived;
      if (step.missing != 0) result["missing"] = step.missing;
      if (step.mismatch) result["mismatch"] = true;
      return result;
    case Trace::Kind::warp_operation:
      result["warp"] = step.warp;
      result["lanes"] = step.lanes;
      result["operation"] = step.operation;
      return result;
    case Trace::Kind::load:
    case Trace::Kind::store:
    case Trace::Kind::atomic:
      break;
  }
  result["warp"] = step.warp;
  result["lanes"] = step.lanes;
  result["shared"] = step.shared;
  result["bytes"] = step.bytes;
  result["cost"] = {step.transactions, step.best};
  if (step.kind == Trace::Kind::atomic) result["crowd"] = step.crowd;
  result["at"] = Json::array();
  for (const Trace::Part& part : step.parts) {
    result["at"].push_back({part.array, part.lanes, part.elements});
  }
  return result;
}

Json json(const Trace::Finding& finding) {
  Json result{{"kind", simt::kind_name(finding.kind)},
              {"error", finding.severity == simt::Severity::error},
              {"step", finding.step},
              {"array", finding.array}};
  if (finding.other_known) result["other"] = finding.other_step;
  result["hits"] = Json::array();
  for (const Trace::Finding::Hit& hit : finding.hits) {
    result["hits"].push_back({hit.lane, hit.element, hit.other_lane});
  }
  return result;
}

template <class T>
Json list(const std::vector<T>& values) {
  Json result = Json::array();
  for (const T& value : values) result.push_back(json(value));
  return result;
}

}  // namespace

std::string trace_json(const Trace& trace) {
  Json files = Json::array();
  const Json places = places_json(trace.places, files);
  const Json result{{"version", 1},
                    {"files", files},
                    {"places", places},
                    {"launches", list(trace.launches)},
                    {"arrays", list(trace.arrays)},
                    {"steps", list(trace.steps)},
                    {"findings", list(trace.findings)},
                    {"left_out",
                     {{"steps", trace.steps_left_out},
                      {"arrays", trace.arrays_left_out},
                      {"launches", trace.launches_left_out},
                      {"findings", trace.findings_left_out}}}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace testing
