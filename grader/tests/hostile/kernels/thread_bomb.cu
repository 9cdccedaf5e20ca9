// Starts threads without end.
// expect: crashed
#include <chrono>
#include <thread>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (;;) {
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(24)); }).detach();
  }
}
