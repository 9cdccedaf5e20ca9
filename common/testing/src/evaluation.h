// Carries out a trial: all runs of the function, and everything that is checked after each.
#pragma once

#include "testing/trial.h"
#include "trial_state.h"

namespace testing {

// With `counts`, a single run that is counted, with all arrays aligned.
Outcome evaluate(Trial::State& trial, const Trial::Call& function, CallCounts* counts = nullptr);

// Runs the function and looks at nothing but what it costs.
CallCounts count(Trial::State& trial, const Trial::Call& function);

}  // namespace testing
