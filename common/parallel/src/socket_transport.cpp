#include <algorithm>

#include "parallel/cuda_check.h"
#include "parallel/transport.h"

namespace parallel {
namespace {

std::size_t end_of(std::span<const Piece> pieces) {
  std::size_t end = 0;
  for (const Piece& piece : pieces) end = std::max(end, piece.first + piece.count);
  return end;
}

class SocketTransport final : public Transport {
 public:
  explicit SocketTransport(const Group& group) : group_(group) {}

  const char* name() const override { return "sockets"; }

  std::vector<int> all_gather(const int* mine, std::size_t count, cudaStream_t stream) override {
    std::vector<int> host(count);
    download(host.data(), mine, count * sizeof(int), stream);
    return group_.all_gather(std::span<const int>(host));
  }

  void exchange(const float* from, std::span<const Piece> outgoing, float* to,
                std::span<const Piece> incoming, cudaStream_t stream) override {
    out_.resize(std::max(out_.size(), end_of(outgoing)));
    in_.resize(std::max(in_.size(), end_of(incoming)));
    download(out_.data(), from, end_of(outgoing) * sizeof(float), stream);
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (const Piece& piece : outgoing) {
      out.push_back({piece.rank, out_.data() + piece.first, piece.count * sizeof(float)});
    }
    for (const Piece& piece : incoming) {
      in.push_back({piece.rank, in_.data() + piece.first, piece.count * sizeof(float)});
    }
    group_.exchange(out, in);
    for (std::size_t i = 0; i < incoming.size();) {  // neighbours in one copy
      const std::size_t first = incoming[i].first;
      std::size_t end = first;
      while (i < incoming.size() && incoming[i].first == end) end += incoming[i++].count;
      upload(to + first, in_.data() + first, (end - first) * sizeof(float), stream);
    }
  }

  void all_reduce_sum(float* array, std::size_t count, cudaStream_t stream) override {
    if (group_.size() == 1) return;
    std::vector<float> sum(count);
    download(sum.data(), array, count * sizeof(float), stream);
    const std::vector<float> all = group_.all_gather(std::span<const float>(sum));
    std::copy_n(all.begin(), count, sum.begin());
    for (std::size_t i = count; i < all.size(); ++i) sum[i % count] += all[i];
    upload(array, sum.data(), count * sizeof(float), stream);
  }

 private:
  static void download(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream),
          "copying to the host");
    check(cudaStreamSynchronize(stream), "what was computed before an exchange");
  }
  // The host's array may change as soon as this returns.
  static void upload(void* device, const void* host, std::size_t bytes, cudaStream_t stream) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream),
          "copying to the device");
    check(cudaStreamSynchronize(stream), "copying to the device");
  }

  const Group& group_;
  std::vector<float> out_, in_;
};

}  // namespace

std::unique_ptr<Transport> make_socket_transport(const Group& group) {
  return std::make_unique<SocketTransport>(group);
}

}  // namespace parallel
