// 043 aux_loss: *loss = alpha E sum over e of f_e P_e, by one warp.
//
// fractions and means [E] are float arrays, loss is one float, all in device memory. E is 1 to
// 1,024.
#include <cooperative_groups.h>

#include "moe/kernels.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kLanes = 32;

__global__ void aux_loss_kernel(const float* fractions, const float* means, float* loss, int E,
                                float alpha) {
  // TODO(1): `warp`, the block's threads in tiles of kLanes: here one tile.
  // END TODO(1)

  // TODO(2): add up this lane's products. Start at the thread's rank in the tile, step by the
  // tile's size.
  // END TODO(2)

  // TODO(3): 018's butterfly, by the tile's own shuffle: afterwards all lanes hold the whole sum.
  // END TODO(3)

  // TODO(4): one lane writes the loss, with both of its factors.
  // END TODO(4)
}

}  // namespace

void aux_loss(const float* fractions, const float* means, float* loss, int E, float alpha,
              cudaStream_t stream) {
  aux_loss_kernel<<<1, kLanes, 0, stream>>>(fractions, means, loss, E, alpha);
}
