// Host code that waits for a lock that it holds itself.
// expect: timed_out
#include <semaphore.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  sem_t lock;
  sem_init(&lock, 0, 1);
  sem_wait(&lock);
  sem_wait(&lock);
}
