// One thing that the authors' gate looked at.
#pragma once

#include <string>
#include <vector>

namespace grade {

enum class Verdict { good, bad, skipped, remark };

struct Finding {
  std::string lesson;  // "001_matmul_nn"
  std::string check;   // "mutant", "sections", ...
  std::string what;    // which one: a mutant's name, a seed; may be empty
  Verdict verdict = Verdict::good;
  std::string detail;  // why it is bad, skipped or worth a remark
};

using Findings = std::vector<Finding>;

}  // namespace grade
