// mistake: default-stream
// why: The launch goes on the default stream, which does not wait for the given one.
// rejected-for: wrong_stream
// rejected-on: both
#include <cooperative_groups.h>

#include "moe/kernels.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kLanes = 32;

__global__ void aux_loss_kernel(const float* fractions, const float* means, float* loss, int E,
                                float alpha) {
  // The block's threads in tiles of 32: here one tile, the warp.
  const auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());

  // Each lane's own experts first. Lanes that have none keep 0.
  float sum = 0.0f;
  for (int e = warp.thread_rank(); e < E; e += warp.size()) sum += fractions[e] * means[e];

  // 018's butterfly, by the tile's names: no mask, and all lanes take part.
  for (int distance = warp.size() / 2; distance > 0; distance /= 2) {
    sum += warp.shfl_xor(sum, distance);
  }

  // All lanes hold the sum; one of them writes.
  if (warp.thread_rank() == 0) *loss = alpha * static_cast<float>(E) * sum;
}

}  // namespace

void aux_loss(const float* fractions, const float* means, float* loss, int E, float alpha,
              cudaStream_t stream) {
  aux_loss_kernel<<<1, kLanes>>>(fractions, means, loss, E, alpha);
}
