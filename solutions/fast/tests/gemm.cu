// Every kernel of the fast products, at sizes that are not its own: the lessons' graders have small
// products, which get the tiny tile alone. The tensor cores' kernel runs on a GPU that has it.
#include <cuda_runtime.h>
#ifndef __CUDACC__
#include <simt/inspect.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "../gemm_experts.h"
#include "../gemm_plain.h"
#include "../gemm_tensor.h"

namespace {

using fast::Lies;
using fast::TileSize;
using Floats = std::vector<float>;

int failures = 0;

enum class Way { kTensorCores, kLarge, kSmall, kTiny };
const char* const way_names[] = {"tensor cores", "large tile", "small tile", "tiny tile"};

template <Lies kA, Lies kB, bool kAccumulate, bool kColumnSums = false, class Tasks>
void multiply(Way way, const Tasks& tasks) {
  if (way == Way::kTensorCores) {
    if (fast::tensor_gemm<kA, kB, kAccumulate, kColumnSums>(tasks, nullptr)) return;
    ++failures;
    std::printf("FAILED: the tensor cores' kernel does not start\n");
  }
  const TileSize size = way == Way::kLarge   ? TileSize::kLarge
                        : way == Way::kSmall ? TileSize::kSmall
                                             : TileSize::kTiny;
  fast::gemm<kA, kB, kAccumulate, kColumnSums>(size, tasks, nullptr);
}

// What went wrong on the device, a line each.
std::vector<std::string> reports() {
  std::vector<std::string> lines;
#ifndef __CUDACC__
  for (const auto& report : simt::take_diagnostics()) lines.push_back(report.message);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) lines.emplace_back(cudaGetErrorString(error));
  return lines;
}

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

  void compare(const char* what, Way way, const Floats& got, int terms) const {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      // As graders': docs/error-bounds.md.
      const double bound = 2.0 * (terms + 8) * std::ldexp(magnitudes[i], -24) + terms * 0x1p-149 +
                           std::min(2.0 * terms * 0x1p-126, magnitudes[i]);
      if (!(std::fabs(got[i] - values[i]) <= bound)) ++wrong;
    }
    const auto lines = reports();
    if (wrong == 0 && lines.empty()) return;
    ++failures;
    std::printf("FAILED %s, %s: %zu of %zu elements wrong\n", what,
                way_names[static_cast<int>(way)], wrong, got.size());
    for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
  }
};

Floats unwritten(std::size_t n) {
  return Floats(n, std::numeric_limits<float>::quiet_NaN());
}

// With numbers from the ends of the range, of which small ones meet large ones.
Floats extremes(Floats values, float first, float last) {
  for (std::size_t i = 0; i < 64; ++i) values[i] *= first, values[values.size() - 1 - i] *= last;
  return values;
}

// shift_b: of B; that of A and C is another where packs of B alone can be moved.
void test_plain(Way way, int M, int N, int K, int shift, int shift_b, bool extreme = false) {
  Floats A = random_values(area(M, K)), B = random_values(area(K, N));
  if (extreme) A = extremes(A, 0x1p-130f, 0x1p80f), B = extremes(B, 0x1p40f, 0x1p-125f);
  const Floats held = random_values(area(M, N));
  const OnDevice<float> a(A, shift), b(B, shift_b);
  {
    const OnDevice<float> c(unwritten(held.size()), shift);
    const fast::PlainProduct product{a.data, b.data, c.data, K, N, M, N, K};
    multiply<Lies::kTurned, Lies::kStraight, false>(way, product);
    Expected expected(held.size());
    expected.add_product(0, A.data(), B.data(), M, N, K, {K, 1, N, 1});
    expected.compare("nn", way, c.values(), K);
  }
  {
    const OnDevice<float> c(unwritten(held.size()), shift);
    const fast::PlainProduct product{a.data, b.data, c.data, K, K, M, N, K};
    multiply<Lies::kTurned, Lies::kTurned, false>(way, product);
    Expected expected(held.size());
    expected.add_product(0, A.data(), B.data(), M, N, K, {K, 1, 1, K});
    expected.compare("nt", way, c.values(), K);
  }
  {
    const OnDevice<float> c(held, shift);
    const fast::PlainProduct product{a.data, b.data, c.data, M, N, M, N, K};
    multiply<Lies::kStraight, Lies::kStraight, true>(way, product);
    Expected expected(held);
    expected.add_product(0, A.data(), B.data(), M, N, K, {1, M, N, 1});
    expected.compare("tn", way, c.values(), K + 1);
  }
}

void test_experts(Way way, const std::vector<int>& counts, int D, int H, int shift) {
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
    multiply<Lies::kTurned, Lies::kStraight, false>(way, product);
    up.compare("rows of experts", way, z.values(), D);
  }
  {
    const OnDevice<float> z(unwritten(area(P, H)), shift);
    const fast::ExpertRows product{x.data, w.data, offsets.data, z.data, P, E, H, D, D};
    multiply<Lies::kTurned, Lies::kTurned, false>(way, product);
    up_turned.compare("rows of experts, weights turned", way, z.values(), D);
  }
  {
    const OnDevice<float> dw(held, shift), db(held_bias, shift);
    const fast::ExpertWeightGrads product{x.data, dy.data, offsets.data, dw.data, db.data, E, D, H};
    multiply<Lies::kStraight, Lies::kStraight, true, true>(way, product);
    grad.compare("weight gradients", way, dw.values(), P + 1);
    bias_grad.compare("bias gradients", way, db.values(), P + 1);
  }
}

}  // namespace

int main() {
  bool tensor_cores = false;  // whether this GPU and this program have their kernel
  {
    const OnDevice<float> zeros(Floats(16));
    tensor_cores = fast::tensor_gemm<Lies::kTurned, Lies::kStraight, false>(
        fast::PlainProduct{zeros.data, zeros.data + 4, zeros.data + 8, 1, 1, 1, 1, 1}, nullptr);
    if (!reports().empty()) ++failures;
  }
  for (const Way way : {Way::kTensorCores, Way::kLarge, Way::kSmall, Way::kTiny}) {
    if (way == Way::kTensorCores && !tensor_cores) continue;
    test_plain(way, 132, 260, 37, 0, 0);  // more than one tile each way, and a step that is short
    test_plain(way, 129, 131, 16, 0, 0);
    test_plain(way, 132, 136, 40, 0, 0, true);
    test_plain(way, 132, 260, 36, 0, 0);  // whole packs, and half a tile of steps at the end
    test_plain(way, 132, 132, 28, 1, 0);
    test_plain(way, 64, 132, 33, 1, 1);
    test_plain(way, 2200, 12, 5, 0, 0);  // more rows of tiles than stand in a patch
    test_plain(way, 20, 24, 300, 0, 0);  // several part sums of the tensor cores
    test_experts(way, {0, 130, 5, 0, 90, 1, 0}, 36, 132, 0);
    test_experts(way, {128, 64, 0}, 20, 36, 0);
    test_experts(way, {17, 0, 31}, 37, 35, 1);
  }
  if (failures == 0) {
    std::printf("every tile is right%s\n",
                !tensor_cores ? "; there are no tensor cores of the kind here" : "");
  }
  return failures == 0 ? 0 : 1;
}
