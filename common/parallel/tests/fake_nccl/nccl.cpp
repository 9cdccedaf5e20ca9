#include "nccl.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "parallel/transport.h"

struct ncclComm {};

namespace {

const parallel::Group* group = nullptr;
bool grouped = false;

struct Call {
  int peer;
  const void* from;
  void* to;
  std::vector<char> bytes;  // on the host
};
std::vector<Call> calls;

ncclResult_t put(int peer, const void* from, void* to, std::size_t count) {
  if (!grouped || peer == group->rank() || count == 0) return ncclInvalidUsage;
  calls.push_back({peer, from, to, std::vector<char>(4 * count)});
  return ncclSuccess;
}

}  // namespace

void fake_nccl_group(const parallel::Group* of) {
  group = of;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, 7, sizeof id->internal);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank) {
  // Rank 0's id must have come to everybody, or a real communicator would never come about.
  if (std::count(std::begin(id.internal), std::end(id.internal), 7) != sizeof id.internal) {
    return ncclInvalidUsage;
  }
  if (ranks != group->size() || rank != group->rank()) return ncclInvalidUsage;
  *communicator = new ncclComm;
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  delete communicator;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  return ncclCommDestroy(communicator);
}

const char* ncclGetErrorString(ncclResult_t) {
  return "invalid usage";
}

const char* ncclGetLastError(ncclComm_t) {
  return "of the fake";
}

ncclResult_t ncclGroupStart() {
  grouped = true;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  grouped = false;
  std::vector<parallel::Outgoing> out;
  std::vector<parallel::Incoming> in;
  for (Call& call : calls) {
    if (call.from != nullptr) {
      cudaMemcpy(call.bytes.data(), call.from, call.bytes.size(), cudaMemcpyDeviceToHost);
      out.push_back({call.peer, call.bytes.data(), call.bytes.size()});
    } else {
      in.push_back({call.peer, call.bytes.data(), call.bytes.size()});
    }
  }
  group->exchange(out, in);
  for (const Call& call : calls) {
    if (call.from == nullptr) {
      cudaMemcpy(call.to, call.bytes.data(), call.bytes.size(), cudaMemcpyHostToDevice);
    }
  }
  calls.clear();
  return ncclSuccess;
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t, int peer, ncclComm_t,
                      cudaStream_t) {
  return put(peer, from, nullptr, count);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t, int peer, ncclComm_t,
                      cudaStream_t) {
  return put(peer, nullptr, to, count);
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t, cudaStream_t stream) {
  if (type != ncclInt32) return ncclInvalidUsage;
  const std::vector<int> all = parallel::make_socket_transport(*group)->all_gather(
      static_cast<const int*>(from), count, stream);
  cudaMemcpy(to, all.data(), all.size() * sizeof(int), cudaMemcpyHostToDevice);
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t, ncclComm_t, cudaStream_t stream) {
  if (from != to || type != ncclFloat32) return ncclInvalidUsage;
  parallel::make_socket_transport(*group)->all_reduce_sum(static_cast<float*>(to), count, stream);
  return ncclSuccess;
}
