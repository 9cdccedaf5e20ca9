// simt-cc: compiles a lesson's .cu for the CPU runtime, or for the GPU with nvcc.
//
// getopt rather than an option library: this tool is built before the first lesson can be graded,
// and people seldom type its options.
#include <getopt.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "driver.h"

namespace {

namespace fs = std::filesystem;
using simt::compiler::Backend;
using simt::compiler::Job;
using simt::compiler::Product;

constexpr const char* help_text = R"(usage: simt-cc [options] -o OUTPUT FILE.cu

Compiles a lesson's .cu file into the object that its grader loads.

  --lesson NNN_slug     the lesson whose rules hold and whose function is exported
  --function NAME       the function to export (default: the lesson's slug)
  --workbook FOLDER     its root: solutions, graders and other lessons' kernels are not included
  --allow OBJECT.so     another lesson's object whose functions may be called (repeatable)
  --link OBJECT.o       what --relocatable kept of another lesson becomes part of the object, and its
                        functions may be called (repeatable)
  --relocatable FILE.o  keep the object before it is linked
  --program             the file has a main: make a program
  -E                    print the rewritten source
  --unchecked           optimise, and leave the checks out
  --profile             for a run that counts (simt/inspect.h): the checks of accesses alone
  --gate auto|off       ask clang++ whether the CUDA is legal (default: auto, where there is one)
  --backend cpu|cuda    the CPU runtime (default) or nvcc
  --arch sm_NN|native   CUDA architecture (default: that of this machine's GPU, else sm_90)
  -D NAME[=VALUE]       define a macro
  -I FOLDER             add a folder of headers
  --depfile FILE        write a make rule with the files read
  --keep-temps FOLDER   keep the intermediate files there
  --color               colour the messages
  --help                this text

Exit status: 0 compiled, 2 wrong usage, 3 does not compile, 5 this machine or the CPU runtime lacks
what the file needs, 6 a compiler of this machine is missing or does not work.
)";

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

void find_parts(Job& job) {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  // build/cpu/bin is three folders below the source tree's root.
  const fs::path tree = bin.parent_path().parent_path().parent_path();
  job.simt_include = first_existing({fs::path(SIMT_INCLUDE_DIR), tree / "common/simt/include"});
  job.moe_include = first_existing({fs::path(MOE_INCLUDE_DIR), tree / "common/moe/include"});
  job.gate_include = first_existing({fs::path(SIMT_GATE_DIR), tree / "common/simt/compiler/gate"});
  job.library = first_existing({bin.parent_path() / "lib" / "libsimt.so", fs::path(SIMT_LIBRARY)});
}

int usage(const std::string& complaint) {
  std::fprintf(stderr, "simt-cc: %s (--help lists the options)\n", complaint.c_str());
  return simt::compiler::usage;
}

enum Option {
  option_lesson = 256,
  option_function,
  option_workbook,
  option_allow,
  option_link,
  option_relocatable,
  option_program,
  option_unchecked,
  option_profile,
  option_gate,
  option_backend,
  option_arch,
  option_depfile,
  option_keep,
  option_color,
  option_help,
};

constexpr option long_options[] = {
    {"lesson", required_argument, nullptr, option_lesson},
    {"function", required_argument, nullptr, option_function},
    {"workbook", required_argument, nullptr, option_workbook},
    {"allow", required_argument, nullptr, option_allow},
    {"link", required_argument, nullptr, option_link},
    {"relocatable", required_argument, nullptr, option_relocatable},
    {"program", no_argument, nullptr, option_program},
    {"unchecked", no_argument, nullptr, option_unchecked},
    {"profile", no_argument, nullptr, option_profile},
    {"gate", required_argument, nullptr, option_gate},
    {"backend", required_argument, nullptr, option_backend},
    {"arch", required_argument, nullptr, option_arch},
    {"output", required_argument, nullptr, 'o'},
    {"depfile", required_argument, nullptr, option_depfile},
    {"keep-temps", required_argument, nullptr, option_keep},
    {"color", no_argument, nullptr, option_color},
    {"help", no_argument, nullptr, option_help},
    {nullptr, 0, nullptr, 0},
};

// Returns a negative number to go on, else the exit status.
int read_arguments(int argc, char** argv, Job& job) {
  for (int option = 0;
       (option = getopt_long(argc, argv, "o:D:I:E", long_options, nullptr)) != -1;) {
    const std::string value = optarg == nullptr ? "" : optarg;
    switch (option) {
      case 'o':
        job.output = value;
        break;
      case 'D':
        job.definitions.push_back(value);
        break;
      case 'I':
        job.includes.push_back(value);
        break;
      case 'E':
        job.product = Product::rewritten_source;
        break;
      case option_lesson:
        job.lesson = value;
        break;
      case option_function:
        job.function = value;
        break;
      case option_workbook:
        job.workbook = value;
        break;
      case option_allow:
        job.allowed.push_back(value);
        break;
      case option_link:
        job.linked.push_back(value);
        break;
      case option_relocatable:
        job.relocatable = value;
        break;
      case option_program:
        job.product = Product::program;
        break;
      case option_unchecked:
        job.checked = false;
        break;
      case option_profile:
        job.profile = true;
        break;
      case option_gate:
        if (value != "auto" && value != "off") return usage("--gate wants auto or off");
        job.gate = value == "auto";
        break;
      case option_backend:
        if (value != "cpu" && value != "cuda") return usage("--backend wants cpu or cuda");
        job.backend = value == "cpu" ? Backend::cpu : Backend::cuda;
        break;
      case option_arch:
        job.architecture = value;
        break;
      case option_depfile:
        job.depfile = value;
        break;
      case option_keep:
        job.keep = value;
        break;
      case option_color:
        job.colour = true;
        break;
      case option_help:
        std::fputs(help_text, stdout);
        return 0;
      default:
        return simt::compiler::usage;
    }
  }
  if (optind + 1 != argc) return usage("one .cu file is wanted");
  job.source = argv[optind];
  if (job.output.empty() && job.product != Product::rewritten_source) {
    return usage("-o is wanted");
  }
  if (job.profile && !job.checked) return usage("--profile and --unchecked exclude each other");
  if (!job.lesson.empty() && (job.lesson.size() < 5 || job.lesson[3] != '_')) {
    return usage("--lesson wants NNN_slug, not '" + job.lesson + "'");
  }
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Job job;
    find_parts(job);
    const int early = read_arguments(argc, argv, job);
    if (early >= 0) return early;
    std::string messages;
    std::string text;
    const int status = simt::compiler::run(job, messages, text);
    std::fputs(messages.c_str(), stderr);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simt-cc: %s\n", error.what());
    return simt::compiler::broken;
  }
}
