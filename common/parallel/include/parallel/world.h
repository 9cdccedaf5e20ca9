// The ranks that somebody else's launcher has started: torchrun, Open MPI's mpirun, Slurm's srun.
#pragma once

#include <functional>
#include <string>

#include "parallel/group.h"

namespace parallel {

struct World {
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  std::string host = "127.0.0.1";  // where rank 0 is
  int port = 29500;                // on which it waits for the others
};

// What the launcher's variables say. `variable` is std::getenv, or a test's. Throws
// std::invalid_argument that names the variable that is missing or wrong.
World world_from(const std::function<const char*(const char*)>& variable);

// Meets the other ranks: each calls rank 0, learns where the others wait, and calls those below
// it. Throws std::runtime_error that says who did not come within `seconds`.
//
// The port takes whoever knows the protocol, as NCCL's own does: for networks that are trusted.
Group join(const World& world, int seconds = 60);

}  // namespace parallel
