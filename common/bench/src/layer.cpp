#include "bench/layer.h"

namespace bench {
namespace {

Array<float> param(Benchmark& bench, Kept kept, std::size_t count) {
  // Small, so that a step of training changes little.
  if (kept == Kept::read) return bench.input(count, -0.05f, 0.05f);
  if (kept == Kept::changed) return bench.accumulated(count, -0.05f, 0.05f);
  return bench.scratch(count);
}

std::size_t pairs(const MoeConfig& c) {
  return count(c.T, c.K);
}

double experts_elements(const MoeConfig& c) {
  return static_cast<double>(2 * count(c.E, c.D, c.H) + count(c.E, c.H) + count(c.E, c.D));
}

}  // namespace

MoeConfig layer_config(Benchmark& bench) {
  const int T = bench.size("T", {512, 4'096, 16'384}, 29);
  const int D = bench.size("D", {64, 1'024, 1'024}, 13);
  const int H = bench.size("H", {256, 4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 8, 64}, 5);
  const int K = bench.size("K", {2, 2, 4}, 2);
  return {T, D, H, E, K, Activation::gelu, 0.01f};
}

ParamArrays param_arrays(Benchmark& bench, const MoeConfig& c, Kept kept) {
  return {param(bench, kept, count(c.D, c.E)), param(bench, kept, count(c.E, c.D, c.H)),
          param(bench, kept, count(c.E, c.H)), param(bench, kept, count(c.E, c.H, c.D)),
          param(bench, kept, count(c.E, c.D))};
}

WorkspaceArrays workspace_arrays(Benchmark& bench, const MoeConfig& c) {
  const std::size_t P = pairs(c);
  const std::size_t TE = count(c.T, c.E);
  const std::size_t PD = P * count(c.D);
  const std::size_t PH = P * count(c.H);
  return {.logits = bench.scratch(TE),
          .probs = bench.scratch(TE),
          .experts = bench.integer_scratch(P),
          .gates = bench.scratch(P),
          .counts = bench.integer_scratch(count(c.E)),
          .offsets = bench.integer_scratch(count(c.E + 1)),
          .slot_of_pair = bench.integer_scratch(P),
          .pair_of_slot = bench.integer_scratch(P),
          .Xs = bench.scratch(PD),
          .Z = bench.scratch(PH),
          .A = bench.scratch(PH),
          .Ys = bench.scratch(PD),
          .fractions = bench.scratch(count(c.E)),
          .mean_probs = bench.scratch(count(c.E)),
          .dgates = bench.scratch(P),
          .dprobs = bench.scratch(TE),
          .dlogits = bench.scratch(TE),
          .dYs = bench.scratch(PD),
          .dA = bench.scratch(PH),
          .dZ = bench.scratch(PH),
          .dXs = bench.scratch(PD),
          .dX_router = bench.scratch(count(c.T, c.D)),
          .losses = bench.scratch(2)};
}

WorkspaceArrays::operator MoeWorkspace() const {
  return {logits,  probs, experts, gates, counts,    offsets,    slot_of_pair, pair_of_slot,
          Xs,      Z,     A,       Ys,    fractions, mean_probs, dgates,       dprobs,
          dlogits, dYs,   dA,      dZ,    dXs,       dX_router,  losses};
}

double forward_flops(const MoeConfig& c) {
  return 4.0 * static_cast<double>(pairs(c)) * c.D * c.H + 2.0 * c.T * c.D * c.E;
}

double backward_flops(const MoeConfig& c) {
  return 2 * forward_flops(c);
}

double forward_read(const MoeConfig& c) {
  return 4 * (experts_elements(c) + static_cast<double>(count(c.D, c.E) + count(c.T, c.D)));
}

double forward_written(const MoeConfig& c) {
  return 4.0 * static_cast<double>(pairs(c) * (2 * count(c.D) + 2 * count(c.H)) +
                                   2 * count(c.T, c.E) + count(c.T, c.D));
}

}  // namespace bench
