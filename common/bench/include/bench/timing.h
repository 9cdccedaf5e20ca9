// Times work on a stream with events.
//
//   cold      before each sample the L2 cache is overwritten; the call goes in behind that, so that
//             what the host takes to launch it is hidden. Each sample uses another copy of the
//             arrays.
//   replayed  for calls of a few microseconds: a graph of many calls, one after the other,
//   replayed;
//             a sample is the graph's time divided by the calls. The arrays stay in the cache.
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
};

// Puts on the stream what leaves nothing of the arrays in the cache.
using Flush = std::function<void(cudaStream_t)>;

// Memory as large as the L2 cache, overwritten to flush it. The cache is then full of what still
// has to be written to memory: work that writes as much pays for that in its own writes' stead,
// and work that writes little is charged for up to a cache full of writes that are not its own.
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
                               const Flush& flush, const TimingOptions& options);

}  // namespace bench
