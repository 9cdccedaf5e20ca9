// Stream capture: work that is noted down instead of done, and graphs that do it later.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace simt {
struct Launch;
}

namespace simt::graphs {

// The work of one node, on the stream that the graph is launched on.
using Work = std::function<cudaError_t(cudaStream_t stream)>;

bool is_capturing(cudaStream_t stream);
// Notes work down for a stream that is capturing.
void add(cudaStream_t stream, Work work);
// A launch with copies of its arguments.
Work keep(const Launch& launch);

// For work on the legacy default stream, and calls that wait for the device or change memory while
// a stream is capturing: the error, and the end of the capture; or success.
cudaError_t refuse_on_legacy_stream(cudaStream_t stream);
cudaError_t refuse_while_capturing();
// The same for calls that wait for one stream.
cudaError_t refuse_if_capturing(cudaStream_t stream);

// Events and streams joining and leaving a capture.
void record_event(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event);
bool is_captured(cudaEvent_t event);
void forget(cudaStream_t stream);

void reset();

}  // namespace simt::graphs
