// The learned arrays of a layer, or their gradients, with the shapes of MoeParams.
#pragma once

#include "oracle/bounded.h"

namespace oracle {

struct ParamInputs {
  Input Wg;  // [D,E]
  Input W1;  // [E,D,H]
  Input b1;  // [E,H]
  Input W2;  // [E,H,D]
  Input b2;  // [E,D]
};

struct BoundedParams {
  Bounded Wg, W1, b1, W2, b2;

  // Refers to this object's memory.
  ParamInputs inputs() const { return {Wg, W1, b1, W2, b2}; }
};

}  // namespace oracle
