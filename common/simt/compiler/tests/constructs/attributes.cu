// The words that nvcc adds to C++, in every place where they may stand.
#include "construct.h"

static __forceinline__ __device__ int plus_one(int x) { return x + 1; }
__device__ __forceinline__ int plus_two(int x) { return x + 2; }
inline __host__ __device__ int plus_three(int x) { return x + 3; }
__noinline__ __device__ int plus_four(int x) { return x + 4; }
__device__ static inline int plus_five(int x) { return x + 5; }
template <class T>
__host__ __device__ __forceinline__ constexpr T twice(T x) {
  return x + x;
}
int __device__ after_type(int x) { return x; }
__device__ int declared_first(int x);

struct Vector {
  int x;
  __host__ __device__ Vector() : x(0) {}
  __host__ __device__ explicit Vector(int value) : x{value} {}
  __device__ int get() const { return x; }
  __host__ __device__ Vector operator+(const Vector& other) const { return Vector(x + other.x); }
  __device__ int operator()(int i) const;
  __host__ __device__ operator int() const { return x; }
  template <class T>
  __device__ T as() const {
    return static_cast<T>(x);
  }
  static __device__ int zero() { return 0; }
};
__device__ int Vector::operator()(int i) const { return x * i; }
__host__ __device__ bool operator==(const Vector& a, const Vector& b) { return a.x == b.x; }

class __align__(16) Aligned {
 public:
  __device__ auto value() const -> int { return value_; }
  int value_ = 9;
};

extern "C" __global__ void c_linkage(int* d) {
  d[1] = 1;
}
extern "C" {
__global__ void c_block(int* d) {
  d[1] = 2;
}
}

__global__ static void reversed_order(int* d) {
  d[1] = 3;
}
void __global__ type_first(int* d) {
  d[1] = 4;
}
template <int N, typename T = float>
__global__ void __launch_bounds__(N) bounded(T* d) {
  d[1] = N;
}
__global__ __launch_bounds__(64, 2) void bounded_early(int* __restrict__ d, const int* __restrict__ e) {
  d[1] = e == nullptr ? 5 : 6;
}
struct Arguments {
  int a[16];
};
__global__ void grid_constant(const __grid_constant__ Arguments arguments, int* d) {
  d[1] = arguments.a[15];
}
__global__ void declared(int* d);

__global__ void k(int* d) {
  Vector v(3), w;
  Aligned a;
  struct Local {
    __device__ int operator()(int x) const { return x * 10; }
    static __device__ int fixed() { return 1; }
  };
  auto lambda = [&] __device__ (int x) { return x + v.get(); };
  auto generic = [](auto x) { return x; };
#pragma unroll
  for (int i = 0; i < 2; ++i) d[0] += 0;
  _Pragma("unroll 4") for (int i = 0; i < 4; ++i) d[0] += 0;
  d[0] = plus_one(1) + plus_two(1) + plus_three(1) + plus_four(1) + plus_five(1) + twice(2) +
         after_type(1) + declared_first(1) + (v + w).get() + v(2) + v + v.as<int>() + Vector::zero() +
         (v == w ? 100 : 0) + a.value() + Local()(2) + Local::fixed() + lambda(1) + generic(1);
}

__device__ int declared_first(int x) { return x; }

int main() {
  int* d = device_ints(2);
  k<<<1, 1>>>(d);
  CHECK(value_at(d, 0) == 2 + 3 + 4 + 5 + 6 + 4 + 1 + 1 + 3 + 6 + 3 + 3 + 0 + 0 + 9 + 20 + 1 + 4 + 1);
  c_linkage<<<1, 1>>>(d);
  CHECK(value_at(d, 1) == 1);
  c_block<<<1, 1>>>(d);
  CHECK(value_at(d, 1) == 2);
  reversed_order<<<1, 1>>>(d);
  CHECK(value_at(d, 1) == 3);
  type_first<<<1, 1>>>(d);
  CHECK(value_at(d, 1) == 4);
  bounded<32><<<1, 32>>>(d);
  CHECK(value_at(d, 1) == 32);
  bounded_early<<<1, 64>>>(d, nullptr);
  CHECK(value_at(d, 1) == 5);
  Arguments arguments = {};
  arguments.a[15] = 6;
  grid_constant<<<1, 1>>>(arguments, d);
  CHECK(value_at(d, 1) == 6);
  declared<<<1, 1>>>(d);
  CHECK(value_at(d, 1) == 7);
  CHECK(plus_three(1) == 4 && twice(3) == 6 && Vector(2) + Vector(3) == Vector(5));
}

__global__ void declared(int* d) {
  d[1] = 7;
}
