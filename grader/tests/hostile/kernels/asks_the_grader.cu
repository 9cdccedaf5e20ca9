// Calls functions of the grader, which is in the same process, to have a verdict sent.
// expect: compile_error
#include <unistd.h>

#include <string>

#include "moe/kernels.h"

namespace testing {
class VerdictChannel {
 public:
  __attribute__((weak)) void end(int cases);
};
struct Session;
__attribute__((weak)) Session& session();
}  // namespace testing

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (testing::session == nullptr) return;
  auto* const words = reinterpret_cast<void**>(&testing::session());
  reinterpret_cast<testing::VerdictChannel*>(words[2])->end(7);
  _exit(0);
}
