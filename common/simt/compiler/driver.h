// From a learner's .cu to an object that a grader can load, or to a program.
#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

enum class Product { kernel_object, program, rewritten_source };
enum class Backend { cpu, cuda };

struct Job {
  std::string source;
  std::string output;
  std::string relocatable;  // the object before it is linked is kept here; empty: not kept
  Product product = Product::kernel_object;
  Backend backend = Backend::cpu;
  std::string lesson;                // "001_matmul_nn"; empty: no lesson's rules
  std::string function;              // empty: the lesson's slug
  std::vector<std::string> allowed;  // shared objects whose functions may be called
  std::vector<std::string> linked;   // relocatable objects that become part of this one
  bool checked = true;               // compile the checks in
  bool profile = false;              // ... and what a profile run counts
  bool gate = true;                  // ask clang whether the CUDA is legal, where there is one
  bool colour = false;
  std::string keep;  // folder for intermediate files; empty: none kept
  std::string depfile;
  std::string architecture;              // CUDA: "sm_90", "native"; empty: found out
  std::vector<std::string> definitions;  // -D
  std::vector<std::string> includes;     // -I

  // Where things are.
  std::string simt_include;
  std::string moe_include;
  std::string gate_include;
  std::string library;  // libsimt.so
  // The root of the tree that the lesson is in, whose solutions and graders may not be included.
  std::string workbook;
};

// Exit statuses of the tool.
enum Status : int {
  succeeded = 0,
  usage = 2,
  does_not_compile = 3,
  unavailable = 5,  // the file needs what the CPU runtime has not
  broken = 6,       // a compiler or linker of this machine is missing or does not work
};

// Compiles; writes messages for the learner to `messages` and, for Product::rewritten_source, the
// text to `output_text`. Returns a Status.
int run(const Job& job, std::string& messages, std::string& output_text);

}  // namespace simt::compiler
