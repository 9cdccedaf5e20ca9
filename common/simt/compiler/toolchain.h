// The programs that simt-cc runs, and their arguments.
#pragma once

#include <string>
#include <vector>

#include "driver.h"

namespace simt::compiler {

using Arguments = std::vector<std::string>;

// The full path of a program in PATH or in the folders of `more` (each with a ':' before it); empty
// when there is none.
std::string find_program(const std::string& name, const std::string& more = {});

// ---- g++ ----
Arguments preprocess_command(const Job& job);
// Reads the source from stdin.
Arguments compile_command(const Job& job, const std::string& object);
// The same to assembly, and from assembly on stdin to an object.
Arguments assembly_command(const Job& job, const std::string& assembly);
Arguments assemble_command(const std::string& object);
// `script` is a version script; unused for programs. `fast`: with a linker quicker than g++'s own.
Arguments link_command(const Job& job, const std::string& object, const std::string& script,
                       const std::string& output, bool fast);

// ---- clang++, as the legality gate ----
// Empty when there is no clang++.
Arguments gate_command(const Job& job);

// ---- nvcc ----
std::string find_nvcc();
// "sm_90a" of the first GPU, or the course's default where there is none.
std::string find_architecture();
Arguments nvcc_compile_command(const Job& job, const std::string& nvcc,
                               const std::string& architecture, const std::string& object);
Arguments nvcc_link_command(const Job& job, const std::string& nvcc,
                            const std::string& architecture, const std::string& object,
                            const std::string& script);

// A version script that exports `symbol` alone, and the check that a *validate* lesson's file may
// hold beside its function: extern "C" bool check_<function>(...). Nothing when `symbol` is empty.
std::string version_script(const std::string& symbol, const std::string& function);

}  // namespace simt::compiler
