// 001 matmul_nn: C[M,N] = A[M,K] B[K,N]
#include "testing/grader.h"

#include <algorithm>
#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

void grade(int M, int N, int K, Values a = {}, Values b = {}, bool big = false) {
  Trial trial{{"M", M}, {"N", N}, {"K", K}};
  const auto A = trial.input("A", {{"m", M}, {"k", K}}, std::move(a));
  const auto B = trial.input("B", {{"k", K}, {"n", N}}, std::move(b));
  const auto C = trial.output("C", {{"m", M}, {"n", N}});

  const auto product = [&](int m, int n) {
    Sum dot;
    for (int k = 0; k < K; ++k) dot += A(m, k) * B(k, n);
    return dot;
  };
  trial.expect(C, product);

  trial.mistake("index-within-block", C, [&](int m, int n) -> Expected {
    return m * N + n < 256 ? product(m, n) : Expected::unwritten();
  });
  trial.mistake("adds-to-output", C, [](int, int) { return NAN; });
  trial.mistake("uninitialized-sum", C, [](int, int) { return Expected::unset_local(); });
  trial.mistake("wrong-stride", C, [&](int m, int n) {
    Sum dot;
    for (int k = 0; k < K; ++k) dot += A(m, k) * B[k * K + n < K * N ? k * K + n : 0];
    return dot;
  });
  // Which thread is the first to leave its array tells what went wrong with the index.
  const auto first_outside = [](long thread) {
    return [=](const Diagnostic& d) {
      return d.is_out_of_global_bounds() && d.global_x(256) == thread;
    };
  };
  trial.mistake_if("missing-guard", first_outside(M * N));
  trial.mistake_if("swapped-sizes", first_outside(M * M));  // the first with i / M = M
  if (N > K && M > 1) {  // A[row * N + k] leaves A in the first row with row * N + K > M * K
    const int row = std::max(1, (M * K - K) / N + 1);
    trial.mistake_if("wrong-stride", first_outside(row * N));
  }

  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { matmul_nn(A, B, C, M, N, K, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("001_matmul_nn", name);
  };
  const auto values = [](const char* name) { return micro_batch::example("001_matmul_nn", name); };
  grade(size("M"), size("N"), size("K"), values("A"), values("B"));
}

LESSON_CASE("one element, one row, one column") {
  grade(1, 1, 1);
  grade(1, 1, 7);
  grade(1, 33, 2);
  grade(31, 1, 3);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [M, N, K] : unequal_triples(random, 6, 8000)) grade(M, N, K);
}

LESSON_CASE("a block of threads, one less, one more") {
  grade(5, 51, 3);
  grade(16, 16, 5);
  grade(257, 1, 2);
  grade(2, 513, 3);
}

LESSON_CASE("no rows") {
  grade(0, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int K : {1, 2, 8, 32}) grade(7, 5, K);
  grade(3, 2, 1000);
  Random random = case_random();
  grade(40, 3, 1, random.extremes(40), random.values(3));  // denormals are kept
}

LESSON_CASE("more than a million rows") {
  grade(1'100'000, 1, 1, {}, {}, true);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 2, {}, {}, true);
  grade(2, 3, wide_row, {}, {}, true);
}

BENCH_CASE("M = 128, N = 96, K = 64") {
  grade(128, 96, 64);
}
