// Which lesson makes what: functions by their name, arrays of the layer by theirs, lessons by
// number.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/course.h"
#include "site/declarations.h"

namespace grade::site {

class CrossLinks {
 public:
  CrossLinks(const Course& course, const std::vector<Declaration>& declarations);

  // nullptr when no lesson of this copy does.
  const Lesson* function(std::string_view name) const;
  const Lesson* array(std::string_view name) const;  // "Xs", "offsets[e]"
  const Lesson* directory(std::string_view name) const;
  // "012" and the like; nothing else is a lesson's number in running text.
  const Lesson* number(std::string_view digits) const;

 private:
  const Course& course_;
  std::map<std::string, const Lesson*, std::less<>> functions_;
  std::map<std::string, const Lesson*, std::less<>> arrays_;
};

}  // namespace grade::site
