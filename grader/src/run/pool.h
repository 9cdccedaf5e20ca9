// Runs many small jobs on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace grade {

// Calls work(i) for i in [0, count), `at_once` at a time (0: a core each), in ascending order of
// start. `done(i)` is called after each, one at a time. The first exception stops the start of
// further jobs and is
// thrown again at the end.
template <class Work, class Done>
void for_each_parallel(std::size_t count, Work work, Done done, std::size_t at_once = 0) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
        const std::lock_guard lock(mutex);
        done(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  if (at_once == 0) at_once = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads = std::min(count, at_once);
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < threads; ++i) pool.emplace_back(loop);
  loop();
  pool.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace grade
