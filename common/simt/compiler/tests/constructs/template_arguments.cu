// ">>" before "<<<" closes template arguments; a lone ">>>" belongs to templates.
#include "construct.h"

#include <vector>

using std::vector;

template <class T, int N>
struct Box {
  static constexpr int size = N * T::size;
};
struct Unit {
  static constexpr int size = 5;
};

template <class B>
__global__ void k(int* p) {
  p[0] = B::size;
}

namespace ns {
template <int N>
__global__ void k(int* p) {
  p[1] = N + static_cast<int>(gridDim.x) * 1000 + static_cast<int>(blockDim.x) * 100;
}
}  // namespace ns

int main() {
  int* p = device_ints(2);
  constexpr int A = 3;
  int w = 1;
  dim3 g(1);
  k<Box<Box<Unit,2>,2>><<<g,dim3((31+1)/1,1)>>>(p); vector<vector<vector<int>>> v;
  CHECK(value_at(p, 0) == 20);
  ns::k<(A>2)?64:32><<<w>4?2:1, w<<3>>>(p);
  CHECK(value_at(p, 1) == 64 + 1000 + 800);
  ::ns::k<A><<<1,1>>>(p);
  CHECK(value_at(p, 1) == 3 + 1000 + 100);
  ns::k < A + (1 >> 0) > <<<1,1>>>(p);
  CHECK(value_at(p, 1) == 4 + 1000 + 100);
  CHECK(v.empty());
}
