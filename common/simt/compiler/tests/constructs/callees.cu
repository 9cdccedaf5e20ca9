// Any postfix expression may name the kernel.
#include "construct.h"

namespace ns {
namespace inner {
__global__ void k(int* d) {
  d[0] = 1;
}
}  // namespace inner
}  // namespace ns
__global__ void two(int* d) {
  d[0] = 2;
}
__global__ void three(int* d) {
  d[0] = 3;
}

typedef void (*Kernel)(int*);
struct Table {
  Kernel entry;
  Kernel get() const { return entry; }
};
static Kernel choose(int i) { return i == 0 ? two : three; }

int main() {
  int* d = device_ints(1);
  Kernel fp = two;
  Kernel* pointer = &fp;
  Kernel tab[2] = {two, three};
  Table t{three};
  Table* q = &t;
  int w = 5;
  ns::inner::k<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 1);
  (*fp)<<<1,1>>>(d); CHECK(value_at(d, 0) == 2);
  tab[w&1]<<<1,1>>>(d); CHECK(value_at(d, 0) == 3);
  fp<<<1,1>>>(d); CHECK(value_at(d, 0) == 2);
  (**pointer)<<<1, 1>>>(d); CHECK(value_at(d, 0) == 2);
  t.entry<<<1,1>>>(d); CHECK(value_at(d, 0) == 3);
  q->entry<<<1,1>>>(d); CHECK(value_at(d, 0) == 3);
  choose(0)<<<1,1>>>(d); CHECK(value_at(d, 0) == 2);
  q->get()<<<1,1>>>(d); CHECK(value_at(d, 0) == 3);
  (w > 3 ? two : three)<<<1,1>>>(d); CHECK(value_at(d, 0) == 2);
  if (w == 5) (three)<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 3);
  auto run = [&](Kernel kernel) { kernel<<<1,1>>>(d); return 0; };
  run(two);
  CHECK(value_at(d, 0) == 2);
}
