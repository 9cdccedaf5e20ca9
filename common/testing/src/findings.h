// What a trial has found so far, and the outcome that it comes to: which reports are one, what a
// read of nothing weighs, and how the message is put.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "comparison.h"
#include "testing/diagnostic.h"
#include "testing/trial.h"
#include "trial_state.h"

namespace testing {

class Findings {
 public:
  bool good() const { return outcome_.passed; }

  // One of the same place and kind as an earlier one adds to its count.
  void add(Diagnostic diagnostic);
  void add(std::vector<Diagnostic> diagnostics);
  // An error that a call or the device left, unless a check already said more about it.
  void add(cudaError_t error, const char* what);

  bool has_error(const std::string& kind) const;
  bool noted(const std::string& kind) const;  // and it is no error
  Diagnostic* find(const std::string& kind, const std::string& array);

  // The values cannot be compared. The first reason counts.
  void stop(std::string why);
  bool stopped() const { return !stopped_.empty(); }

  // The first array that is wrong is described, the others are mentioned.
  void add_wrong_values(const std::string& message);
  bool values_are_wrong() const { return !values_.empty(); }
  void name_mistake(const std::string& slug) { outcome_.mistake = slug; }

  // Reads of what nothing wrote: whether there were any; that the outputs are wrong or change with
  // them, so that they are errors; and at the end, that the outputs do not depend on them.
  bool has_uninitialized_notes() const;
  void blame_uninitialized(const char* why);
  void excuse_uninitialized();
  UnwrittenReads unwritten_reads() const;

  // Which run it was, where only a later one went wrong.
  void name_run(std::string text) { run_ = std::move(text); }

  Outcome outcome(const Trial::State& trial) const;

 private:
  std::string error_kinds() const;  // "race, out_of_bounds"

  Outcome outcome_;
  std::string stopped_;  // why the values were not compared
  std::string values_;   // what is wrong with them
  std::string run_;
};

}  // namespace testing
