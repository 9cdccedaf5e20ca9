// Forges a verdict before the grader has begun, then ends.
// expect: crashed, failed
#include <unistd.h>

#include "moe/kernels.h"

namespace {

// A whole verdict on every descriptor there may be.
void forge() {
  const char verdict[] =
      "\n{\"nonce\":\"\",\"type\":\"start\",\"lesson\":\"001_matmul_nn\",\"seed\":1,\"backend\":"
      "\"cpu\","
      "\"cases\":[\"all\"]}\n"
      "{\"nonce\":\"\",\"type\":\"case\",\"name\":\"all\",\"status\":\"passed\",\"message\":\"\","
      "\"seconds\":0}\n"
      "{\"nonce\":\"\",\"type\":\"end\",\"cases\":1}\n";
  for (int fd = 3; fd < 1024; ++fd) {
    const ssize_t written = write(fd, verdict, sizeof verdict - 1);
    (void)written;
  }
}

}  // namespace

namespace {

struct Early {
  Early() {
    forge();
    _exit(0);
  }
} early;

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}
