// What the runtime API promises host code.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <simt/inspect.h>

#include <cstring>
#include <string>

TEST_CASE("errors have CUDA's codes, names and texts") {
  CHECK(cudaErrorInvalidConfiguration == 9);
  CHECK(cudaErrorIllegalAddress == 700);
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidConfiguration)) ==
        "cudaErrorInvalidConfiguration");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) ==
        "invalid configuration argument");
  CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
        "an illegal memory access was encountered");
}

TEST_CASE("an error is given once") {
  CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("properties and attributes agree") {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(std::strlen(properties.name) > 0);
  CHECK(properties.warpSize == 32);
  int value = 0;
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  CHECK(value == properties.multiProcessorCount);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
          cudaSuccess);
  CHECK(static_cast<std::size_t>(value) == properties.sharedMemPerBlockOptin);
}

TEST_CASE("rows are copied with their pitches") {
  float matrix[4][5];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 5; ++c) matrix[r][c] = static_cast<float>(10 * r + c);
  }
  float* device = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&device, &pitch, 3 * sizeof(float), 4) == cudaSuccess);
  CHECK(pitch % 512 == 0);
  REQUIRE(cudaMemcpy2D(device, pitch, &matrix[0][1], 5 * sizeof(float), 3 * sizeof(float), 4,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  float back[4][3];
  REQUIRE(cudaMemcpy2D(back, 3 * sizeof(float), device, pitch, 3 * sizeof(float), 4,
                       cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[3][2] == 33);
  CHECK(cudaMemcpy2D(back, 4, device, pitch, 3 * sizeof(float), 4, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidPitchValue);
  cudaGetLastError();
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("a host function runs in its stream's turn") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  int calls = 0;
  CHECK(cudaLaunchHostFunc(
            stream, [](void* data) { ++*static_cast<int*>(data); }, &calls) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(calls == 1);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a lesson's function is told apart from its harness") {
  int* a = nullptr;
  REQUIRE(cudaMalloc(&a, 4) == cudaSuccess);
  cudaDeviceSynchronize();
  CHECK(simt::take_diagnostics().empty());
  {
    const simt::LessonScope scope(nullptr);
    cudaDeviceSynchronize();
  }
  const auto found = simt::take_diagnostics();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == simt::DiagnosticKind::forbidden_call);
  CHECK(found[0].where.line > 0);
  CHECK(cudaFree(a) == cudaSuccess);
}
