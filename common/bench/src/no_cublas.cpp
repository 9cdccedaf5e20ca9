#include <stdexcept>

#include "bench/cublas.h"

namespace bench {

bool has_cublas() {
  return false;
}

void cublas_product(cudaStream_t, Layout, int, int, int, const float*, const float*, bool, float*,
                    Precision) {
  throw std::runtime_error("this build has no cuBLAS");
}

}  // namespace bench
