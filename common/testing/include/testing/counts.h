// What a call costs, as the CPU runtime counts it: model counts, not times (docs/cpu-runtime.md).
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace testing {

// Numbers by name. A request is one load or store instruction of one warp; a sector is 32 bytes of
// global memory, and nothing is cached; a pass serves each of the 32 banks of shared memory once.
//
//   launches, blocks, barriers, warp_operations, host_waits
//   load_*, store_*, atomic_*         of global memory: requests, lanes, bytes, sectors,
//   best_sectors
//                                     (had the same bytes been side by side), different_sectors
//   shared_load_*, shared_store_*, shared_atomic_*     requests, lanes, bytes, passes, best_passes
//   atomic_crowd, shared_atomic_crowd                  lanes at the most wanted address, summed
//   bytes_asked, bytes_moved, bytes_least  of global memory: what lanes asked for; 32 a sector; 32
//   a
//                                     different sector of each launch, as with a perfect cache
//   bank_conflicts                    passes more than the best
//   flops                             additions, multiplications, divisions, roots, exp and its
//   like steps, step_lanes                 basic blocks that warps entered, and with how many lanes
//   active_lanes                      step_lanes / steps: 32 where no warp diverges
class Counts {
 public:
  // False where this backend counts nothing; every number is 0 then.
  bool available = false;
  // The kernels were compiled for counting. Else (in a lesson's test cases) launches, waits,
  // barriers and bytes asked for are right as well; requests and what follows from them only while
  // no lane of a warp takes another way than the others and no vector is taken apart by its
  // members.
  bool exact = false;

  double operator[](const std::string& name) const {
    if (!available) return 0;
    const auto found = values.find(name);
    if (found == values.end()) throw std::out_of_range("there is no count called " + name);
    return found->second;
  }

  std::map<std::string, double> values;
};

struct CallCounts {
  struct Kernel {
    std::string name;
    Counts counts;  // of all its launches
  };
  Counts total;
  std::vector<Kernel> kernels;  // in the order of their first launches
  std::string trace;            // JSON (docs/cpu-runtime.md), where one was wanted
};

}  // namespace testing
