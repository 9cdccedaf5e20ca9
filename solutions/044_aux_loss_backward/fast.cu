// 044 aux_loss_backward, fast: one store of 16 bytes a thread.
//
// Nothing but stores: the fractions, at most a few kilobytes, stay in the L1 cache. The clear
// kernel stores 4 bytes at a time.
#include "../fast/fours.h"
#include "moe/kernels.h"

namespace {

struct Gradient {
  const float* fractions;
  float* dprobs;
  unsigned E;
  float scale;

  __device__ void one(int i) const { dprobs[i] = scale * fractions[i % E]; }
  __device__ void four(int i) const {
    // The group may cross the end of a row: then it goes on with expert 0.
    const unsigned e = i % E, e1 = next(e), e2 = next(e1), e3 = next(e2);
    fast::store4(dprobs + i, make_float4(scale * fractions[e], scale * fractions[e1],
                                         scale * fractions[e2], scale * fractions[e3]));
  }

 private:
  __device__ unsigned next(unsigned e) const { return e + 1 == E ? 0 : e + 1; }
};

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;
  const float scale = alpha * static_cast<float>(E) / static_cast<float>(T);
  const Gradient body{fractions, dprobs, static_cast<unsigned>(E), scale};
  fast::in_fours(body, T * E, fast::aligned(dprobs), stream);
}
