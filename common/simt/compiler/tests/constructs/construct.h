// What the construct programs share. Each is a whole program that nvcc accepts too; it ends with 0
// when every CHECK held.
#pragma once

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      printf("%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

// `count` ints of device memory, zeroed.
inline int* device_ints(int count) {
  int* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, sizeof(int) * static_cast<size_t>(count)) == cudaSuccess);
  CHECK(cudaMemset(pointer, 0, sizeof(int) * static_cast<size_t>(count)) == cudaSuccess);
  return pointer;
}

inline int value_at(const int* device, int index) {
  int value = -1;
  CHECK(cudaMemcpy(&value, device + index, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}

inline float float_at(const float* device, int index) {
  float value = -1;
  CHECK(cudaMemcpy(&value, device + index, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}
