// Default arguments, deduced and partly given template arguments, overloads.
#include "construct.h"

template <class T>
__global__ void defaulted(T* d, T a, T n = 3) {
  d[0] = a * 10 + n;
}
__global__ void plain(int* d, int n = 5) {
  d[0] = n;
}
template <int Block, class T>
__global__ void partly(T* d, T x) {
  d[0] = Block * 100 + x;
}
template <class T, int Block = 8>
__global__ void with_default(T* d) {
  d[0] = Block;
}
__global__ void overloaded(int* d) {
  d[0] = 1;
}
__global__ void overloaded(int* d, int x) {
  d[0] = x;
}
__global__ void overloaded(int* d, float x) {
  d[0] = static_cast<int>(x * 2);
}
template <class T, class... Rest>
__global__ void variadic(T* d, Rest... rest) {
  d[0] = (0 + ... + rest);
}
void same_name(int* d, int x, cudaStream_t stream);
__global__ void same_name(int* d, int x) {
  d[0] = x;
}
void same_name(int* d, int x, cudaStream_t stream) { same_name<<<1, 1, 0, stream>>>(d, x); }

int main() {
  int* d = device_ints(1);
  defaulted<int><<<1,1>>>(d,1);
  CHECK(value_at(d, 0) == 13);
  defaulted<<<1,1>>>(d,1,2);
  CHECK(value_at(d, 0) == 12);
  plain<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 5);
  plain<<<1,1>>>(d, 6);
  CHECK(value_at(d, 0) == 6);
  partly<4><<<1,1>>>(d, 7);
  CHECK(value_at(d, 0) == 407);
  partly<4, int><<<1,1>>>(d, 'A');
  CHECK(value_at(d, 0) == 465);
  with_default<int><<<1,1>>>(d);
  CHECK(value_at(d, 0) == 8);
  with_default<int, 9><<<1,1>>>(d);
  CHECK(value_at(d, 0) == 9);
  overloaded<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 1);
  overloaded<<<1,1>>>(d, 2);
  CHECK(value_at(d, 0) == 2);
  overloaded<<<1,1>>>(d, 2.0f);
  CHECK(value_at(d, 0) == 4);
  variadic<<<1,1>>>(d, 1, 2, 3);
  CHECK(value_at(d, 0) == 6);
  same_name(d, 11, 0);
  CHECK(value_at(d, 0) == 11);
}
