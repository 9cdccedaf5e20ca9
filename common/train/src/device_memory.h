// Arrays in device memory that live as long as their owner.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "parallel/cuda_check.h"

namespace train {

using parallel::check;

class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { clear(); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  template <class T>
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(count, 1) * sizeof(T)), "allocating memory");
    allocations_.push_back(memory);
    return static_cast<T*>(memory);
  }

  template <class T>
  T* upload(const std::vector<T>& values) {
    T* const array = allocate<T>(values.size());
    check(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
          "copying to the device");
    // A copy from ordinary memory may return before it has arrived; other streams don't wait for
    // it.
    check(cudaStreamSynchronize(nullptr), "copying to the device");
    return array;
  }

  void clear() {
    for (void* memory : allocations_) cudaFree(memory);
    allocations_.clear();
  }

 private:
  std::vector<void*> allocations_;
};

template <class T>
std::vector<T> download(const T* array, std::size_t count) {
  std::vector<T> values(count);
  check(cudaMemcpy(values.data(), array, count * sizeof(T), cudaMemcpyDeviceToHost),
        "copying to the host");
  return values;
}

}  // namespace train
