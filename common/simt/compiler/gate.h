// The legality gate: clang's CUDA front end reads the file beside g++ and objects to what a GPU's
// compiler would reject.
#pragma once

#include <memory>
#include <vector>

#include "driver.h"
#include "messages.h"
#include "process.h"

namespace simt::compiler {

class Gate {
 public:
  // Starts clang++, where there is one.
  explicit Gate(const Job& job);

  // Waits for clang and returns its objections to the author's lines: nothing when there is any
  // doubt about them. `unusual_launches`: the file spells a launch in a way that clang does not
  // know.
  std::vector<Message> objections(const TranslateOptions& options, bool unusual_launches);

 private:
  std::unique_ptr<Process> clang_;
};

// Drops what is not about CUDA's own rules. About the rest of C++, a g++ that is content is right.
void keep_cuda_rules(std::vector<Message>& objections);

// Both compilers' errors in one list: each place once, and clang's words where g++ stumbled over
// generated text.
void prefer_objections(std::vector<Message>& errors, const std::vector<Message>& objections);

}  // namespace simt::compiler
