// Every size of tile of the fast products on the CPU runtime. The lessons' graders have small
// products, which get the tiny tile; the others would be seen on a GPU alone.
#include <cuda_runtime.h>
#include <simt/inspect.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "../gemm_experts.h"
#include "../gemm_plain.h"

namespace {

using fast::Lies;
using fast::TileSize;
using Floats = std::vector<float>;

int failures = 0;

std::size_t area(int a, int b, int c = 1) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

Floats random_values(std::size_t n) {
  static unsigned state = 1;
  Floats values(n);
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / (1 << 23) - 1.0f;
  }
  return values;
}

// An array on the device, `shift` floats behind an address that is a multiple of 16.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values, int shift = 0) : size_(values.size()) {
    cudaMalloc(reinterpret_cast<void**>(&all_), (size_ + 4) * sizeof(T));
    data = all_ + shift;
    cudaMemcpy(data, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(all_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  std::vector<T> values() const {
    std::vector<T> copy(size_);
    cudaMemcpy(copy.data(), data, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
  }

  T* data;

 private:
  std::size_t size_;
  T* all_;
};

// What C should hold, and the sums of magnitudes that bound its rounding.
struct Expected {
  std::vector<double> values, magnitudes;

  explicit Expected(std::size_t n) : values(n), magnitudes(n) {}
  explicit Expected(const Floats& held) : Expected(held.size()) {
    for (std::size_t i = 0; i < held.size(); ++i) add(i, held[i]);
  }
  void add(std::size_t i, double term) {
    values[i] += term;
    magnitudes[i] += std::fabs(term);
  }

  // The element (m, n) of a product that begins at `first`: strides of A by m and k, of B by k, n.
  struct Strides {
    int a_m, a_k, b_k, b_n;
  };
  void add_product(std::size_t first, const float* A, const float* B, int M, int N, int K,
                   Strides s) {
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        for (int k = 0; k < K; ++k) {
          add(first + area(m, N) + static_cast<std::size_t>(n),
              static_cast<double>(A[area(m, s.a_m) + area(k, s.a_k)]) *
                  static_cast<double>(B[area(k, s.b_k) + area(n, s.b_n)]));
        }
      }
    }
  }

  void compare(const char* what, TileSize size, const Floats& got, int terms) const {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double bound = 2.0 * (terms + 8) * std::ldexp(magnitudes[i], -24);
      if (!(std::fabs(got[i] - values[i]) <= bound)) ++wrong;
    }
    const auto reports = simt::take_diagnostics();
    if (wrong == 0 && reports.empty()) return;
    ++failures;
    std::printf("FAILED %s, tile %d: %zu of %zu elements wrong\n", what, static_cast<int>(size),
                wrong, got.size());
    for (const auto& report : reports) std::printf("  %s\n", report.message.c_str());
  }
};

Floats unwritten(std::size_t n) {
  return Floats(n, std::numeric_limits<float>::quiet_NaN());
}

void test_plain(TileSize size, int M, int N, int K, int shift) {
  const Floats A = random_values(area(M, K)), B = random_values(area(K, N));
  const Floats held = random_values(area(M, N));
  const OnDevice<float> a(A, shift), b(B, shift);
  {
    const OnDevice<float> c(unwritten(held.size()), shift);
    const fast::PlainProduct product{a.data, b.data, c.data, K, N, M, N, K};
    fast::gemm<Lies::kTurned, Lies::kStraight, false>(size, product, nullptr);
    Expected expected(held.size());
    expected.add_product(0, A.data(), B.data(), M, N, K, {K, 1, N, 1});
    expected.compare("nn", size, c.values(), K);
  }
  {
    const OnDevice<float> c(unwritten(held.size()), shift);
    const fast::PlainProduct product{a.data, b.data, c.data, K, K, M, N, K};
    fast::gemm<Lies::kTurned, Lies::kTurned, false>(size, product, nullptr);
    Expected expected(held.size());
    expected.add_product(0, A.data(), B.data(), M, N, K, {K, 1, 1, K});
    expected.compare("nt", size, c.values(), K);
  }
  {
    const OnDevice<float> c(held, shift);
    const fast::PlainProduct product{a.data, b.data, c.data, M, N, M, N, K};
    fast::gemm<Lies::kStraight, Lies::kStraight, true>(size, product, nullptr);
    Expected expected(held);
    expected.add_product(0, A.data(), B.data(), M, N, K, {1, M, N, 1});
    expected.compare("tn", size, c.values(), K + 1);
  }
}

