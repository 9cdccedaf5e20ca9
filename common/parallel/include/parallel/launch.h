// Starts the ranks of one host.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parallel/group.h"

namespace parallel {

// What a rank returns that has nothing to say itself: another one has ended.
constexpr int kPeerGone = 6;

struct Ended {
  int code = 0;      // what its function returned
  int signal = 0;    // that ended it; 0: none
  bool cut = false;  // ended by run_ranks, because another one had failed
  std::string last;  // the last line that it wrote to standard error
};

// Calls `body` in `count` processes, forked from this one, which must have touched neither CUDA nor
// a thread. Their standard error goes to this one's, and is kept. When one ends with anything but
// 0 the others have two seconds to end, too. `stop` is asked now and then: once it returns true all
// ranks get a SIGTERM. When this process dies, so do they.
std::vector<Ended> run_ranks(int count, const std::function<int(Group)>& body,
                             const std::function<bool()>& stop = {});

// The rank whose end ended the others: the first that failed for a reason of its own, or, where all
// put it on another, the first that failed. -1: none did.
int first_failure(const std::vector<Ended>& ranks);

}  // namespace parallel
