// The harness on a GPU. Races, barriers and reads of nothing are not seen here; bounds are checked
// by the guard bands alone.
#include <array>

#include "backend.h"
#include "wrapped_calls.h"

namespace testing::backend {

const char* name() {
  return "cuda";
}

std::string unusable() {
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess) error = devices > 0 ? cudaFree(nullptr) : cudaErrorNoDevice;
  if (error == cudaSuccess) return {};
  return std::string("the CUDA runtime does not start: ") + cudaGetErrorString(error) + " (" +
         cudaGetErrorName(error) + ")";
}

int default_runs() {
  return 2;
}

bool sees_unwritten_reads() {
  return false;
}

Schedule schedule(int run, std::uint64_t seed) {
  // The NaN is a signalling one: arithmetic on it gives another, so it marks what nothing wrote.
  static constexpr std::array<std::uint32_t, 4> poisons{0x7fa0dead, 0x7f61b1e6, 0xff61b1e6,
                                                        0x7f7f7f7f};
  Schedule result;
  result.poison = poisons[static_cast<std::size_t>(run) % poisons.size()];
  result.seed = seed;
  result.description = "with another fill in unwritten memory";
  return result;
}

void apply(const Schedule&) {}

void set_launch_time_limit(double) {}

void guard(void*, std::uint32_t*, const detail::ArrayState&) {}

void unguard(void*, std::size_t) {}

void poison(std::uint32_t* data, std::size_t words, std::uint32_t word) {
  const std::vector<std::uint32_t> fill(words, word);
  cudaMemcpy(data, fill.data(), words * sizeof(std::uint32_t), cudaMemcpyHostToDevice);
}

bool sample_blocks(std::size_t, std::uint64_t, double) {
  return false;
}

int launches() {
  return 0;
}

bool launch_was_cut() {
  return false;
}

struct LessonScope::State {};

LessonScope::LessonScope(cudaStream_t stream) {
  wrapped::begin_lesson(stream);
}
LessonScope::~LessonScope() {
  wrapped::end_lesson();
}

void begin_counting(const std::string&) {}
CallCounts end_counting() {
  return {};
}

std::vector<Diagnostic> take_diagnostics() {
  return wrapped::take();
}

bool reset() {
  cudaDeviceReset();
  cudaGetLastError();
  void* probe = nullptr;
  return cudaMalloc(&probe, 4) == cudaSuccess && cudaMemset(probe, 0, 4) == cudaSuccess &&
         cudaDeviceSynchronize() == cudaSuccess && cudaFree(probe) == cudaSuccess;
}

}  // namespace testing::backend
