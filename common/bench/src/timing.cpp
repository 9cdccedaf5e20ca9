#include "bench/timing.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "bench/check.h"

namespace bench {
namespace {

constexpr int kWarmUps = 3;
// A cache full of writes takes an H200 14 us: less than a third of a percent of such a call.
constexpr double kLongCall = 5e-3;

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
  void wait() { check(cudaEventSynchronize(event_), "the timed work"); }
  double since(const Event& begin) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "the time between two events");
    return static_cast<double>(milliseconds) / 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Takes samples until there are enough, or enough time has gone by.
template <class Sample>
std::vector<double> take(const TimingOptions& options, Sample sample) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  std::vector<double> samples;
  while (static_cast<int>(samples.size()) < options.least_samples ||
         (static_cast<int>(samples.size()) < options.most_samples && Clock::now() < end)) {
    samples.push_back(sample());
  }
  return samples;
}

struct Graph {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ~Graph() {
    if (executable != nullptr) cudaGraphExecDestroy(executable);
    if (graph != nullptr) cudaGraphDestroy(graph);
  }
};

}  // namespace

const char* name(Method method) {
  return method == Method::cold ? "cold" : "replayed";
}

CacheFlush::CacheFlush() {
  int device = 0;
  int l2 = 0;
  check(cudaGetDevice(&device), "the device");
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device), "the size of the L2 cache");
  bytes_ = static_cast<std::size_t>(std::max(l2, 1 << 20)) * 2;
  check(cudaMalloc(&memory_, bytes_), "memory to flush the cache with");
}

CacheFlush::~CacheFlush() {
  cudaFree(memory_);
}

void CacheFlush::operator()(cudaStream_t stream) const {
  check(cudaMemsetAsync(memory_, 0, bytes_, stream), "flushing the cache");
}

std::vector<double> time_calls(const std::function<void(int)>& call, cudaStream_t stream,
                               const CacheFlush& flush, const TimingOptions& options) {
  int turn = 0;
  Event begin;
  Event end;
  for (int i = 0; i < kWarmUps; ++i) {
    begin.record(stream);
    call(turn++);
    end.record(stream);
  }
  check(cudaGetLastError(), "a launch");
  check(cudaStreamSynchronize(stream), "warming up");
  if (options.method == Method::cold) {
    const int before = end.since(begin) > kLongCall ? 0 : options.calls_before;
    return take(options, [&] {
      flush(stream);
      for (int i = 0; i < before; ++i) call(turn++);
      begin.record(stream);
      call(turn++);
      end.record(stream);
      end.wait();
      return end.since(begin);
    });
  }
  Graph graph;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing calls");
  for (int i = 0; i < options.calls_a_graph; ++i) call(0);
  check(cudaStreamEndCapture(stream, &graph.graph),
        "a graph of calls, which may neither wait for the device nor allocate");
  check(cudaGraphInstantiate(&graph.executable, graph.graph, 0), "a graph of calls");
  check(cudaGraphLaunch(graph.executable, stream), "a graph of calls");
  return take(options, [&] {
    begin.record(stream);
    check(cudaGraphLaunch(graph.executable, stream), "a graph of calls");
    end.record(stream);
    end.wait();
    return end.since(begin) / options.calls_a_graph;
  });
}

}  // namespace bench
