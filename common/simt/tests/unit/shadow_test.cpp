// The shadow memory by itself: this program plays the compiler, calling the hooks for the accesses
// of kernels that it launches by hand.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <simt/inspect.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

extern "C" {
void __tsan_func_entry(void*);
void __tsan_func_exit();
void __tsan_read1(void*);
void __tsan_read4(void*);
void __tsan_read16(void*);
void __tsan_write1(void*);
void __tsan_write4(void*);
void __tsan_write16(void*);
void __tsan_volatile_read4(void*);
void __tsan_volatile_write4(void*);
}

namespace {

std::function<void(int)> body;
void run_body() {
  __tsan_func_entry(nullptr);
  body(static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x));
  __tsan_func_exit();
}

// Runs `threads` threads of `blocks` blocks; returns "kind" or "note kind" for each report.
std::vector<std::string> reports(int blocks, int threads, std::function<void(int)> kernel) {
  simt::take_diagnostics();
  body = std::move(kernel);
  (::simt::launch("kernel", __LINE__, run_body, [](auto&...) { run_body(); }) |
   ::simt::config(dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads))))();
  std::vector<std::string> kinds;
  for (const simt::Diagnostic& found : simt::take_diagnostics()) {
    kinds.push_back((found.severity == simt::Severity::note ? "note " : "") +
                    std::string(simt::kind_name(found.kind)));
  }
  simt::reset_device();
  return kinds;
}

using Kinds = std::vector<std::string>;

void write4(void* p, int value) {
  __tsan_write4(p);
  *static_cast<int*>(p) = value;
}

int* device_words(std::size_t n, bool written) {
  int* words = nullptr;
  cudaMalloc(&words, n * sizeof(int));
  if (written) cudaMemset(words, 0, n * sizeof(int));
  return words;
}

}  // namespace

TEST_CASE("a word that one thread alone touches is silent") {
  int* words = device_words(64, false);
  CHECK(reports(1, 64, [=](int t) {
          write4(words + t, t);
          __tsan_read4(words + t);
          write4(words + t, t + 1);
        }) == Kinds{});
}

TEST_CASE("readers do not race, whoever they are") {
  int* words = device_words(1, true);
  CHECK(reports(4, 64, [=](int) { __tsan_read4(words); }) == Kinds{});
}

TEST_CASE("a third thread's store races with readers that came before") {
  int* words = device_words(1, true);
  CHECK(reports(1, 96, [=](int t) {
          if (t != 95) __tsan_read4(words);
          if (t == 95) write4(words, 1);
        }) == Kinds{"race"});
}

TEST_CASE("a barrier orders, for one block alone") {
  int* words = device_words(64, true);
  CHECK(reports(1, 64, [=](int t) {
          write4(words + t, 1);
          __syncthreads();
          __tsan_read4(words + (t + 1) % 64);
        }) == Kinds{});
  words = device_words(64, true);
  CHECK(reports(2, 32, [=](int t) {
          write4(words + t, 1);
          __syncthreads();
          __tsan_read4(words + (t + 32) % 64);
        }) == Kinds{"race"});
}

TEST_CASE("a launch orders everything before it") {
  int* words = device_words(64, true);
  body = [=](int t) { write4(words + t, 1); };
  (::simt::launch("first", __LINE__, run_body, [](auto&...) { run_body(); }) |
   ::simt::config(1, 64))();
  CHECK(reports(1, 64, [=](int t) { __tsan_read4(words + 63 - t); }) == Kinds{});
}

TEST_CASE("bytes of one word are told apart") {
  int* words = device_words(16, true);
  CHECK(reports(1, 64, [=](int t) {
          char* bytes = reinterpret_cast<char*>(words);
          __tsan_write1(bytes + t);
          __tsan_read1(bytes + t);
        }) == Kinds{});
  words = device_words(16, true);
  CHECK(reports(1, 2, [=](int) { __tsan_write1(reinterpret_cast<char*>(words) + 1); }) ==
        Kinds{"note race"});
}

TEST_CASE("stores of equal values are a note, of others an error") {
  int* words = device_words(1, true);
  CHECK(reports(1, 64, [=](int) { write4(words, 7); }) == Kinds{"note race"});
  words = device_words(1, true);
  CHECK(reports(1, 64, [=](int t) { write4(words, t / 63); }) == Kinds{"race"});
}

TEST_CASE("sixteen bytes at once") {
  int* words = device_words(64, false);
  CHECK(reports(1, 16, [=](int t) { __tsan_write16(words + 4 * t); }) == Kinds{});
  words = device_words(64, false);
  CHECK(reports(1, 16, [=](int t) { __tsan_read16(words + 4 * t); }) ==
        Kinds{"note uninitialized_read"});
  words = device_words(64, true);
  CHECK(reports(1, 1, [=](int) { __tsan_read16(words + 1); }) == Kinds{"misaligned"});
  words = device_words(62, true);
  CHECK(reports(1, 1, [=](int) { __tsan_read16(words + 60); }) == Kinds{"out_of_bounds"});
}

TEST_CASE("an access outside ends its thread before the memory is touched") {
  int* words = device_words(4, true);
  int reached = 0;
  CHECK(reports(1, 8, [&reached, words](int t) {
          __tsan_write4(words + t);
          ++reached;
        }) == Kinds{"out_of_bounds"});
  CHECK(reached == 4);
  CHECK(cudaGetLastError() == cudaSuccess);  // reports() has reset the device
}

TEST_CASE("volatile accesses of global memory from two blocks are no race") {
  int* words = device_words(1, true);
  CHECK(reports(2, 1, [=](int t) {
          if (t == 0) __tsan_volatile_write4(words);
          if (t == 1) __tsan_volatile_read4(words);
        }) == Kinds{});
  words = device_words(1, true);
  CHECK(reports(2, 1, [=](int t) {
          if (t == 0) __tsan_volatile_write4(words);
          if (t == 1) __tsan_read4(words);
        }) == Kinds{"race"});
}

TEST_CASE("warp operations order the lanes that take part") {
  int* words = device_words(32, true);
  CHECK(reports(1, 32, [=](int t) {
          write4(words + t, 1);
          __syncwarp();
          __tsan_read4(words + (t ^ 16));
        }) == Kinds{});
  words = device_words(32, true);
  CHECK(reports(1, 32, [=](int t) {
          write4(words + t, 1);
          __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
          __tsan_read4(words + (t ^ 16));
        }) == Kinds{"race"});
  words = device_words(32, true);
  CHECK(reports(1, 32, [=](int t) {
          write4(words + t, 1);
          __shfl_sync(0xffffffffu, t, 0);
          __tsan_read4(words + (t ^ 16));
        }) == Kinds{"note race"});
  // By way of a third lane: 0 meets 1, then 1 meets 2.
  words = device_words(32, true);
  CHECK(reports(1, 3, [=](int t) {
          if (t == 0) write4(words, 1);
          if (t <= 1) __syncwarp(0b011);
          if (t >= 1) __syncwarp(0b110);
          if (t == 2) __tsan_read4(words);
        }) == Kinds{});
}

TEST_CASE("every schedule gives the same reports") {
  for (int order = 0; order < 3; ++order) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      simt::set_schedule({static_cast<simt::Order>(order), seed, 0x7fc0dead, 1});
      int* words = device_words(64, true);
      CHECK(reports(2, 32, [=](int t) {
              __tsan_read4(words + t);
              write4(words + t / 2, t);
            }) == Kinds{"race", "race"});
    }
  }
  simt::set_schedule({});
}
