// A lesson's entry in progress.json: fields that may be absent, the hints seen, and two entries
// that become one.
#pragma once

#include <string>
#include <vector>

#include "progress/format.h"

namespace grade {

template <class T>
T field_or(const ProgressJson& object, const char* field, T otherwise) {
  const auto found = object.find(field);
  return found == object.end() ? otherwise : found->get<T>();
}

std::vector<int> hints_seen(const ProgressJson& entry);  // from 1, in the order seen
void add_hint_seen(ProgressJson& entry, int hint);

// Adds what another entry of the same lesson holds; nothing of either is lost.
void merge_entry(ProgressJson& to, const ProgressJson& from);

}  // namespace grade
