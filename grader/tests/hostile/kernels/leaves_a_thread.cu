// Leaves a thread behind that never ends.
// expect: failed, crashed, timed_out
#include <thread>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  std::thread([] {
    volatile int spin = 1;
    while (spin != 0) {
    }
  }).detach();
}
