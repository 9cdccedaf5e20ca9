// The layer that the workbook's examples use: three tokens, four experts, simple fractions.
#pragma once

#include <cmath>
#include <vector>

#include "oracle/oracle.h"

namespace oracle_test {

struct MicroBatch {
  MoeConfig config{3, 2, 3, 4, 2, Activation::relu, 0.1F};
  double alpha = 0.1;
  std::vector<double> X{1, 0, 0, 1, 1, 1};
  std::vector<double> target{0, 2, 2, 1, 3, 2};
  std::vector<double> Wg;
  std::vector<double> W1{1, 0,  -1, 1, 1, 0, 1, 1, -1, -1, 0,  1,
                         1, -1, 0,  0, 1, 1, 0, 1, 1,  1,  -1, 0};
  std::vector<double> b1{.5, -.5, .5, .5, .5, .5, -.5, .5, .5, .5, .5, -.5};
  std::vector<double> W2{2, 0, 0, 2,  2,  -2, 1,  1, 1, -1, 0, 1,
                         2, 2, 0, -2, -2, 0,  -2, 2, 2, 0,  0, 2};
  std::vector<double> b2{0, 1, 1, 1, 1, 0, 0, -1};

  MicroBatch() {
    for (const int power : {0, -1, 1, -2, 1, -1, -2, 0}) Wg.push_back(power * std::log(2.0));
  }
  oracle::ParamInputs params() const { return {Wg, W1, b1, W2, b2}; }
};

}  // namespace oracle_test
