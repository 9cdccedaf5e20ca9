// 020 router_backward: gates -> probs (+ dprobs_aux) -> logits, then dWg += X^T dlogits and
// dX = dlogits Wg^T
#include "testing/grader.h"

#include <array>
#include <cmath>
#include <optional>

using namespace testing;

namespace {

using Values = std::vector<float>;

// A batch of the router: softmax rows, their top K, and gradients. Empty `aux` is the null pointer.
struct Batch {
  int T, D, E, K;
  Values probs, aux, dgates, X, Wg, dWg;
  std::vector<int> experts;
};

void choose(Batch& batch) {
  batch.experts = oracle::topk_rows(batch.probs, batch.T, batch.E, batch.K).indices;
}

Values softmax(const Values& logits, int T, int E) {
  const oracle::Bounded probs = oracle::router_probs(logits, T, E);
  return Values(probs.value.begin(), probs.value.end());
}

std::size_t size(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

Batch random_batch(int T, int D, int E, int K, bool with_aux = true) {
  Random random = case_random();
  Batch batch{T, D, E, K, {}, {}, {}, {}, {}, {}, {}};
  batch.probs = softmax(random.normals(size(T, E)), T, E);
  if (with_aux) batch.aux = random.values(size(T, E));
  choose(batch);
  return batch;
}

Batch micro(bool with_aux) {
  Batch batch{3, 2, 4, 2, micro_batch::floats("probs"), {}, {}, {}, {}, Values(8, 0.0f), {}};
  if (with_aux) batch.aux = micro_batch::floats("dprobs");
  batch.dgates = micro_batch::floats("dgates");
  batch.X = micro_batch::floats("X");
  batch.Wg = micro_batch::floats("Wg");
  batch.experts = micro_batch::ints("experts");
  return batch;
}

// What the steps of one row leave when one of them goes wrong.
struct Slip {
  bool aux = true;         // the auxiliary term is added
  bool gates = true;       // (dg - dot) / sum, else dg itself
  bool divided = true;     // by the sum of the chosen
  bool by_expert = true;   // the task's part stands at the expert, else at the choice's number
  bool added = true;       // to the auxiliary term, else it replaces it
  bool all_in_dot = true;  // the softmax's dot product runs over all experts, else the chosen
  bool softmax = true;     // the last step is taken
};

std::vector<double> row_gradients(const Batch& batch, const Values& dgates, Slip slip) {
  const auto [T, D, E, K] = std::array{batch.T, batch.D, batch.E, batch.K};
  std::vector<double> d(size(T, E), 0.0);
  for (int t = 0; t < T; ++t) {
    const auto row = [=](int e) { return size(t, E) + static_cast<std::size_t>(e); };
    const auto pair = [=](int j) { return size(t, K) + static_cast<std::size_t>(j); };
    if (slip.aux && !batch.aux.empty())
      for (int e = 0; e < E; ++e) d[row(e)] = batch.aux[row(e)];
    double sum = 0, gates_dot = 0, dot = 0;
    for (int j = 0; j < K; ++j) {
      const double prob = batch.probs[row(batch.experts[pair(j)])];
      sum += prob;
      gates_dot += prob * dgates[pair(j)];
    }
    gates_dot /= sum;
    for (int j = 0; j < K; ++j) {
      const double dgate = dgates[pair(j)];
      const double sent = !slip.gates    ? dgate
                          : slip.divided ? (dgate - gates_dot) / sum
                                         : dgate - gates_dot;
      double& place = d[row(slip.by_expert ? batch.experts[pair(j)] : j)];
      place = slip.added ? place + sent : sent;
    }
    if (!slip.softmax) continue;
    for (int e = 0; e < E; ++e)
      if (slip.all_in_dot) dot += batch.probs[row(e)] * d[row(e)];
    for (int j = 0; j < K && !slip.all_in_dot; ++j) {
      const std::size_t i = row(batch.experts[pair(j)]);
      dot += batch.probs[i] * d[i];
    }
    for (int e = 0; e < E; ++e) d[row(e)] = batch.probs[row(e)] * (d[row(e)] - dot);
  }
  return d;
}

void grade(const Batch& batch, int calls = 1, bool once = false) {
  const auto [T, D, E, K] = std::array{batch.T, batch.D, batch.E, batch.K};
  Trial trial{{"T", T}, {"D", D}, {"E", E}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, batch.X);
  const auto Wg = trial.input("Wg", {{"d", D}, {"e", E}}, batch.Wg);
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, batch.probs);
  const auto experts = trial.input("experts", {{"t", T}, {"j", K}}, batch.experts);
  const auto dgates = trial.input("dgates", {{"t", T}, {"j", K}}, batch.dgates);
  std::optional<Array<float>> aux;
  if (!batch.aux.empty()) aux = trial.input("dprobs_aux", {{"t", T}, {"e", E}}, batch.aux);
  const auto dlogits = trial.output("dlogits", {{"t", T}, {"e", E}});
  const auto dWg = trial.accumulated("dWg", {{"d", D}, {"e", E}}, batch.dWg);
  const auto dX = trial.output("dX", {{"t", T}, {"d", D}});

  const auto backward = [&](const oracle::Input& before) {
    return oracle::router_backward(X.values(), Wg.values(), batch.probs, batch.experts,
                                   dgates.values(), batch.aux, before, T, D, E, K);
  };
  oracle::RouterBackward right = backward(dWg.values());
  if (T > 0)
    for (int call = 1; call < calls; ++call) right.dWg = backward(right.dWg).dWg;
  trial.expect(dlogits, right.dlogits);
  trial.expect(dWg, right.dWg);
  trial.expect(dX, right.dX);

  const auto slip = [&](const char* slug, Slip how) {
    const std::vector<double> wrong = row_gradients(batch, dgates.values(), how);
    trial.mistake(slug, dlogits, [=](int t, int e) -> Expected {
      const std::size_t i = size(t, E) + static_cast<std::size_t>(e);
      return {wrong[i], right.dlogits.bound[i] + 1e-5 * std::fabs(wrong[i])};
    });
  };
  slip("gates-skipped", {.gates = false});
  slip("aux-replaced", {.added = false});
  slip("aux-forgotten", {.aux = false});
  slip("not-divided", {.divided = false});
  slip("choice-for-expert", {.by_expert = false});
  slip("dot-over-the-chosen", {.all_in_dot = false});
  slip("softmax-skipped", {.softmax = false});
  trial.mistake(
      "overwrites", dWg,
      oracle::matmul_tn(X.values(), right.dlogits, std::vector<double>(size(D, E)), D, E, T));
  trial.mistake_if("missing-barrier", [](const Diagnostic& d) {
    return d.is("race") && d.array == "dlogits" && d.reach == Diagnostic::Reach::warp;
  });
  trial.mistake_if("products-first", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.kernel.starts_with("matmul_");
  });

  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) {
    for (int call = 0; call < calls; ++call)
      router_backward(X, Wg, probs, experts, dgates, aux ? static_cast<float*>(*aux) : nullptr,
                      dlogits, dWg, dX, T, D, E, K, stream);
  });
}

