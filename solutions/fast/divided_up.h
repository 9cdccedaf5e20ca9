// a / b, rounded up; a and b at least 1.
#pragma once

namespace fast {

inline int divided_up(int a, int b) {
  return (a - 1) / b + 1;
}

}  // namespace fast
