// 003 matmul_tn: C[M,N] += A[K,M]^T B[K,N]
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

struct Options {
  int calls = 1;
  int most_runs = 0;
};

void grade(int M, int N, int K, Options options = {}, Values a = {}, Values b = {},
           Values before = {}) {
  Trial trial{{"M", M}, {"N", N}, {"K", K}};
  const auto A = trial.input("A", {{"k", K}, {"m", M}}, std::move(a));
  const auto B = trial.input("B", {{"k", K}, {"n", N}}, std::move(b));
  const auto C = trial.accumulated("C", {{"m", M}, {"n", N}}, std::move(before));

  const auto product = [&](Sum sum, int m, int n) {
    for (int k = 0; k < K; ++k) sum += A(k, m) * B(k, n);
    return sum;
  };
  trial.expect(C, [&](int m, int n) {
    Sum sum(C(m, n));
    for (int call = 0; call < options.calls; ++call) sum = product(sum, m, n);
    return sum;
  });

  trial.mistake("overwrites", C, [&](int m, int n) { return product(Sum(), m, n); });
  trial.mistake("untransposed-index", C, [&](int m, int n) {
    Sum sum(C(m, n));
    for (int k = 0; k < K; ++k) sum += A[m * K + k] * B(k, n);
    return sum;
  });
  if (options.calls == 1) {
    trial.mistake("counts-c-twice", C, [&](int m, int n) {
      Sum sum(C(m, n));
      sum += C(m, n);
      return product(sum, m, n);
    });
  }
  trial.mistake("uninitialized-sum", C, [](int, int) { return Expected::unset_local(); });
  trial.mistake_if("thread-per-token", [](const Diagnostic& d) { return d.is_race_with_itself(); });
  trial.mistake_if("uninitialized-sum",
                   [](const Diagnostic& d) { return d.is("uninitialized_read"); });

  if (options.most_runs > 0) trial.limit_runs(options.most_runs);
  trial.call([&](cudaStream_t stream) {
    for (int call = 0; call < options.calls; ++call) matmul_tn(A, B, C, M, N, K, stream);
  });
}

}  // namespace

LESSON_CASE("the lesson's example: a weight gradient of 3 tokens") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("003_matmul_tn", name);
  };
  const auto values = [](const char* name) { return micro_batch::example("003_matmul_tn", name); };
  grade(size("M"), size("N"), size("K"), {}, values("A"), values("B"), values("C_before"));
}

LESSON_CASE("one element, one row, one column, one token") {
  grade(1, 1, 1);
  grade(1, 33, 2);
  grade(31, 1, 3);
  grade(5, 7, 1);
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

LESSON_CASE("no tokens: C stays as it is") {
  grade(5, 3, 0);
}

LESSON_CASE("two calls add twice") {
  grade(6, 11, 4, {.calls = 2});
}

LESSON_CASE("full binary32 accuracy") {
  for (const int K : {1, 2, 8, 32}) {
    // Small old values: an error of the product is not lost in them.
    grade(7, 5, K, {}, {}, {}, case_random().uniforms(35, -0.01f, 0.01f));
  }
  Random random = case_random();
  grade(40, 3, 1, {}, random.extremes(40), random.values(3), Values(120, 0.0f));  // denormals
}

LESSON_CASE("many tokens: every one counts, and their number is prime") {
  Random random = case_random();
  for (const int K : {1'009, 2'503})
    grade(2, 3, K, {.most_runs = 1}, random.uniforms(static_cast<std::size_t>(2 * K), 1, 2),
          tall_terms(random, K, 3));
}

LESSON_CASE("more than 65,535 tokens") {
  // Only the last of them count: what 66,000 roundings may add up to would hide a few tokens.
  Random random = case_random();
  Values b(66'000, 0.0f);
  for (std::size_t k = 65'500; k < b.size(); ++k) b[k] = random.uniform(1, 2);
  grade(2, 1, 66'000, {.most_runs = 1}, random.uniforms(132'000, 1, 2), b);
}

LESSON_CASE("more than 65,535 rows of C") {
  grade(70'000, 1, 1, {.most_runs = 1});
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 3, {.most_runs = 1});
  grade(wide_row, 2, 3, {.most_runs = 1});
}

BENCH_CASE("M = 96, N = 64, K = 128") {
  grade(96, 64, 128);
}