void test_experts(TileSize size, const std::vector<int>& counts, int D, int H, int shift) {
  std::vector<int> starts{0};
  for (const int count : counts) starts.push_back(starts.back() + count);
  const int E = static_cast<int>(counts.size()), P = starts.back();
  const Floats X = random_values(area(P, D)), W = random_values(area(E, D, H));
  const Floats dY = random_values(area(P, H));
  const Floats held = random_values(area(E, D, H)), held_bias = random_values(area(E, H));

  Expected up(area(P, H)), up_turned(area(P, H)), grad(held), bias_grad(held_bias);
  for (std::size_t e = 0; e < counts.size(); ++e) {
    const float* const x = X.data() + area(starts[e], D);
    const float* const w = W.data() + e * area(D, H);
    const float* const dy = dY.data() + area(starts[e], H);
    up.add_product(area(starts[e], H), x, w, counts[e], H, D, {D, 1, H, 1});
    up_turned.add_product(area(starts[e], H), x, w, counts[e], H, D, {D, 1, 1, D});
    grad.add_product(e * area(D, H), x, dy, D, H, counts[e], {1, D, H, 1});
    const float one = 1.0f;
    bias_grad.add_product(e * area(1, H), &one, dy, 1, H, counts[e], {0, 0, H, 1});
  }

  const OnDevice<int> offsets(starts);
  const OnDevice<float> x(X, shift), w(W, shift), dy(dY, shift);
  {
    const OnDevice<float> z(unwritten(area(P, H)), shift);
    const fast::ExpertRows product{x.data, w.data, offsets.data, z.data, P, E, H, D, H};
    fast::gemm<Lies::kTurned, Lies::kStraight, false>(size, product, nullptr);
    up.compare("rows of experts", size, z.values(), D);
  }
  {
    const OnDevice<float> z(unwritten(area(P, H)), shift);
    const fast::ExpertRows product{x.data, w.data, offsets.data, z.data, P, E, H, D, D};
    fast::gemm<Lies::kTurned, Lies::kTurned, false>(size, product, nullptr);
    up_turned.compare("rows of experts, weights turned", size, z.values(), D);
  }
  {
    const OnDevice<float> dw(held, shift), db(held_bias, shift);
    const fast::ExpertWeightGrads product{x.data, dy.data, offsets.data, dw.data, db.data, E, D, H};
    fast::gemm<Lies::kStraight, Lies::kStraight, true, true>(size, product, nullptr);
    grad.compare("weight gradients", size, dw.values(), P + 1);
    bias_grad.compare("bias gradients", size, db.values(), P + 1);
  }
}

}  // namespace

int main() {
  for (const TileSize size : {TileSize::kLarge, TileSize::kSmall, TileSize::kTiny}) {
    test_plain(size, 132, 260, 37, 0);  // more than one tile each way, and a step that is short
    test_plain(size, 129, 131, 16, 0);
    test_plain(size, 64, 132, 33, 1);
    test_plain(size, 2200, 12, 5, 0);  // more rows of tiles than stand in a patch
    test_experts(size, {0, 130, 5, 0, 90, 1, 0}, 36, 132, 0);
    test_experts(size, {128, 64, 0}, 20, 36, 0);
    test_experts(size, {17, 0, 31}, 37, 35, 1);
  }
  if (failures == 0) std::printf("every tile is right\n");
  return failures == 0 ? 0 : 1;
}
