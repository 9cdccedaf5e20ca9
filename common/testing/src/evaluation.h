// Carries out a trial: all runs of the function, and everything that is checked after each.
#pragma once

#include "testing/trial.h"
#include "trial_state.h"

namespace testing {

Outcome evaluate(Trial::State& trial, const Trial::Call& function);

}  // namespace testing
