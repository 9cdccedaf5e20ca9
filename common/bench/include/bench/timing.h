// Times work on a stream with events.
//
//   cold      Before each sample the L2 cache is overwritten. Then come calls on other copies of
//             the arrays, so that the cache is full of what such calls leave there: what has yet to
//             be written to memory is this work's own, not the flush's. The sample goes in behind
//             them, so that what the host takes to launch it is hidden.
//   replayed  For calls of a few microseconds: a graph of many calls, one after the other,
//             replayed; a sample is its time divided by the calls. The arrays stay in the cache.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace bench {

enum class Method { cold, replayed };

const char* name(Method method);

struct TimingOptions {
  Method method = Method::cold;
  int most_samples = 200;
  int least_samples = 10;
  double seconds = 0.5;  // about how long samples are taken
  int calls_a_graph = 50;
  // Before each cold sample; none where a call takes so long that what is in the cache at its
  // beginning does not count.
  int calls_before = 0;
};

// Memory twice as large as the L2 cache, overwritten to flush it. The cache is then full of what
// has yet to be written to memory.
class CacheFlush {
 public:
  CacheFlush();
  ~CacheFlush();
  CacheFlush(const CacheFlush&) = delete;
  CacheFlush& operator=(const CacheFlush&) = delete;
  void operator()(cudaStream_t stream) const;
  std::size_t bytes() const { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// Calls `call(i)`, i = 0, 1, ..., each of which puts the same work on `stream`; the first calls
// warm up. Seconds of each sample. Throws std::runtime_error where CUDA reports an error.
std::vector<double> time_calls(const std::function<void(int)>& call, cudaStream_t stream,
                               const CacheFlush& flush, const TimingOptions& options);

}  // namespace bench
