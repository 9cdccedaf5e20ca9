// One thread does it all, from the inputs to the end: slow, and right.
#include "moe/kernels.h"

namespace {

__device__ float activate(float z, Activation act) {
  if (act == Activation::relu) return z > 0.0f ? z : 0.0f;
  return 0.5f * z * (1.0f + tanhf(0.79788456f * (z + 0.044715f * z * z * z)));
}

__global__ void layer_kernel(MoeConfig c, MoeParams w, const float* X, MoeWorkspace ws,
                             float* out) {
  const int pairs = c.T * c.K;
  for (int e = 0; e < c.E; ++e) ws.counts[e] = 0;
  for (int e = 0; e < c.E; ++e) ws.mean_probs[e] = 0.0f;
  for (int t = 0; t < c.T; ++t) {
    float* logits = ws.logits + t * c.E;
    float* probs = ws.probs + t * c.E;
    float most = -INFINITY, sum = 0.0f, chosen = 0.0f;
    for (int e = 0; e < c.E; ++e) {
      logits[e] = 0.0f;
      for (int d = 0; d < c.D; ++d) logits[e] += X[t * c.D + d] * w.Wg[d * c.E + e];
      most = fmaxf(most, logits[e]);
    }
    for (int e = 0; e < c.E; ++e) sum += probs[e] = expf(logits[e] - most);
    for (int e = 0; e < c.E; ++e) {
      probs[e] /= sum;
      ws.mean_probs[e] += probs[e] / c.T;
    }
    for (int j = 0; j < c.K; ++j) {
      int best = -1;
      for (int e = 0; e < c.E; ++e) {
        bool taken = false;
        for (int i = 0; i < j; ++i) taken = taken || ws.experts[t * c.K + i] == e;
        if (!taken && (best < 0 || probs[e] > probs[best])) best = e;
      }
      ws.experts[t * c.K + j] = best;
      chosen += probs[best];
      ++ws.counts[best];
    }
    for (int j = 0; j < c.K; ++j) ws.gates[t * c.K + j] = probs[ws.experts[t * c.K + j]] / chosen;
    for (int d = 0; d < c.D; ++d) out[t * c.D + d] = 0.0f;
  }
  ws.offsets[0] = 0;
  float loss = 0.0f;
  int s = 0;
  for (int e = 0; e < c.E; ++e) {
    ws.offsets[e + 1] = ws.offsets[e] + ws.counts[e];
    ws.fractions[e] = pairs > 0 ? static_cast<float>(ws.counts[e]) / pairs : 0.0f;
    loss += ws.fractions[e] * ws.mean_probs[e];
    for (int p = 0; p < pairs; ++p) {
      if (ws.experts[p] != e) continue;
      const int t = p / c.K;
      ws.slot_of_pair[p] = s;
      ws.pair_of_slot[s] = p;
      for (int d = 0; d < c.D; ++d) ws.Xs[s * c.D + d] = X[t * c.D + d];
      for (int h = 0; h < c.H; ++h) {
        float z = w.b1[e * c.H + h];
        for (int d = 0; d < c.D; ++d) z += X[t * c.D + d] * w.W1[(e * c.D + d) * c.H + h];
        ws.Z[s * c.H + h] = z;
        ws.A[s * c.H + h] = activate(z, c.activation);
      }
      for (int d = 0; d < c.D; ++d) {
        float y = w.b2[e * c.D + d];
        for (int h = 0; h < c.H; ++h) y += ws.A[s * c.H + h] * w.W2[(e * c.H + h) * c.D + d];
        ws.Ys[s * c.D + d] = y;
        out[t * c.D + d] += ws.gates[p] * y;
      }
      ++s;
    }
  }
  ws.losses[1] = c.aux_alpha * c.E * loss;
}

}  // namespace

void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream) {
  layer_kernel<<<1, 1, 0, stream>>>(config, params, X, ws, out);
}
