// 015 normalize_gates: gates = values / sum of the row's values, one thread for every row.
//
// values and gates [rows,k] are row-major float arrays in device memory. rows may be 0;
// 1 <= k <= 16. Values may have any sign; each row's sum is positive.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  // TODO(1): the row of this thread: a whole row of k values is its own. Return if there is none.
  // END TODO(1)

  // TODO(2): add up the row's values, then write each of them divided by the sum.
  // END TODO(2)
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;

  // TODO(3): a launch of blocks of 256 threads. How many threads does a row get, so how many
  // blocks?
  normalize_gates_kernel<<<1, 1, 0, stream>>>(values, gates, rows, k);
  // END TODO(3)
}
