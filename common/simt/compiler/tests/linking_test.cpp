// Fifty-two objects that define the same helpers with different bodies, loaded together.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <simt/inspect.h>

#include <memory>

#include "object_file.h"
#include "scratch.h"

using namespace simt::compiler;
using simt::compiler::test::has_program;
using simt::compiler::test::Scratch;

namespace {

constexpr int objects = 52;

std::string function_name(int i) {
  return "probe_" + std::to_string(i);
}

// Helpers at namespace scope, templates, variables: all with the same names in every file, none in
// an anonymous namespace.
std::string source(int i) {
  const std::string n = std::to_string(i);
  return R"(#include <cuda_runtime.h>
__device__ float scale[2] = {)" +
         n + R"(.0f, 1.0f};
__constant__ int offset = )" +
         n + R"(;
inline int instances = )" +
         n + R"(;
template <class T> struct Counter { static inline int value = )" +
         n + R"(; };
template <int N> __device__ int tile(int x) {
  __shared__ int memory[N * 4];
  memory[threadIdx.x] = x + )" +
         n + R"(;
  __syncthreads();
  int result = memory[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return result;
}
__device__ int warp_sum(int x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(0xffffffffu, x, step);
  return x * )" +
         n + R"(;
}
__global__ void kernel(int* out) {
  int sum = warp_sum(1);
  int value = tile<16>((int)threadIdx.x);
  if (threadIdx.x == 0) *out = sum + value + (int)scale[0] + offset;
}
int host_helper() { static int calls = )" +
         n + R"(; return calls + instances + Counter<int>::value; }
void )" + function_name(i) +
         R"((int* out, int* host, cudaStream_t stream) {
  kernel<<<1, 32, 0, stream>>>(out);
  *host = host_helper();
}
)";
}

int expected(int i) {
  return 32 * i + (31 + i) + i + i;
}

std::string mangled(int i) {
  const std::string name = function_name(i);
  return "_Z" + std::to_string(name.size()) + name + "PiS_P11CUstream_st";
}

void check_exports(const std::string& path, int i) {
  for (const Symbol& symbol : read_symbols(path)) {
    if (symbol.defined) CHECK(symbol.name == mangled(i));
  }
}

}  // namespace

