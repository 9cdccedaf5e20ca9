#include "site/cross_links.h"

#include <charconv>

namespace grade::site {

CrossLinks::CrossLinks(const Course& course, const std::vector<Declaration>& declarations)
    : course_(course) {
  for (const Lesson& lesson : course.lessons) functions_[lesson.slug] = &lesson;
  for (const Declaration& each : declarations) {
    const Lesson* lesson = function(each.function);
    // Parts 1 and 2 use the alphabet as they need it; the layer's arrays come from its own lessons.
    if (lesson == nullptr || lesson->part < 3) continue;
    for (const std::string& output : each.outputs) arrays_.try_emplace(output, lesson);
  }
}

const Lesson* CrossLinks::function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

const Lesson* CrossLinks::array(std::string_view name) const {
  const auto found = arrays_.find(name.substr(0, name.find('[')));
  return found == arrays_.end() ? nullptr : found->second;
}

const Lesson* CrossLinks::directory(std::string_view name) const {
  if (name.size() < 5 || name[3] != '_') return nullptr;
  const Lesson* lesson = function(name.substr(4));
  return lesson != nullptr && lesson->directory() == name ? lesson : nullptr;
}

const Lesson* CrossLinks::number(std::string_view digits) const {
  if (digits.size() != 3) return nullptr;
  int number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + 3, number);
  return status == std::errc() && end == digits.data() + 3 ? course_.by_number(number) : nullptr;
}

}  // namespace grade::site
