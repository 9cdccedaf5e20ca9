#include "progress/entry.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace grade {
namespace {

using Json = ProgressJson;

// What the latest attempt looked like; absent after a pass.
constexpr std::array kLookedLike{"last_mistake", "last_finding"};

// The earlier of two entries by a time that each has; or the only one.
void keep_earlier(Json& to, const Json& from, const char* field, const char* time) {
  if (!from.contains(field)) return;
  const auto when = [&](const Json& entry) {
    return time == nullptr ? entry.at(field).get<std::string>()
                           : field_or<std::string>(entry.at(field), time, "");
  };
  if (!to.contains(field) || when(from) < when(to)) to[field] = from[field];
}

}  // namespace

// "hints" alone is of an older tool, which showed them in order.
std::vector<int> hints_seen(const ProgressJson& entry) {
  std::vector<int> seen;
  if (const auto list = entry.find("hints_seen"); list != entry.end() && list->is_array()) {
    for (const Json& each : *list) {
      if (each.is_number_integer()) seen.push_back(each.get<int>());
    }
    return seen;
  }
  for (int hint = 1; hint <= field_or<int>(entry, "hints", 0); ++hint) seen.push_back(hint);
  return seen;
}

void add_hint_seen(ProgressJson& entry, int hint) {
  std::vector<int> seen = hints_seen(entry);
  if (std::find(seen.begin(), seen.end(), hint) == seen.end()) seen.push_back(hint);
  entry["hints"] = seen.size();
  entry["hints_seen"] = seen;
}

void merge_entry(ProgressJson& to, const ProgressJson& from) {
  for (const char* sum : {"attempts", "seconds"}) {
    if (from.contains(sum))
      to[sum] = field_or<std::int64_t>(to, sum, 0) + from[sum].get<std::int64_t>();
  }
  for (const int hint : hints_seen(from)) add_hint_seen(to, hint);
  keep_earlier(to, from, "first_pass", "time");
  keep_earlier(to, from, "spoiled", nullptr);
  const auto last_pass = [](const Json& entry) {
    return entry.contains("last_pass") ? field_or<std::string>(entry["last_pass"], "time", "") : "";
  };
  if (last_pass(from) > last_pass(to)) to["last_pass"] = from["last_pass"];
  if (field_or<std::string>(from, "last_time", "") > field_or<std::string>(to, "last_time", "")) {
    to["last_time"] = from["last_time"];
    to["last_status"] = field_or<std::string>(from, "last_status", "");
    for (const char* field : kLookedLike) {
      to.erase(field);
      if (from.contains(field)) to[field] = from[field];
    }
  }
  if (from.contains("quiz")) {
    for (const auto& [question, answer] : from["quiz"].items()) {
      Json& all = to["quiz"];
      if (!all.contains(question)) {
        all[question] = answer;
        continue;
      }
      Json& known = all[question];
      known["correct"] =
          field_or<bool>(known, "correct", false) || field_or<bool>(answer, "correct", false);
      known["tries"] = field_or<int>(known, "tries", 0) + field_or<int>(answer, "tries", 0);
    }
  }
  if (from.contains("times")) {
    for (const auto& [device, shapes] : from["times"].items()) {
      for (const auto& [shape, best] : shapes.items()) {
        Json& known = to["times"][device][shape];
        if (known.is_null() || best.at("seconds") < known.at("seconds")) known = best;
      }
    }
  }
  for (const auto& [field, content] : from.items()) {
    const bool looked_like =
        std::find(kLookedLike.begin(), kLookedLike.end(), field) != kLookedLike.end();
    if (!to.contains(field) && !looked_like) to[field] = content;
  }
}

}  // namespace grade
