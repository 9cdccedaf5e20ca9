#include "verify/findings_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace grade {
namespace {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::bad:
      return "bad";
    case Verdict::skipped:
      return "skipped";
    case Verdict::remark:
      break;
  }
  return "remark";
}

}  // namespace

std::string findings_json(const Findings& findings, double seconds) {
  using nlohmann::json;
  json list = json::array();
  bool passed = true;
  for (const Finding& each : findings) {
    passed = passed && each.verdict != Verdict::bad;
    list.push_back({{"lesson", each.lesson},
                    {"check", each.check},
                    {"what", each.what},
                    {"verdict", name(each.verdict)},
                    {"detail", each.detail}});
  }
  return json{{"passed", passed}, {"seconds", seconds}, {"findings", std::move(list)}}.dump(
      2, ' ', false, json::error_handler_t::replace);
}

}  // namespace grade
