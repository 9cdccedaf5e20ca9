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

TEST_CASE("a lesson's function brings nothing to the host, and asks after nothing") {
  int* a = nullptr;
  int* b = nullptr;
  int host[2] = {1, 2};
  REQUIRE(cudaMalloc(&a, 8) == cudaSuccess);
  REQUIRE(cudaMalloc(&b, 8) == cudaSuccess);
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  // What is forbidden only inside a lesson's function; false: never.
  const auto check = [&](bool forbidden, const char* part, auto call) {
    simt::take_diagnostics();
    CHECK(call() == cudaSuccess);
    CHECK(simt::take_diagnostics().empty());
    {
      const simt::LessonScope scope(stream);
      CHECK(call() == cudaSuccess);
    }
    const auto found = simt::take_diagnostics();
    REQUIRE(found.size() == (forbidden ? 1 : 0));
    if (!forbidden) return;
    CHECK(found[0].kind == simt::DiagnosticKind::forbidden_call);
    CHECK(found[0].where.line > 0);
    CHECK(found[0].message.find(part) != std::string::npos);
    CHECK(found[0].message.find("the order of its launches") != std::string::npos);
  };
  const char* const copies = "copies from the device to the host";
  check(false, "", [&] { return cudaMemcpyAsync(a, host, 8, cudaMemcpyHostToDevice, stream); });
  check(false, "", [&] { return cudaMemcpyAsync(a, host, 8, cudaMemcpyDefault, stream); });
  check(false, "", [&] { return cudaMemcpyAsync(b, a, 8, cudaMemcpyDeviceToDevice, stream); });
  check(false, "", [&] { return cudaMemcpyAsync(b, a, 8, cudaMemcpyDefault, stream); });
  check(true, copies, [&] { return cudaMemcpyAsync(host, a, 8, cudaMemcpyDeviceToHost, stream); });
  check(true, copies, [&] { return cudaMemcpyAsync(host, a, 8, cudaMemcpyDefault, stream); });
  for (const cudaMemcpyKind kind : {cudaMemcpyDeviceToHost, cudaMemcpyDefault}) {
    check(true, copies, [&] { return cudaMemcpy2DAsync(host, 4, a, 4, 4, 2, kind, stream); });
  }
  check(true, "cudaStreamQuery", [&] { return cudaStreamQuery(stream); });
  check(true, "cudaEventQuery", [&] { return cudaEventQuery(event); });
  float milliseconds = 0;
  check(true, "cudaEventElapsedTime",
        [&] { return cudaEventElapsedTime(&milliseconds, event, event); });
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(b) == cudaSuccess);
  CHECK(cudaFree(a) == cudaSuccess);
}

TEST_CASE("a lesson's function resets no device") {
  int* a = nullptr;
  REQUIRE(cudaMalloc(&a, 4) == cudaSuccess);
  simt::take_diagnostics();
  {
    const simt::LessonScope scope(nullptr);
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
  const auto found = simt::take_diagnostics();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == simt::DiagnosticKind::forbidden_call);
  CHECK(found[0].where.line > 0);
  CHECK(cudaMemset(a, 0, 4) == cudaSuccess);
  CHECK(cudaFree(a) == cudaSuccess);
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
