// simt-cc as its users see it: exit status, messages, objects.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>

#include "object_file.h"
#include "scratch.h"
#include "source_text.h"

using namespace simt::compiler;
using simt::compiler::test::has_program;
using simt::compiler::test::Scratch;

namespace {

constexpr const char* parameters =
    "(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream)";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string kernel_with(const std::string& body) {
  return "#include \"moe/kernels.h\"\n\n__global__ void kernel(float* C, int n) {\n" + body +
         "\n}\n\nvoid matmul_nn" + parameters + " {\n  kernel<<<1, 32, 0, stream>>>(C, M);\n}\n";
}

ProcessResult compile_lesson(const std::string& text, std::vector<std::string> more = {}) {
  const Scratch scratch;
  scratch.write("kernel.cu", text);
  std::vector<std::string> arguments = {"--lesson", "001_matmul_nn", "-o", "kernel.so"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.push_back("kernel.cu");
  ProcessResult result = scratch.compile(arguments);
  CAPTURE(result.errors);
  CHECK(std::filesystem::exists(scratch.path("kernel.so")) == (result.status == 0));
  return result;
}

// The message's place, text, quoted line and caret.
void check_message(const ProcessResult& result, int status, const std::string& place,
                   const std::string& text, const std::string& quoted) {
  CAPTURE(result.errors);
  CHECK(result.status == status);
  const std::size_t at = result.errors.find(place);
  REQUIRE(at != std::string::npos);
  const std::string line = result.errors.substr(at, result.errors.find('\n', at) - at);
  CHECK(contains(line, text));
  if (!quoted.empty()) CHECK(contains(result.errors, "| " + quoted));
  CHECK_FALSE(contains(result.errors, "simt"));
  CHECK_FALSE(contains(result.errors, "\033"));
}

}  // namespace

TEST_CASE("a correct kernel compiles silently and exports its function alone") {
  const Scratch scratch;
  scratch.write("kernel.cu", kernel_with("  if (threadIdx.x == 0) C[0] = n;"));
  const ProcessResult result =
      scratch.compile({"--lesson", "001_matmul_nn", "-o", "kernel.so", "kernel.cu"});
  CHECK(result.status == 0);
  CHECK(result.errors == "");
  std::vector<std::string> exported;
  for (const Symbol& symbol : read_symbols(scratch.path("kernel.so"))) {
    if (symbol.defined) exported.push_back(symbol.demangled);
  }
  CHECK(exported == std::vector<std::string>{"matmul_nn(float const*, float const*, float*, int, "
                                             "int, int, CUstream_st*)"});
}

TEST_CASE("for a profile run: accesses and blocks are traced, messages are the same") {
  const Scratch scratch;
  scratch.write("kernel.cu", kernel_with("  if (threadIdx.x == 0) C[0] = n;"));
  const ProcessResult result =
      scratch.compile({"--profile", "--lesson", "001_matmul_nn", "-o", "kernel.so", "kernel.cu"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(result.errors.empty());
  const std::vector<Symbol> symbols = read_symbols(scratch.path("kernel.so"));
  const auto wants = [&](const char* name) {
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return symbol.name == name; });
  };
  CHECK(wants("__sanitizer_cov_trace_pc"));
  CHECK(wants("__tsan_write4"));
  check_message(compile_lesson(kernel_with("  C[0] = m;"), {"--profile"}), 3, "kernel.cu:4:", "m",
                "  C[0] = m;");
  CHECK(compile_lesson(kernel_with(""), {"--profile", "--unchecked"}).status == 2);
}

TEST_CASE("the compiler's errors are on the learner's lines, quoted") {
  check_message(compile_lesson(kernel_with("  C[0] = m;")), 3,
                "kernel.cu:4:10: error: ", "'m' was not declared in this scope", "  C[0] = m;");
  check_message(compile_lesson(kernel_with("  int x = threadIdx.x + y;")), 3,
                "kernel.cu:4:25: ", "'y' was not declared", "  int x = threadIdx.x + y;");
  check_message(compile_lesson(kernel_with("  __shared__ float s[4]; s[0] = undeclared;")), 3,
                "kernel.cu:4:33: ", "'undeclared' was not declared", "");
  check_message(compile_lesson(kernel_with("  C[0] = 1")), 3, "kernel.cu:4:11: ", "expected ';'",
                "");
  check_message(compile_lesson(kernel_with("  C[0] = __fast_sqrt(2.0f);")), 3,
                "kernel.cu:4:10: ", "'__fast_sqrt' was not declared", "");
}

TEST_CASE("errors in a local header name that header") {
  const Scratch scratch;
  scratch.write("helpers/more.h", "#pragma once\n\n__device__ inline int f() { return zz; }\n");
  scratch.write("kernel.cu", "#include \"helpers/more.h\"\n" + kernel_with("  C[0] = f();"));
  const ProcessResult result =
      scratch.compile({"--lesson", "001_matmul_nn", "-o", "kernel.so", "kernel.cu"});
  check_message(result, 3, "helpers/more.h:3:", "'zz' was not declared",
                "__device__ inline int f() { return zz; }");
}

TEST_CASE("an error inside a template says who asked for it") {
  const std::string text = std::string(
                               "#include \"moe/kernels.h\"\ntemplate <class T>\n__global__ void "
                               "k(T* p) {\n  p->missing = 1;\n}\nvoid matmul_nn") +
                           parameters + " {\n  k<float><<<1, 32>>>(C);\n}\n";
  const ProcessResult result = compile_lesson(text, {"--gate", "off"});
  check_message(result, 3, "kernel.cu:4:6: error: ", "missing", "  p->missing = 1;");
  CHECK(contains(result.errors, "kernel.cu:7:"));
}

TEST_CASE("a launch with wrong arguments is told in the kernel's terms") {
  const std::string text =
      std::string("#include \"moe/kernels.h\"\n__global__ void k(float* C, int n) {}\n") +
      "void matmul_nn" + parameters + " {\n  k<<<1, 32>>>(A, M);\n}\n";
  const ProcessResult result = compile_lesson(text);
  CAPTURE(result.errors);
  CHECK(result.status == 3);
  CHECK(contains(result.errors, "kernel.cu:4:"));
  CHECK(contains(result.errors, "  k<<<1, 32>>>(A, M);"));
  CHECK_FALSE(contains(result.errors, "simt"));
}

TEST_CASE("a wrong number of arguments in a launch") {
  const std::string text =
      std::string("#include \"moe/kernels.h\"\n__global__ void k(float* C, int n) {}\n") +
      "void matmul_nn" + parameters + " {\n  k<<<1, 32>>>(C, M, N);\n}\n";
  const ProcessResult result = compile_lesson(text, {"--gate", "off"});
  CAPTURE(result.errors);
  CHECK(result.status == 3);
  CHECK(contains(result.errors,
                 "kernel.cu:4:15: error: the kernel takes (float*, int), but is launched with"));
  CHECK_FALSE(contains(result.errors, "simt"));
}

TEST_CASE("a wrong configuration") {
  const std::string text =
      std::string("#include \"moe/kernels.h\"\n__global__ void k(float* C) {}\n") +
      "void matmul_nn" + parameters + " {\n  k<<<1, 32, stream, 0, 1>>>(C);\n}\n";
  const ProcessResult result = compile_lesson(text, {"--gate", "off"});
  CAPTURE(result.errors);
  CHECK(result.status == 3);
  CHECK(contains(result.errors, "kernel.cu:4:"));
  CHECK(contains(result.errors, "<<<blocks, threads, shared bytes, stream>>>"));
}

TEST_CASE("a __shared__ array of variable size is told once, in plain words") {
  const ProcessResult result = compile_lesson(kernel_with("  __shared__ float s[n]; C[0] = s[0];"));
  CAPTURE(result.errors);
  CHECK(result.status == 3);
  CHECK(contains(result.errors, "the size of a __shared__ array must be a constant expression"));
  CHECK(!contains(result.errors, "shared_site"));
  CHECK(!contains(result.errors, "shared_variable"));
}

TEST_CASE("what the learner declares is not taken for what the CPU runtime lacks") {
  const auto status = [](const std::string& before, const std::string& body) {
    return compile_lesson(before + kernel_with(body)).status;
  };
  CHECK(status("", "  int this_cluster = n; C[0] = this_cluster;") == 0);
  CHECK(status("struct S { int x; };\n", "  S s{n}; C[0] = s.barrier_wait();") == 3);
  CHECK(status("namespace mine { int x; }\n", "  mine::cluster_group g; C[0] = n;") == 3);
  CHECK(status("", "  C[0] = __vaddd(n, n);") == 3);
  CHECK(status("", "  C[0] = __vadd4(n, n);") == 5);
  CHECK(status("#include <cooperative_groups.h>\n",
               "  auto g = cooperative_groups::this_cluster(); C[0] = n;") == 5);
}

TEST_CASE("mistakes that g++ would not see are refused") {
  check_message(compile_lesson(kernel_with("  static int count; C[0] = ++count;")), 3,
                "kernel.cu:4:3: error: ", "static local variable 'count' in device code",
                "  static int count; C[0] = ++count;");
  check_message(compile_lesson(kernel_with("  __shared__ float s[2] = {0};")), 3,
                "kernel.cu:4:", "cannot have an initialiser", "");
}

TEST_CASE("the gate: what a GPU's compiler would reject") {
  if (!has_program("clang++")) {
    MESSAGE("no clang++ here: not tried");
    return;
  }
  check_message(compile_lesson(kernel_with("  __shared__ float s[warpSize]; C[n] = s[0];")), 3,
                "kernel.cu:4:", "must be a constant expression (a parameter is none", "");
  CHECK(
      compile_lesson(kernel_with("  const int lane = n % warpSize; C[warpSize / 2] = lane;") +
                     "void g(float* C) { kernel<<<64 / warpSize, warpSize * 4>>>(C, warpSize); }\n")
          .status == 0);
  check_message(
      compile_lesson("#include \"moe/kernels.h\"\nint host(int x) { return x; }\n__global__ void "
                     "kernel(float* C, int n) {\n  C[0] = host(n);\n}\n" +
                     std::string("void matmul_nn") + parameters + " { kernel<<<1, 1>>>(C, M); }\n"),
      3, "kernel.cu:4:10: error: ", "'host'", "  C[0] = host(n);");
  check_message(
      compile_lesson("#include \"moe/kernels.h\"\nint global = 3;\n__global__ void "
                     "kernel(float* C, int n) {\n  C[0] = global;\n}\n" +
                     std::string("void matmul_nn") + parameters + " { kernel<<<1, 1>>>(C, M); }\n"),
      3, "kernel.cu:4:10: error: ", "'global'", "  C[0] = global;");
  const ProcessResult host =
      compile_lesson(kernel_with("  C[0] = n;") +
                     "void wrong(float* C) {\n  int i = threadIdx.x;\n  __syncthreads();\n"
                     "  atomicAdd(C, 1.0f * i);\n}\n");
  check_message(host, 3, "kernel.cu:11:11: error: ", "threadIdx", "  int i = threadIdx.x;");
  check_message(host, 3, "kernel.cu:12:3: error: ", "'__syncthreads' cannot be used here",
                "  __syncthreads();");
  check_message(
      host, 3, "kernel.cu:13:3: error: ",
      "'atomicAdd' cannot be used here: call to __device__ function from __host__ function", "");
  check_message(compile_lesson(kernel_with("  throw n;")), 3, "kernel.cu:4:3: error: ", "throw",
                "");
  check_message(compile_lesson("#include <vector>\n" +
                               kernel_with("  std::vector<int> v; v.push_back(n); C[0] = v[0];")),
                3, "kernel.cu:5:", "host", "");
  // And with the gate off, such code compiles for the CPU.
  CHECK(compile_lesson(kernel_with("  throw n;"), {"--gate", "off"}).status == 0);
}

TEST_CASE("warnings do not stop a kernel, and name the learner's line") {
  const ProcessResult result = compile_lesson(kernel_with("  float sum; C[0] = sum;"));
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(contains(result.errors, "kernel.cu:4:"));
  CHECK(contains(result.errors, "uninitialized]"));
}

TEST_CASE("what a learner leaves empty is no reason to warn") {
  CHECK(
      compile_lesson(std::string("#include \"moe/kernels.h\"\nnamespace {\n"
                                 "__global__ void kernel(float* C, int n) {}\n"
                                 "__device__ int helper(int x) { return x; }\n}\nvoid matmul_nn") +
                     parameters + " {}\n")
          .errors == "");
}

TEST_CASE("libraries that do the exercise are refused by name") {
  for (const char* header :
       {"thrust/device_vector.h", "cub/device/device_reduce.cuh", "cublas_v2.h", "cudnn.h",
        "curand_kernel.h", "cusparse.h", "cutlass/gemm/gemm.h"}) {
    CAPTURE(header);
    const ProcessResult result =
        compile_lesson("// first\n#include <" + std::string(header) + ">\n" + kernel_with(""));
    check_message(result, 3, "kernel.cu:2: error: ", "is not allowed", "#include <");
  }
  CHECK(
      compile_lesson("// #include <thrust/device_vector.h>\n#if 0\n#include <cublas_v2.h>\n#endif\n"
                     "/*\n#include <cudnn.h>\n*/\n" +
                     kernel_with(""))
          .status == 0);
  check_message(compile_lesson("namespace cub { struct DeviceReduce { static void Sum() {} }; }\n" +
                               kernel_with("") + "void g() {\n  cub::DeviceReduce::Sum();\n}\n"),
                3, "kernel.cu:12: error: ", "cub::DeviceReduce is not allowed", "");
}

TEST_CASE("a missing header is named") {
  check_message(compile_lesson("#include \"moe/kernel.h\"\n"), 3,
                "kernel.cu:1:10: error: ", "'moe/kernel.h' is not found",
                "#include \"moe/kernel.h\"");
}

TEST_CASE("inline PTX needs a GPU") {
  check_message(compile_lesson(kernel_with("  asm volatile(\"mov.u32 %0, 1;\" : \"=r\"(n));")), 5,
                "kernel.cu:4: error: ", "needs a GPU", "");
  check_message(compile_lesson("#include <cuda/ptx>\n" + kernel_with("")), 5,
                "kernel.cu:1: error: ", "needs a GPU", "");
  check_message(compile_lesson("#include <cuda/pipeline>\n" + kernel_with("")), 5,
                "kernel.cu:1: error: ", "cuda_pipeline.h has its primitives", "");
}

TEST_CASE("what the CPU runtime lacks of CUDA is told as such") {
  check_message(compile_lesson(kernel_with("") + "void g() { cudaGraphAddNode(); }\n"), 3,
                "kernel.cu:10:12: error: ", "the CPU runtime does not", "");
}

TEST_CASE("a function of CUDA's that the CPU runtime lacks is told as such, and nothing else is") {
  check_message(compile_lesson(kernel_with("  C[0] = __vadd4(n, n);")), 5,
                "kernel.cu:4:10: error: ",
                "'__vadd4' needs a GPU: the CPU runtime does not have it (arithmetic on bytes", "");
  check_message(compile_lesson(kernel_with("  C[0] = __cvta_generic_to_shared(C);")), 5,
                "kernel.cu:4:10: error: ", "what PTX works on", "");
  const std::string in_template =
      "template <class T> __device__ T twice(T x) { int i = 1; return __vimax3_s32(i, i, i) + x; "
      "}\n";
  check_message(compile_lesson(in_template + kernel_with("  C[0] = twice(n);")), 5,
                "kernel.cu:1:64: error: ", "'__vimax3_s32' needs a GPU", "");
  const ProcessResult texture = compile_lesson(
      "__device__ float texel(cudaTextureObject_t t) {\n  return tex1Dfetch<float>(t, "
      "1);\n}\n" +
      kernel_with(""));
  check_message(texture, 5, "kernel.cu:1:24: error: ", "'cudaTextureObject_t' needs a GPU", "");
  CHECK_FALSE(contains(texture.errors, "not declared"));
  check_message(
      compile_lesson("#include <cooperative_groups.h>\n" +
                     kernel_with("  cooperative_groups::this_thread_block().barrier_arrive();")),
      5, "kernel.cu:5:43: error: ", "'barrier_arrive' needs a GPU", "");
  // What the author declares is the author's.
  CHECK(compile_lesson("__device__ int __vadd4(int a, int b) { return a + b; }\n" +
                       kernel_with("  C[0] = __vadd4(n, n);"))
            .status == 0);
  // A slip of the pen is none of CUDA's.
  check_message(compile_lesson(kernel_with("  barrier_wait(n);")), 3,
                "kernel.cu:4:3: error: ", "'barrier_wait' was not declared", "");
  check_message(compile_lesson("#include <cub/cub.cuh>\n" +
                               kernel_with("  typedef cub::BlockRadixSort<float, 128, 4> Sort;")),
                3, "kernel.cu:5: error: ", "of CUB the lessons allow block_reduce", "");
}

TEST_CASE("mistakes with half precision") {
  const std::string include = "#include <cuda_fp16.h>\n";
  const ProcessResult mixed =
      compile_lesson(include + kernel_with("  __half h = C[0]; C[0] = h * 2.0f;"));
  check_message(mixed, 3, "kernel.cu:5:29: error: ", "ambiguous", "  __half h");
  CHECK_FALSE(contains(mixed.errors, "built-in"));
  CHECK(
      compile_lesson(include + kernel_with("  __half h = C[0]; C[0] = h * __half(2.0f);")).errors ==
      "");
  if (!has_program("clang++")) return;
  check_message(compile_lesson(include + kernel_with("  C[0] = n;") +
                               "float g(__half h) {\n  return hsqrt(h);\n}\n"),
                3, "kernel.cu:12:10: error: ", "'hsqrt' cannot be used here", "");
}

TEST_CASE("a call of another lesson's function is refused with the reason") {
  const std::string text = std::string("#include \"moe/kernels.h\"\nvoid matmul_nn") + parameters +
                           " {\n  if (M > 0) elementwise_add(A, B, C, M, stream);\n}\n";
  check_message(compile_lesson(text), 3, "kernel.cu:3: error: ",
                "lesson 001 may not call elementwise_add (lesson 006): the kernel is the exercise",
                "  if (M > 0) elementwise_add(A, B, C, M, stream);");
}

TEST_CASE("a lesson's file does not take the exercise from elsewhere in the workbook") {
  const Scratch scratch;
  scratch.write("solutions/001_matmul_nn/kernel.cu", kernel_with("  C[0] = n;"));
  scratch.write("lessons/002_matmul_nt/kernel.cu", "");
  scratch.write("lessons/shared.cuh", "");
  scratch.write("lessons/001_matmul_nn/more.h",
                "#include \"../../solutions/001_matmul_nn/kernel.cu\"\n");
  const auto compile = [&](const std::string& text) {
    scratch.write("lessons/001_matmul_nn/kernel.cu", text);
    return scratch.compile({"--workbook", ".", "--lesson", "001_matmul_nn", "-o", "kernel.so",
                            "lessons/001_matmul_nn/kernel.cu"});
  };
  const std::string solution = "\"../../solutions/001_matmul_nn/kernel.cu\"\n";
  check_message(compile("\n#include " + solution), 3, "lessons/001_matmul_nn/kernel.cu:2: error: ",
                "lesson 001 may not include solutions/001_matmul_nn/kernel.cu", "#include");
  check_message(compile("#define FILE_ " + solution + "#include FILE_\n"), 3,
                "lessons/001_matmul_nn/kernel.cu:2: error: ", "may not include solutions", "");
  check_message(compile("#include \"more.h\"\n"), 3,
                "lessons/001_matmul_nn/more.h:1: error: ", "may not include solutions", "");
  check_message(compile("#include \"../002_matmul_nt/kernel.cu\"\n"), 3,
                "lessons/001_matmul_nn/kernel.cu:1: error: ", "a header of yours", "");
  CHECK(compile("#include \"../shared.cuh\"\n" + kernel_with("  C[0] = n;")).status == 0);

  // What the fast solutions share is theirs alone.
  scratch.write("solutions/fast/four.h", "");
  const std::string shared = "#include \"../../solutions/fast/four.h\"\n";
  check_message(compile(shared), 3, "lessons/001_matmul_nn/kernel.cu:1: error: ",
                "may not include solutions/fast/four.h", "");
  const auto compile_fast = [&](const std::string& text) {
    scratch.write("solutions/001_matmul_nn/fast.cu", text);
    return scratch.compile({"--workbook", ".", "--lesson", "001_matmul_nn", "-o", "kernel.so",
                            "solutions/001_matmul_nn/fast.cu"});
  };
  CHECK(compile_fast(shared + kernel_with("  C[0] = n;")).status == 0);
  check_message(compile_fast("#include \"kernel.cu\"\n"), 3,
                "solutions/001_matmul_nn/fast.cu:1: ", "may not include solutions", "");
}

TEST_CASE("a lesson's file does not get round the checks") {
  check_message(
      compile_lesson("__attribute__((no_sanitize(\"thread\")))\n" + kernel_with("  C[0] = n;")), 3,
      "kernel.cu:1: error: ", "would leave the checks out", "");
  check_message(
      compile_lesson("extern \"C\" void __tsan_write4(void*) {}\n" + kernel_with("  C[0] = n;")), 3,
      "kernel.cu:1: error: ", "is the CPU runtime's to define", "");
  for (const char* disguise :
       {"# 1 \"/usr/include/x.h\" 3\n", "/* */ # 1 \"/usr/include/x.h\" 3\n",
        "%: 1 \"/usr/include/x.h\" 3\n", "# \\\n1 \"/usr/include/x.h\" 3\n"}) {
    CAPTURE(disguise);
    check_message(compile_lesson("\n" + std::string(disguise) + kernel_with("")), 3,
                  "kernel.cu:2: error: ", "line markers are the preprocessor's", "");
  }
  CHECK(compile_lesson("#line 7\n#line 3 \"other.cu\"\n" + kernel_with("  C[0] = n;")).status == 0);
  const Scratch scratch;
  scratch.write("own.h", "#pragma GCC system_header\n");
  scratch.write("kernel.cu", "#include \"own.h\"\n" + kernel_with(""));
  check_message(scratch.compile({"--lesson", "001_matmul_nn", "-o", "k.so", "kernel.cu"}), 3,
                "own.h:1: error: ", "this pragma would hide", "");
}

TEST_CASE("a lesson's file does not reach into the grader") {
  const auto with = [](const std::string& declaration, const std::string& call) {
    return compile_lesson("#include <dlfcn.h>\n" + declaration + "\n" + kernel_with("") +
                          "void reach() {\n  " + call + "\n}\n");
  };
  check_message(with("", "dlopen(\"x.so\", RTLD_NOW);"), 3, "error: dlopen ", "loads no code", "");
  check_message(
      with("namespace testing { __attribute__((weak)) int session(); }", "testing::session();"), 3,
      "error: session ", "it is the grader's", "");
  const ProcessResult taken =
      with("namespace simt { int take_diagnostics(); }", "simt::take_diagnostics();");
  CHECK(taken.status == 3);
  CHECK(contains(taken.errors, "take_diagnostics may not be called"));
}

TEST_CASE("a compiler that does not work is not the kernel's fault") {
  const Scratch scratch;
  scratch.write("kernel.cu", kernel_with("  C[0] = n;"));
  scratch.write("nvcc", "#!/bin/sh\necho 'nvcc fatal : cicc is gone' >&2\nexit 1\n");
  std::filesystem::permissions(scratch.path("nvcc"), std::filesystem::perms::owner_all);
  setenv("CUDACXX", scratch.path("nvcc").c_str(), 1);
  const ProcessResult result = scratch.compile(
      {"--backend", "cuda", "--lesson", "001_matmul_nn", "-o", "kernel.so", "kernel.cu"});
  unsetenv("CUDACXX");
  CAPTURE(result.errors);
  CHECK(result.status == 6);
  CHECK(contains(result.errors, "cicc is gone"));
  CHECK(contains(result.errors, "does not work"));
}

TEST_CASE("a call that a lesson allows finds whichever object is loaded") {
  const Scratch scratch;
  const std::string one =
      "#include \"moe/kernels.h\"\nvoid relu_forward(const float* x, float* y, int n, "
      "cudaStream_t stream) { *y = ";
  scratch.write("reference.cu", one + "1; }\n");
  scratch.write("mine.cu", one + "2; }\n");
  scratch.write("caller.cu", "#include \"moe/kernels.h\"\nvoid matmul_nn" +
                                 std::string(parameters) + " { relu_forward(A, C, M, stream); }\n");
  for (const char* name : {"reference", "mine"}) {
    const ProcessResult result =
        scratch.compile({"--lesson", "008_relu_forward", "-o", std::string(name) + ".so",
                         std::string(name) + ".cu"});
    CAPTURE(result.errors);
    REQUIRE(result.status == 0);
  }
  const ProcessResult result = scratch.compile(
      {"--lesson", "001_matmul_nn", "--allow", "reference.so", "-o", "caller.so", "caller.cu"});
  CAPTURE(result.errors);
  REQUIRE(result.status == 0);
  // Not the reference that it was linked with, but the object of that lesson that is there.
  REQUIRE(dlopen(scratch.path("mine.so").c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr);
  void* caller = dlopen(scratch.path("caller.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  INFO(std::string(caller == nullptr ? dlerror() : ""));
  REQUIRE(caller != nullptr);
  using Function = void (*)(const float*, const float*, float*, int, int, int, void*);
  const auto function =
      reinterpret_cast<Function>(dlsym(caller, "_Z9matmul_nnPKfS0_PfiiiP11CUstream_st"));
  REQUIRE((function != nullptr));
  float result_value = 0;
  function(nullptr, nullptr, &result_value, 0, 0, 0, nullptr);
  CHECK(result_value == 2);
}

TEST_CASE("a lesson's function that is missing, or not as declared") {
  const std::string include = "#include \"moe/kernels.h\"\n";
  const std::string function = std::string("void matmul_nn") + parameters + " {}";
  auto check = [&](const std::string& text, const std::string& place, const std::string& why) {
    const ProcessResult result = compile_lesson(include + text + "\n");
    CAPTURE(result.errors);
    CHECK(result.status == 3);
    CHECK(contains(result.errors, place + "error: kernel.cu does not define matmul_nn"));
    CHECK(contains(result.errors, why));
    CHECK(contains(result.errors, "note: declared is: void matmul_nn(const float* A,"));
  };
  check("", "", "");
  check("namespace {\n" + function + "}", "kernel.cu:3: ", "anonymous namespace");
  check("namespace mine {\n" + function + "}", "kernel.cu:3: ", "in a namespace");
  check("void matmul_nn(const float* A, float* C, cudaStream_t stream) {}",
        "kernel.cu:2: ", "takes (const float* A, float* C, cudaStream_t stream)");
  check("__global__ void matmul_nn(const float* A, float* C) {}", "kernel.cu:2: ", "a kernel");
  check("template <class T> void matmul_nn(const T* A, T* C) {}", "kernel.cu:2: ", "a template");
}

TEST_CASE("a function that is defined nowhere") {
  check_message(compile_lesson("int nowhere(int);\n" + kernel_with("") + "int x = nowhere(1);\n"),
                3, "kernel.cu:11: error: ", "'nowhere(int)' is used but defined nowhere", "int x");
}

TEST_CASE("-E prints the source as it is where there is no CUDA") {
  const Scratch scratch;
  scratch.write("plain.cu",
                "#include <cstdio>\nint main() { std::printf(\"%d\", 1 << 2 >> 1); }\n");
  const ProcessResult rewritten = scratch.compile({"-E", "plain.cu"});
  const ProcessResult kept = scratch.compile({"-E", "--keep-temps", "kept", "plain.cu"});
  CHECK(rewritten.status == 0);
  CHECK(rewritten.output == read_file(scratch.path("kept/preprocessed.ii")));
  CHECK(kept.output == rewritten.output);
}

TEST_CASE("programs") {
  const Scratch scratch;
  scratch.write(
      "hello.cu",
      "#include <cstdio>\n#include <cuda_runtime.h>\n__global__ void hello() {\n"
      "  printf(\"thread %d\\n\", (int)threadIdx.x);\n}\nint main() {\n"
      "  hello<<<1, 2>>>();\n  return cudaDeviceSynchronize() == cudaSuccess ? 7 : 1;\n}\n");
  for (const char* mode : {"--program", "--unchecked"}) {
    const ProcessResult built = scratch.compile({"--program", mode, "-o", "hello", "hello.cu"});
    CAPTURE(built.errors);
    REQUIRE(built.status == 0);
    const ProcessResult ran = Process({scratch.path("hello")}).finish();
    CHECK(ran.status == 7);
    CHECK(ran.output == "thread 0\nthread 1\n");
  }
}

TEST_CASE("a rule for make names the headers read") {
  const Scratch scratch;
  scratch.write("own.h", "");
  scratch.write("kernel.cu", "#include \"own.h\"\n" + kernel_with(""));
  CHECK(scratch
            .compile(
                {"--lesson", "001_matmul_nn", "--depfile", "k.d", "-o", "kernel.so", "kernel.cu"})
            .status == 0);
  const std::string rule = read_file(scratch.path("k.d"));
  CHECK(rule.starts_with("kernel.so:"));
  CHECK(contains(rule, "own.h"));
  CHECK(contains(rule, "cuda_runtime.h"));
}

TEST_CASE("wrong usage") {
  const Scratch scratch;
  scratch.write("k.cu", "");
  CHECK(scratch.compile({}).status == 2);
  CHECK(scratch.compile({"k.cu"}).status == 2);
  CHECK(scratch.compile({"--lesson", "x", "-o", "k.so", "k.cu"}).status == 2);
  CHECK(scratch.compile({"--nonsense", "k.cu"}).status == 2);
  CHECK(scratch.compile({"-o", "k.so", "missing.cu"}).status == 2);
  CHECK(scratch.compile({"--help"}).status == 0);
}

TEST_CASE("colours only when asked for") {
  CHECK(contains(compile_lesson(kernel_with("  x;"), {"--color"}).errors, "\033[1;31merror: "));
}

TEST_CASE("file names with spaces and letters beyond ASCII") {
  const Scratch scratch;
  scratch.write("my köl/the kernel.cu", kernel_with("  C[0] = zz;"));
  const ProcessResult result =
      scratch.compile({"--lesson", "001_matmul_nn", "-o", "k.so", "my köl/the kernel.cu"});
  check_message(result, 3, "my köl/the kernel.cu:4:10: error: ", "'zz'", "  C[0] = zz;");
}

TEST_CASE("without the checks nothing is said of what plain stores wrote") {
  const Scratch scratch;
  scratch.write("count.cu",
                "#include <cuda_runtime.h>\n#include <cstdio>\n"
                "__global__ void count(int* out) {\n"
                "  __shared__ int total;\n"
                "  if (threadIdx.x == 0) total = 0;\n"
                "  __syncthreads();\n"
                "  atomicAdd(&total, 1);\n"
                "  __syncthreads();\n"
                "  if (threadIdx.x == 0) *out = __ldcs(&total);\n"
                "}\n"
                "int main() {\n"
                "  int *out, sum = 0;\n"
                "  cudaMalloc(&out, sizeof sum);\n"
                "  count<<<1, 64>>>(out);\n"
                "  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);\n"
                "  std::printf(\"%d\\n\", sum);\n"
                "  cudaFree(out);\n"
                "}\n");
  const ProcessResult built =
      scratch.compile({"--program", "--unchecked", "--gate", "off", "-o", "count", "count.cu"});
  CAPTURE(built.errors);
  REQUIRE(built.status == 0);
  const ProcessResult ran = Process({scratch.path("count")}).finish();
  CHECK(ran.status == 0);
  CHECK(ran.output == "64\n");
  CHECK(ran.errors == "");
}

TEST_CASE("cooperative groups bring the halves") {
  const Scratch scratch;
  scratch.write(
      "halves.cu",
      "#include <cooperative_groups.h>\n"
      "__global__ void twice(__half* x) { x[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x]; }\n"
      "int main() { twice<<<1, 1>>>(nullptr); }\n");
  CHECK(scratch.compile({"--program", "--gate", "off", "-o", "halves", "halves.cu"}).status == 0);
}

TEST_CASE("a file that is no UTF-8 text is told as such, whichever compiler would read it") {
  std::string wide;  // as an editor on Windows saves "Unicode"
  for (const char c : kernel_with("")) wide += {c, '\0'};
  for (const char* backend : {"cpu", "cuda"}) {
    const auto errors = [&](const std::string& text) {
      const ProcessResult result = compile_lesson(text, {"--backend", backend});
      CHECK(result.status == 3);
      CHECK(contains(result.errors, "kernel.cu: error: "));
      CHECK_FALSE(contains(result.errors, "warning"));
      return result.errors;
    };
    CHECK(contains(errors("\xFF\xFE" + wide), "saved as UTF-16, which"));
    CHECK(contains(errors(wide), "save it as UTF-8"));
    CHECK(contains(errors(kernel_with("") + std::string(3, '\0')), "this is no text"));
  }
}

TEST_CASE("assembly that takes a file in is forbidden, not called PTX") {
  for (const char* backend : {"cpu", "cuda"}) {
    if (backend == std::string_view("cuda") && !has_program("nvcc")) {
      MESSAGE("no nvcc here: not tried for a GPU");
      continue;
    }
    const ProcessResult result =
        compile_lesson("#include \"moe/kernels.h\"\n\nasm(\".inc\" \"bin \\\"/etc/hosts\\\"\");\n",
                       {"--backend", backend});
    check_message(result, 3, "kernel.cu:3", "takes a file in", "asm(");
    CHECK_FALSE(contains(result.errors, "PTX"));
  }
}
