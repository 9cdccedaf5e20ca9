// 002 matmul_nt: C[M,N] = A[M,K] B[N,K]^T
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

void grade(int M, int N, int K, Values a = {}, Values b = {}, bool big = false) {
  Trial trial{{"M", M}, {"N", N}, {"K", K}};
  const auto A = trial.input("A", {{"m", M}, {"k", K}}, std::move(a));
  const auto B = trial.input("B", {{"n", N}, {"k", K}}, std::move(b));
  const auto C = trial.output("C", {{"m", M}, {"n", N}});

  const auto product = [&](int m, int n) {
    Sum dot;
    for (int k = 0; k < K; ++k) dot += A(m, k) * B(n, k);
    return dot;
  };
  trial.expect(C, product);

  const int elements = M * N;
  trial.mistake("untransposed-index", C, [&](int m, int n) {
    Sum dot;
    for (int k = 0; k < K; ++k) dot += A(m, k) * B[k * N + n];
    return dot;
  });
  trial.mistake("floor-grid", C, [&](int m, int n) -> Expected {
    return m * N + n < elements / 256 * 256 ? product(m, n) : Expected::unwritten();
  });
  trial.mistake_if("default-stream", [](const Diagnostic& d) { return d.is("wrong_stream"); });
  const auto launch_error = [](const Diagnostic& d) { return d.is("launch_error"); };
  if (elements == 0) {
    trial.mistake_if("empty-grid", launch_error);
  } else if (elements < 256) {
    trial.mistake_if("floor-grid", launch_error);
  } else if (M <= 65'535 && N <= 1024) {  // else rows along y, or a thread a column, fail as well
    trial.mistake_if("grid-and-block-swapped", launch_error);
  }

  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { matmul_nt(A, B, C, M, N, K, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: the gradient of 3 tokens") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("002_matmul_nt", name);
  };
  const auto values = [](const char* name) { return micro_batch::example("002_matmul_nt", name); };
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

LESSON_CASE("280,000 elements") {
  grade(400, 700, 1, {}, {}, true);
}

LESSON_CASE("more than a million rows") {
  grade(1'100'000, 1, 2, {}, {}, true);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 2, {}, {}, true);
  grade(2, 3, wide_row, {}, {}, true);
}

BENCH_CASE("M = 128, N = 96, K = 64") {
  grade(128, 96, 64);
}
