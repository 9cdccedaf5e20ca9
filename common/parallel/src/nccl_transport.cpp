// The module that make_nccl_transport() opens: NCCL is large, and a run of one rank needs none of
// it.
#include <fmt/format.h>
#include <nccl.h>

#include <exception>

#include "parallel/cuda_check.h"
#include "parallel/transport.h"

namespace parallel {
namespace {

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(const Group& group) : group_(group) {
    ncclUniqueId id{};
    if (group.rank() == 0) check(ncclGetUniqueId(&id), "starting NCCL");
    group.broadcast(&id, sizeof id);
    check(ncclCommInitRank(&communicator_, group.size(), id, group.rank()),
          "joining the other ranks by NCCL");
  }
  ~NcclTransport() override {
    if (gathered_ != nullptr) cudaFree(gathered_);
    if (communicator_ == nullptr) return;
    // After a failure the others may never come to the destruction, which waits for them.
    if (std::uncaught_exceptions() > exceptions_) {
      ncclCommAbort(communicator_);
    } else {
      ncclCommDestroy(communicator_);
    }
  }
  NcclTransport(const NcclTransport&) = delete;
  NcclTransport& operator=(const NcclTransport&) = delete;

  const char* name() const override { return "nccl"; }

  std::vector<int> all_gather(const int* mine, std::size_t count, cudaStream_t stream) override {
    std::vector<int> all(count * static_cast<std::size_t>(group_.size()));
    if (all.size() > gathered_size_) {
      cudaFree(gathered_);
      gathered_ = nullptr;
      gathered_size_ = 0;
      parallel::check(cudaMalloc(&gathered_, all.size() * sizeof(int)), "allocating memory");
      gathered_size_ = all.size();
    }
    check(ncclAllGather(mine, gathered_, count, ncclInt32, communicator_, stream),
          "gathering counts");
    parallel::check(cudaMemcpyAsync(all.data(), gathered_, all.size() * sizeof(int),
                                    cudaMemcpyDeviceToHost, stream),
                    "copying to the host");
    parallel::check(cudaStreamSynchronize(stream), "what was computed before the counts");
    return all;
  }

  void exchange(const float* from, std::span<const Piece> outgoing, float* to,
                std::span<const Piece> incoming, cudaStream_t stream) override {
    // One group: NCCL drives all of it at once, so no send waits for a receive that comes later.
    check(ncclGroupStart(), "beginning an exchange");
    for (const Piece& piece : outgoing) {
      if (piece.rank == group_.rank() || piece.count == 0) continue;
      check(
          ncclSend(from + piece.first, piece.count, ncclFloat32, piece.rank, communicator_, stream),
          "sending rows");
    }
    for (const Piece& piece : incoming) {
      if (piece.rank == group_.rank() || piece.count == 0) continue;
      check(ncclRecv(to + piece.first, piece.count, ncclFloat32, piece.rank, communicator_, stream),
            "receiving rows");
    }
    check(ncclGroupEnd(), "an exchange");
    copy_own(from, outgoing, to, incoming, stream);
  }

  void all_reduce_sum(float* array, std::size_t count, cudaStream_t stream) override {
    check(ncclAllReduce(array, array, count, ncclFloat32, ncclSum, communicator_, stream),
          "adding up over the ranks");
  }

 private:
  // Rows that stay, in the same order as those that travel.
  void copy_own(const float* from, std::span<const Piece> outgoing, float* to,
                std::span<const Piece> incoming, cudaStream_t stream) const {
    auto here = incoming.begin();
    for (const Piece& piece : outgoing) {
      if (piece.rank != group_.rank()) continue;
      while (here->rank != group_.rank()) ++here;
      if (piece.count > 0) {
        parallel::check(
            cudaMemcpyAsync(to + here->first, from + piece.first, piece.count * sizeof(float),
                            cudaMemcpyDeviceToDevice, stream),
            "copying rows");
      }
      ++here;
    }
  }

  void check(ncclResult_t result, const char* what) const {
    if (result == ncclSuccess) return;
    throw std::runtime_error(fmt::format("{}: {} ({})", what, ncclGetErrorString(result),
                                         ncclGetLastError(communicator_)));
  }

  const Group& group_;
  const int exceptions_ = std::uncaught_exceptions();
  ncclComm_t communicator_ = nullptr;
  int* gathered_ = nullptr;
  std::size_t gathered_size_ = 0;
};

}  // namespace
}  // namespace parallel

extern "C" parallel::Transport* make_transport(const parallel::Group& group) {
  return new parallel::NcclTransport(group);
}
