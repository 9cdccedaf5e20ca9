// Graphs captured from streams: kernels, copies, fills, host functions, forks and joins.
#include "construct.h"

template <class T>
__global__ void add(T* d, T value) {
  d[threadIdx.x] += value;
}
struct Pair {
  int a, b;
};
__global__ void add_pair(int* d, Pair pair) { d[threadIdx.x] += pair.a * pair.b; }

void count(void* data) { ++*static_cast<int*>(data); }

// Launches with arguments that are gone when the graph runs.
void work(int* d, const int* source, cudaStream_t stream) {
  int three = 3;
  CHECK(cudaMemcpyAsync(d, source, 32 * sizeof(int), cudaMemcpyDeviceToDevice, stream) == cudaSuccess);
  add<<<1, 32, 0, stream>>>(d, three);
  Pair pair{4, 5};
  void* arguments[] = {&d, &pair};
  CHECK(cudaLaunchKernel(add_pair, 1, 16, arguments, 0, stream) == cudaSuccess);
  three = pair.a = -1;
  CHECK(cudaMemsetAsync(d + 31, 0, sizeof(int), stream) == cudaSuccess);
}

int main() {
  int* d = device_ints(32);
  int* source = device_ints(32);
  cudaStream_t stream, side;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking) == cudaSuccess);

  int calls = 0;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive);
  work(d, source, stream);
  CHECK(cudaLaunchHostFunc(stream, count, &calls) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 5);
  CHECK(value_at(d, 0) == 0);  // nothing ran

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int round = 1; round <= 3; ++round) {
    CHECK(cudaMemset(source, 0, 32 * sizeof(int)) == cudaSuccess);
    add<<<1, 32>>>(source, 10 * round);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(value_at(d, 0) == 10 * round + 23 && value_at(d, 20) == 10 * round + 3 && value_at(d, 31) == 0);
    CHECK(calls == round);
  }

  // A second stream that forks off and joins.
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMemsetAsync(d, 0, 32 * sizeof(int), stream) == cudaSuccess);
  CHECK(cudaEventRecord(fork, stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  add<<<1, 16, 0, side>>>(d, 1);
  add<<<1, 16, 0, stream>>>(d + 16, 2);
  CHECK(cudaEventRecord(join, side) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, join, 0) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, side) == cudaSuccess);
  CHECK(cudaStreamSynchronize(side) == cudaSuccess);
  CHECK(value_at(d, 3) == 1 && value_at(d, 17) == 2);

  // What may not happen while a stream captures.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated && graph == nullptr);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  cudaGetLastError();
  add<<<1, 32, 0, stream>>>(d, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(value_at(d, 3) == 2);
}
