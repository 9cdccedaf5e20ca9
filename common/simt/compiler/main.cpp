// simt-cc: compiles a lesson's .cu for the CPU runtime, or for the GPU with nvcc.
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "driver.h"

namespace {

namespace fs = std::filesystem;

// The first of `candidates` that exists.
std::string first_existing(std::initializer_list<fs::path> candidates) {
  std::error_code ignored;
  for (const fs::path& candidate : candidates) {
    if (!candidate.empty() && fs::exists(candidate, ignored)) {
      return fs::weakly_canonical(candidate, ignored).string();
    }
  }
  return {};
}

void find_parts(simt::compiler::Job& job) {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  // build/cpu/bin is two folders below the source tree.
  const fs::path tree = bin.parent_path().parent_path().parent_path();
  job.simt_include =
      first_existing({fs::path(SIMT_INCLUDE_DIR), tree / "common/simt/include"});
  job.moe_include = first_existing({fs::path(MOE_INCLUDE_DIR), tree / "common/moe/include"});
  job.gate_include =
      first_existing({fs::path(SIMT_GATE_DIR), tree / "common/simt/compiler/gate"});
  job.library = (bin.parent_path() / "lib" / "libsimt.so").string();
  if (!fs::exists(job.library, ignored)) job.library = first_existing({fs::path(SIMT_LIBRARY)});
}

}  // namespace

int main(int argc, char** argv) {
  using simt::compiler::Backend;
  using simt::compiler::Product;
  simt::compiler::Job job;
  find_parts(job);

  CLI::App app{"Compiles a lesson's .cu file into the object that its grader loads"};
  bool program = false;
  bool print = false;
  bool unchecked = false;
  std::string gate = "auto";
  std::string backend = "cpu";
  app.add_option("source", job.source, "the .cu file")->required();
  app.add_option("-o,--output", job.output, "the object or program to write");
  app.add_option("--lesson", job.lesson, "the lesson, NNN_slug: its rules hold");
  app.add_option("--function", job.function, "the function to export (default: the lesson's slug)");
  app.add_option("--allow", job.allowed, "an object whose functions may be called")
      ->allow_extra_args(false)
      ->take_all();
  app.add_flag("--unchecked", unchecked, "optimise, and leave the checks out");
  app.add_option("--gate", gate, "ask clang++ whether the CUDA is legal: auto or off")
      ->check(CLI::IsMember({"auto", "off"}));
  app.add_option("--backend", backend, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--arch", job.architecture, "CUDA architecture: sm_90, native (default: this machine's)");
  app.add_option("--keep-temps", job.keep, "folder for intermediate files");
  app.add_option("--depfile", job.depfile, "write a make rule with the files read");
  app.add_option("-D", job.definitions, "define a macro")->allow_extra_args(false)->take_all();
  app.add_option("-I", job.includes, "add a folder of headers")->allow_extra_args(false)->take_all();
  app.add_flag("--program", program, "the file has a main: make a program");
  app.add_flag("-E", print, "print the rewritten source");
  app.add_flag("--color", job.colour, "colour the messages");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : simt::compiler::usage;
  }
  job.checked = !unchecked;
  job.gate = gate == "auto";
  job.backend = backend == "cpu" ? Backend::cpu : Backend::cuda;
  job.product = print     ? Product::rewritten_source
                : program ? Product::program
                          : Product::kernel_object;
  if (job.output.empty() && !print) {
    std::fprintf(stderr, "simt-cc: -o is needed\n");
    return simt::compiler::usage;
  }
  if (!job.lesson.empty() && (job.lesson.size() < 5 || job.lesson[3] != '_')) {
    std::fprintf(stderr, "simt-cc: --lesson wants NNN_slug, not '%s'\n", job.lesson.c_str());
    return simt::compiler::usage;
  }
  try {
    std::string messages;
    std::string text;
    const int status = simt::compiler::run(job, messages, text);
    std::fputs(messages.c_str(), stderr);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simt-cc: %s\n", error.what());
    return simt::compiler::unavailable;
  }
}