TEST_CASE("equal helper names in fifty-two objects stay apart") {
  const Scratch scratch;
  for (int first = 0; first < objects; first += 2) {
    std::vector<std::unique_ptr<Process>> running;
    for (int i = first; i < first + 2; ++i) {
      const std::string name = function_name(i);
      scratch.write(name + ".cu", source(i));
      running.push_back(std::make_unique<Process>(
          std::vector<std::string>{SIMT_CC, "--gate", "off", "--function", name, "-o", name + ".so",
                                   name + ".cu"},
          scratch.folder()));
    }
    for (auto& process : running) {
      const ProcessResult result = process->finish();
      CAPTURE(result.errors);
      REQUIRE(result.status == 0);
    }
  }
  using Function = void (*)(int*, int*, cudaStream_t);
  std::vector<Function> functions;
  for (int i = 0; i < objects; ++i) {
    const std::string path = scratch.path(function_name(i) + ".so");
    check_exports(path, i);
    void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    INFO(std::string(object == nullptr ? dlerror() : ""));
    REQUIRE(object != nullptr);
    functions.push_back(reinterpret_cast<Function>(dlsym(object, mangled(i).c_str())));
    REQUIRE((functions.back() != nullptr));
  }
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, sizeof(int)) == cudaSuccess);
  for (int i = 0; i < objects; ++i) {
    int host = 0;
    functions[static_cast<std::size_t>(i)](out, &host, nullptr);
    int value = -1;
    REQUIRE(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(value == expected(i));
    CHECK(host == 3 * i);
  }
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("a report inside another lesson's function names the call that led there") {
  const Scratch scratch;
  scratch.write("inner.cu",
                "#include <cuda_runtime.h>\n"
                "__global__ void fill(float* out, int n) {\n"
                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < n) out[i] = 1;\n"
                "}\n"
                "void inner(float* out, int rows, int cols, cudaStream_t stream) {\n"
                "  fill<<<(rows * cols + 31) / 32, 32, 0, stream>>>(out, rows * cols);\n"
                "}\n");
  scratch.write("outer.cu",
                "#include <cuda_runtime.h>\n"
                "void inner(float* out, int rows, int cols, cudaStream_t stream);\n"
                "void helper(float* out, int count, cudaStream_t stream);\n"
                "void outer(float* out, int n, cudaStream_t stream) {\n"
                "  helper(out, n, stream);\n"
                "}\n"
                "void helper(float* out, int count, cudaStream_t stream) {\n"
                "  inner(out, count, 3, stream);\n"
                "}\n");
  for (const std::string name : {"inner", "outer"}) {
    std::vector<std::string> arguments = {"--gate", "off",        "--function", name,
                                          "-o",     name + ".so", name + ".cu"};
    if (name == "outer") arguments.insert(arguments.end(), {"--allow", "inner.so"});
    const ProcessResult result = scratch.compile(arguments);
    CAPTURE(result.errors);
    REQUIRE(result.status == 0);
    REQUIRE((dlopen(scratch.path(name + ".so").c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr));
  }
  using Function = void (*)(float*, int, cudaStream_t);
  const auto outer = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "_Z5outerPfiP11CUstream_st"));
  REQUIRE((outer != nullptr));
  float* out = nullptr;
  REQUIRE(cudaMalloc(&out, 8 * sizeof(float)) == cudaSuccess);
  simt::take_diagnostics();
  const auto report = [&](int n) {
    outer(out, n, nullptr);
    const std::vector<simt::Diagnostic> reports = simt::take_diagnostics();
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].where.file.ends_with("inner.cu"));
    CHECK(reports[0].other.file.ends_with("outer.cu"));
    CHECK(reports[0].other.line == 8);
    return reports[0].message;
  };
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string past = report(4);
  CAPTURE(past);
  CHECK(contains(past, "Called at outer.cu:8 as inner(rows=4, cols=3)"));
  CHECK(contains(past, "inner(out, count, 3, stream);"));
  simt::reset_device();
  REQUIRE(cudaMalloc(&out, 8 * sizeof(float)) == cudaSuccess);
  const std::string refused = report(0);
  CAPTURE(refused);
  CHECK(contains(refused, "kernel fill: grid.x is 0, at least 1 is needed"));
  CHECK(contains(refused, "Called at outer.cu:8 as inner(rows=0, cols=3)"));
  cudaGetLastError();
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("what is linked in is called, whatever else is loaded, and stays inside") {
  const Scratch scratch;
  const auto inner = [](const char* value) {
    return std::string(
               "#include <cuda_runtime.h>\n"
               "namespace { __global__ void fill(int* out) { *out = ") +
           value +
           "; } }\n"
           "void linked_inner(int* out, cudaStream_t stream) { fill<<<1, 1, 0, stream>>>(out); }\n";
  };
  scratch.write("one.cu", inner("1"));
  scratch.write("two.cu", inner("2"));
  scratch.write("outer.cu",
                "#include <cuda_runtime.h>\n"
                "void linked_inner(int* out, cudaStream_t stream);\n"
                "namespace { __global__ void fill(int* out) { *out += 10; } }\n"
                "void linked_outer(int* out, cudaStream_t stream) {\n"
                "  linked_inner(out, stream);\n"
                "  fill<<<1, 1, 0, stream>>>(out);\n"
                "}\n");
  const auto compile = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.end(), {"--gate", "off", "-o", name + ".so", name + ".cu"});
    const ProcessResult result = scratch.compile(more);
    CAPTURE(result.errors);
    REQUIRE(result.status == 0);
    REQUIRE((dlopen(scratch.path(name + ".so").c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr));
  };
  compile("one", {"--function", "linked_inner"});
  compile("two", {"--function", "linked_inner", "--relocatable", "two.o"});
  compile("outer", {"--function", "linked_outer", "--link", "two.o"});
  for (const Symbol& symbol : read_symbols(scratch.path("outer.so"))) {
    if (symbol.defined) CHECK(symbol.name == "_Z12linked_outerPiP11CUstream_st");
  }
  using Function = void (*)(int*, cudaStream_t);
  const auto outer =
      reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "_Z12linked_outerPiP11CUstream_st"));
  REQUIRE((outer != nullptr));
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, sizeof(int)) == cudaSuccess);
  outer(out, nullptr);
  int value = 0;
  REQUIRE(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 12);
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("objects made by nvcc export their function alone") {
  if (!has_program("nvcc")) {
    MESSAGE("no nvcc here: not tried");
    return;
  }
  const Scratch scratch;
  const std::string name = function_name(7);
  scratch.write("k.cu", source(7));
  const ProcessResult result = scratch.compile(
      {"--backend", "cuda", "--arch", "sm_90", "--function", name, "-o", "k.so", "k.cu"});
  CAPTURE(result.errors);
  REQUIRE(result.status == 0);
  check_exports(scratch.path("k.so"), 7);
}
