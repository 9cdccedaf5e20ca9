// A grader for the tests of the verdict protocol: 001's function, three small cases.
#include "testing/grader.h"

using namespace testing;

namespace {

void grade(int M, int N, int K) {
  Trial trial{{"M", M}, {"N", N}, {"K", K}};
  const auto A = trial.input("A", {{"m", M}, {"k", K}});
  const auto B = trial.input("B", {{"k", K}, {"n", N}});
  const auto C = trial.output("C", {{"m", M}, {"n", N}});
  trial.expect(C, [&](int m, int n) {
    Sum dot;
    for (int k = 0; k < K; ++k) dot += A(m, k) * B(k, n);
    return dot;
  });
  trial.mistake("zeros", C, [](int, int) { return 0; });
  trial.call([&](cudaStream_t stream) { matmul_nn(A, B, C, M, N, K, stream); });
}

}  // namespace

LESSON_CASE("small") {
  grade(2, 3, 4);
}
LESSON_CASE("wide, with a comma") {
  grade(1, 40, 2);
}
LESSON_CASE("no rows") {
  grade(0, 3, 4);
  if (!learner_check<bool()>("check_matmul_nn")()) fail_case("the check is wrong", "wrong-check");
}

BENCH_CASE("M = 4, N = 5, K = 6") {
  grade(4, 5, 6);
}
