// Compiles one lesson's .cu into a kernel object, once for each content.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "build/backend.h"
#include "build/build_tree.h"
#include "system/paths.h"

namespace grade {

struct KernelSource {
  std::filesystem::path file;
  std::string lesson;                           // "001_matmul_nn"
  std::vector<std::filesystem::path> may_call;  // objects of the lessons that it may call
  // Other than `checks` only on the CPU backend: optimised and without checks, or for a run that
  // counts.
  enum class Purpose { checks, training, counts } purpose = Purpose::checks;
  bool legality = true;  // whether clang is asked about what nvcc would refuse
  std::vector<std::filesystem::path> linked{};  // relocatable objects that become part of it
};

struct CompiledKernel {
  enum class Outcome {
    compiled,
    does_not_compile,  // `messages` says why
    needs_gpu,         // inline PTX and the like, on the CPU backend
    timed_out,
    unavailable,  // this machine cannot compile it
  };
  Outcome outcome = Outcome::unavailable;
  std::filesystem::path object;
  std::string source_hash;           // of the file as it was compiled
  std::string key;                   // names source, headers, flags, compiler and backend together
  std::string messages;              // the compiler's own, untouched, with colours
  std::vector<std::string> sources;  // what the compiler read, the system's headers left out
  bool cached = false;
  double seconds = 0;
};

// Thread-safe after construction.
class KernelCompiler {
 public:
  // The tree's simt-cc must be built.
  KernelCompiler(const Paths& paths, const BuildTree& tree);

  // Whatever is saved meanwhile, the result is that of one state of the file and of what it
  // includes. Throws Error(unavailable) where they never come to rest.
  CompiledKernel compile(const KernelSource& source,
                         const std::atomic<bool>* cancelled = nullptr) const;

 private:
  using Hashes = std::map<std::string, std::string>;  // by file
  std::optional<CompiledKernel> try_to_compile(const KernelSource& source, Hashes& known,
                                               const std::atomic<bool>* cancelled) const;

  const Paths& paths_;
  const BuildTree& tree_;
  std::string toolchain_;  // hash of the compiler, its headers and the backend
};

}  // namespace grade
