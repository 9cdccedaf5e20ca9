#include "toolchain.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "process.h"

#ifndef SIMT_CXX_COMPILER
#define SIMT_CXX_COMPILER "g++"
#endif

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

void append(Arguments& arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

Arguments include_arguments(const Job& job) {
  Arguments arguments;
  for (const std::string& folder : job.includes) arguments.push_back("-I" + folder);
  append(arguments, {"-isystem", job.simt_include, "-isystem", job.moe_include});
  for (const std::string& definition : job.definitions) arguments.push_back("-D" + definition);
  return arguments;
}

Arguments cuda_macros() {
  return {"-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"};
}

// The compiler that built the runtime, if it is still there.
std::string cxx_compiler() {
  std::error_code ignored;
  return fs::exists(SIMT_CXX_COMPILER, ignored) ? SIMT_CXX_COMPILER : "g++";
}

Arguments checking_flags(const Job& job) {
  if (!job.checked) return {"-O2"};
  // Blocks stay in the order of the source: lanes that part meet at the lowest address that they
  // have in common (simt/src/profile.h). A float4 is one access, whatever is done with its members.
  // Only what would end the process is checked besides.
  if (job.profile) {
    return {"-O1",
            "-fsanitize=thread",
            "-fsanitize-coverage=trace-pc",
            "-fsanitize=integer-divide-by-zero",
            "--param=tsan-distinguish-volatile=1",
            "-fno-thread-jumps",
            "-fno-reorder-blocks",
            "-fno-tree-sra",
            "-ftrivial-auto-var-init=pattern"};
  }
  // The runtime supplies the hooks that these call (simt/src/hooks*.cpp, ubsan.cpp).
  return {"-O1",
          "-fsanitize=thread",
          "-fsanitize=bounds,alignment,integer-divide-by-zero,shift-exponent,float-cast-overflow",
          "--param=tsan-distinguish-volatile=1",
          "-fno-thread-jumps",
          "-ftrivial-auto-var-init=pattern"};
}

// Every object of a lesson answers to one name, whoever wrote it: what an object needs of another
// lesson is then found in whichever object of that lesson is loaded already.
std::string soname(const std::string& lesson) {
  return "lesson_" + lesson + ".so";
}

void append_others(Arguments& arguments, const Job& job) {
  for (const std::string& path : job.linked) arguments.push_back(fs::absolute(path).string());
  for (const std::string& path : job.allowed) arguments.push_back(fs::absolute(path).string());
}

Arguments nvcc_base(const std::string& nvcc, const std::string& architecture) {
  const bool bare =
      !architecture.empty() && std::isdigit(static_cast<unsigned char>(architecture[0])) != 0;
  return {nvcc, "-std=c++20", "-arch=" + (bare ? "sm_" + architecture : architecture),
          "-cudart=shared"};
}

}  // namespace

std::string find_program(const std::string& name, const std::string& more) {
  const char* variable = std::getenv("PATH");
  const std::string path = (variable == nullptr ? std::string() : std::string(variable)) + more;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    begin = end + 1;
  }
  return {};
}

Arguments preprocess_command(const Job& job) {
  // As nvcc does: a file need not include the header.
  Arguments arguments = {cxx_compiler(),  "-E", "-x", "c++", "-std=c++20", "-include",
                         "cuda_runtime.h"};
  append(arguments, cuda_macros());
  append(arguments, checking_flags(job));
  if (!job.depfile.empty()) append(arguments, {"-MD", "-MF", job.depfile, "-MT", job.output});
  append(arguments, include_arguments(job));
  arguments.push_back(job.source);
  return arguments;
}

Arguments compile_command(const Job& job, const std::string& object) {
  Arguments arguments = {cxx_compiler(), "-c", "-x", "c++", "-fpreprocessed", "-std=c++20",
                         // Nothing left behind in /tmp, whatever happens.
                         "-pipe",
                         // Line tables for reports.
                         "-g1", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique",
                         // Read by parse_messages, which quotes the learner's own lines.
                         "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
                         "-fmessage-length=0", "-fmax-errors=50",
                         // What helps a learner, and nothing that an unfinished kernel sets off.
                         "-Wall", "-Wno-unknown-pragmas", "-Wno-unused-function",
                         "-Wno-unused-local-typedefs", "-Wno-sign-compare", "-Wno-comment",
                         "-Wno-volatile", "-Wno-narrowing", "-Wno-tsan", "-Wno-attributes"};
  append(arguments, checking_flags(job));
  append(arguments, {"-o", object, "-"});
  return arguments;
}

Arguments assembly_command(const Job& job, const std::string& assembly) {
  Arguments arguments = compile_command(job, assembly);
  arguments[1] = "-S";
  return arguments;
}

Arguments assemble_command(const std::string& object) {
  return {cxx_compiler(), "-c", "-x", "assembler", "-pipe", "-o", object, "-"};
}

