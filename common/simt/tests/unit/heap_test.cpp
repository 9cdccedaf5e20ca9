// Allocation, release, names and restrictions, as a harness uses them.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <simt/inspect.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

TEST_CASE("allocations are aligned, far apart and filled with the schedule's poison") {
  simt::reset_device();
  simt::set_schedule({simt::Order::forward, 0, 0x12345678, 1});
  char* a = nullptr;
  char* b = nullptr;
  REQUIRE(cudaMalloc(&a, 1001) == cudaSuccess);
  REQUIRE(cudaMalloc(&b, 8) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(a) % 256 == 0);
  CHECK(b - a >= 1 << 20);
  std::uint32_t word = 0;
  REQUIRE(cudaMemcpy(&word, a + 500, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(word == 0x12345678);
  CHECK(simt::live_allocations() == 2);
  simt::reset_device();
  CHECK(simt::live_allocations() == 0);
  simt::set_schedule({});
}

TEST_CASE("freed memory is not handed out again soon") {
  std::uintptr_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    char* a = nullptr;
    REQUIRE(cudaMalloc(&a, 64) == cudaSuccess);
    CHECK(reinterpret_cast<std::uintptr_t>(a) != last);
    last = reinterpret_cast<std::uintptr_t>(a);
    REQUIRE(cudaFree(a) == cudaSuccess);
  }
}

TEST_CASE("a restriction can be lifted, moved and emptied") {
  float* a = nullptr;
  REQUIRE(cudaMalloc(&a, 100 * sizeof(float)) == cudaSuccess);
  const std::vector<float> image(100, 1.0f);
  for (std::size_t length : {30u, 0u, 100u, 1u}) {
    simt::restrict_allocation(a, 100 * sizeof(float));
    CHECK(cudaMemcpy(a, image.data(), 100 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    const std::size_t start = length == 100 ? 0 : 33;
    simt::restrict_allocation(a + start, length * sizeof(float));
    simt::name_allocation(a + start, "x");
    {
      const simt::LessonScope scope(nullptr);
      cudaMemsetAsync(a + start, 0, length * sizeof(float), nullptr);
      CHECK(simt::take_diagnostics().empty());
      if (length == 30) {
        cudaMemsetAsync(a + start, 0, (length + 1) * sizeof(float), nullptr);
        const std::vector<simt::Diagnostic> found = simt::take_diagnostics();
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == simt::DiagnosticKind::out_of_bounds);
        CHECK(found[0].message.find("x[30]") != std::string::npos);
      }
    }
  }
  CHECK(cudaFree(a) == cudaSuccess);
}

TEST_CASE("the model's memory can be used up") {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(free_bytes == total);
  void* a = nullptr;
  CHECK(cudaMalloc(&a, total + 1) == cudaErrorMemoryAllocation);
  CHECK(a == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}