// Only some blocks of the row kernel run here, so dWg and dX may not hang on what the others left
// out: X and Wg are 0, and so are their gradients. (dWg begins at -0, and is +0 once something was
// added.) Each token's row of dlogits is its own.
void grade_many(int T) {
  const int D = 1, E = 3, K = 2;
  const Batch batch = random_batch(T, D, E, K, false);
  Trial trial{{"T", T}, {"D", D}, {"E", E}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, Values(size(T, D), 0.0f));
  const auto Wg = trial.input("Wg", {{"d", D}, {"e", E}}, Values(size(D, E), 0.0f));
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, batch.probs);
  const auto experts = trial.input("experts", {{"t", T}, {"j", K}}, batch.experts);
  const auto dgates = trial.input("dgates", {{"t", T}, {"j", K}});
  const auto dlogits = trial.in_place("dlogits", {{"t", T}, {"e", E}}, Values(size(T, E), 1.0f));
  const auto dWg = trial.accumulated("dWg", {{"d", D}, {"e", E}}, Values(size(D, E), -0.0f));
  const auto dX = trial.output("dX", {{"t", T}, {"d", D}});
  trial.expect(dlogits, oracle::router_backward(X.values(), Wg.values(), batch.probs, batch.experts,
                                                dgates.values(), {}, dWg.values(), T, D, E, K)
                            .dlogits);
  trial.expect(dWg, [](int, int) { return 0; });
  trial.expect(dX, [](int, int) { return 0; });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) {
    router_backward(X, Wg, probs, experts, dgates, nullptr, dlogits, dWg, dX, T, D, E, K, stream);
  });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 of 4 experts") {
  grade(micro(true));
}

LESSON_CASE("the task alone: dprobs_aux is null") {
  grade(micro(false));
  grade(random_batch(5, 3, 9, 4, false));
}

LESSON_CASE("one choice: the task sends nothing") {
  grade(random_batch(7, 2, 5, 1));
  grade(random_batch(7, 2, 5, 1, false));
}

LESSON_CASE("one token, one expert, all experts chosen") {
  grade(random_batch(1, 1, 1, 1));
  grade(random_batch(1, 4, 3, 2));
  grade(random_batch(6, 2, 3, 3));
}

LESSON_CASE("a warp of experts, one less, one more; 16 choices") {
  grade(random_batch(3, 2, 31, 2));
  grade(random_batch(2, 5, 32, 16));
  grade(random_batch(9, 4, 33, 3));
  grade(random_batch(5, 3, 70, 16));
}

LESSON_CASE("1,024 experts") {
  grade(random_batch(2, 3, 1024, 8));
}

LESSON_CASE("two calls: dWg adds up, dlogits and dX do not") {
  grade(random_batch(5, 4, 7, 2), 2);
}

LESSON_CASE("no tokens: dWg stays as it is") {
  grade(random_batch(0, 3, 5, 2));
}

LESSON_CASE("probabilities of exactly 0 and 1") {
  Batch batch = random_batch(2, 3, 6, 2);
  batch.probs = {0, 0, 1, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f};
  choose(batch);
  grade(batch);
}

LESSON_CASE("full binary32 accuracy") {
  Batch batch = random_batch(4, 3, 8, 3, false);
  batch.dWg = case_random().uniforms(24, -0.01f, 0.01f);  // an error is not lost in them
  grade(batch);
}

LESSON_CASE("more than 65,535 tokens") {
  grade_many(66'000);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(random_batch(2, wide_row, 3, 2), 1, true);
}

BENCH_CASE("T = 96, D = 64, E = 32, K = 2") {
  grade(random_batch(96, 64, 32, 2));
}