Arguments link_command(const Job& job, const std::string& object, const std::string& script,
                       const std::string& output, bool fast) {
  Arguments arguments = {cxx_compiler(), "-o", output, object};
  // GNU ld takes three times as long as either.
  if (fast && !find_program("ld.gold").empty()) {
    arguments.push_back("-fuse-ld=gold");
  } else if (fast && !find_program("ld.lld").empty()) {
    arguments.push_back("-fuse-ld=lld");
  }
  if (job.product == Product::kernel_object) {
    append(arguments, {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,now",
                       "-Wl,--version-script=" + script, "-Wl,--build-id=none"});
    if (!job.lesson.empty()) arguments.push_back("-Wl,-soname," + soname(job.lesson));
    append_others(arguments, job);
  } else {
    arguments.push_back("-Wl,-rpath," + fs::path(job.library).parent_path().string());
  }
  append(arguments, {job.library, "-lm"});
  return arguments;
}

Arguments gate_command(const Job& job) {
  if (job.gate_include.empty()) return {};
  std::string clang;
  for (const char* name : {"clang++", "clang++-20", "clang++-19", "clang++-18", "clang++-17",
                           "clang++-16", "clang++-15", "clang++-14"}) {
    clang = find_program(name);
    if (!clang.empty()) break;
  }
  if (clang.empty()) return {};
  // Needs no CUDA toolkit: our own headers declare what CUDA has.
  Arguments arguments = {clang,
                         "-x",
                         "cuda",
                         "--cuda-device-only",
                         "--cuda-gpu-arch=sm_70",
                         "-nocudainc",
                         "-nocudalib",
                         "-fsyntax-only",
                         "-std=c++20",
                         "-w",
                         "-ferror-limit=50",
                         "-fno-caret-diagnostics",
                         "-fno-color-diagnostics",
                         "-include",
                         job.gate_include + "/prelude.h",
                         "-include",
                         "cuda_runtime.h",
                         "-isystem",
                         job.gate_include};
  append(arguments, cuda_macros());
  append(arguments, include_arguments(job));
  arguments.push_back(job.source);
  return arguments;
}

std::string find_nvcc() {
  for (const char* variable : {"CUDACXX", "CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const fs::path path(value);
    if (fs::is_regular_file(path)) return path.string();
    if (fs::is_regular_file(path / "bin/nvcc")) return (path / "bin/nvcc").string();
  }
  return find_program("nvcc", ":/usr/local/cuda/bin:/opt/cuda/bin");
}

std::string find_architecture() {
  try {
    Process query({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"});
    const ProcessResult result = query.finish();
    std::string digits;
    for (const char c : result.output.substr(0, result.output.find('\n'))) {
      if (c >= '0' && c <= '9') digits.push_back(c);
    }
    // With "a" what only that one has, as its products by four warps together.
    if (digits == "90") digits += 'a';
    if (result.status == 0 && digits.size() >= 2) return "sm_" + digits;
  } catch (const std::system_error&) {
  }
  return "sm_90";
}

Arguments nvcc_compile_command(const Job& job, const std::string& nvcc,
                               const std::string& architecture, const std::string& object) {
  Arguments arguments = nvcc_base(nvcc, architecture);
  // 177: declared and never used, as much of a stub is.
  append(arguments,
         {"-c", "-O3", "-lineinfo", "-diag-suppress=177", "--expt-relaxed-constexpr",
          "--extended-lambda", "-Xcompiler=-fPIC,-fno-gnu-unique", "-I" + job.moe_include});
  for (const std::string& folder : job.includes) arguments.push_back("-I" + folder);
  for (const std::string& definition : job.definitions) arguments.push_back("-D" + definition);
  if (!job.depfile.empty()) append(arguments, {"-MD", "-MF", job.depfile, "-MT", job.output});
  append(arguments, {"-o", object, job.source});
  return arguments;
}

Arguments nvcc_link_command(const Job& job, const std::string& nvcc,
                            const std::string& architecture, const std::string& object,
                            const std::string& script) {
  Arguments arguments = nvcc_base(nvcc, architecture);
  append(arguments, {"-o", job.output, object});
  if (job.product == Product::kernel_object) {
    append(arguments, {"-shared", "-Xlinker=-Bsymbolic", "-Xlinker=-z,defs",
                       "-Xlinker=--version-script=" + script});
    if (!job.lesson.empty()) arguments.push_back("-Xlinker=-soname=" + soname(job.lesson));
    append_others(arguments, job);
  }
  const fs::path library = fs::path(nvcc).parent_path().parent_path() / "lib64";
  std::error_code ignored;
  if (fs::exists(library, ignored)) arguments.push_back("-Xlinker=-rpath=" + library.string());
  return arguments;
}

std::string version_script(const std::string& symbol, const std::string& function) {
  if (symbol.empty()) return "{ local: *; };\n";
  return "{ global: " + symbol + "; check_" + function + "; local: *; };\n";
}

}  // namespace simt::compiler
