// Arguments convert as in a plain call, once.
#include "construct.h"

struct P {
  int a;
  float b;
};
enum class Mode { slow = 3, fast = 4 };

__global__ void k(P p, const float* pointer, int i, int* d) {
  d[0] = p.a * 100 + static_cast<int>(p.b) * 10 + (pointer == nullptr ? 1 : 0);
  d[1] = i;
}
__global__ void more(double x, unsigned char c, Mode mode, bool flag, long long big, int* d) {
  d[0] = static_cast<int>(x * 2) + c + static_cast<int>(mode) + (flag ? 100 : 0) +
         static_cast<int>(big >> 32);
}

int main() {
  int* d = device_ints(2);
  int i = 7;
  k<<<1,1>>>({1,2}, 0, i++, d);
  CHECK(value_at(d, 0) == 121);
  CHECK(value_at(d, 1) == 7);
  CHECK(i == 8);
  k<<<1,1>>>(P{3, 4.0f}, NULL, i++, d);
  CHECK(value_at(d, 0) == 341);
  CHECK(i == 9);
  more<<<1, 1>>>(2, 'A', Mode::fast, d, 1LL << 33, d);
  CHECK(value_at(d, 0) == 4 + 65 + 4 + 100 + 2);
}
