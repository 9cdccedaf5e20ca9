// The exchange on arrays of the device, here those of the CPU runtime or a GPU that all share.
#include "parallel/transport.h"

#include <doctest/doctest.h>

#include <array>

#include "in_ranks.h"
#include "parallel/cuda_check.h"

#if FAKE_NCCL
#include "fake_nccl/nccl.h"
extern "C" parallel::Transport* make_transport(const parallel::Group& group);
#endif

namespace {

using parallel::check;
using parallel::Group;
using parallel::Piece;
using parallel_test::in_ranks;

template <class T>
T* upload(const std::vector<T>& values) {
  void* array = nullptr;
  check(cudaMalloc(&array, values.size() * sizeof(T) + 1), "memory");
  check(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "up");
  check(cudaStreamSynchronize(nullptr), "up");  // other streams don't wait for it
  return static_cast<T*>(array);
}

std::vector<float> download(const float* array, std::size_t count) {
  std::vector<float> values(count);
  check(cudaMemcpy(values.data(), array, count * sizeof(float), cudaMemcpyDeviceToHost), "down");
  return values;
}

struct Stream {
  cudaStream_t stream = nullptr;
  Stream() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream"); }
  ~Stream() { cudaStreamDestroy(stream); }
};

using Maker = std::unique_ptr<parallel::Transport> (*)(const Group&);
constexpr std::array kMakers {
  Maker{parallel::make_socket_transport},
#if FAKE_NCCL
      Maker{[](const Group& group) {
        fake_nccl_group(&group);
        return std::unique_ptr<parallel::Transport>(make_transport(group));
      }},
#endif
};

void over_all_transports(const std::function<bool(const Group&, parallel::Transport&)>& body) {
  for (const Maker make : kMakers) {
    for (int ranks = 1; ranks <= 4; ++ranks) {
      in_ranks(ranks, [&](const Group& group) { return body(group, *make(group)); });
    }
  }
}

}  // namespace

TEST_CASE("counts of all ranks, and sums that are the same bits everywhere, in the ranks' order") {
  over_all_transports([](const Group& group, parallel::Transport& transport) {
    const int ranks = group.size();
    const Stream on;
    const std::vector<int> mine{group.rank(), 7};
    const std::vector<int> all = transport.all_gather(upload(mine), 2, on.stream);
    float expected = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      RANK_CHECK(all[2 * static_cast<std::size_t>(rank)] == rank);
      RANK_CHECK(all[2 * static_cast<std::size_t>(rank) + 1] == 7);
      expected += 1.0f / static_cast<float>(3 * rank + 3);
    }
    float* const array =
        upload(std::vector<float>{1.0f, 1.0f / static_cast<float>(3 * group.rank() + 3)});
    transport.all_reduce_sum(array, 2, on.stream);
    check(cudaStreamSynchronize(on.stream), "sync");
    const std::vector<float> sums = download(array, 2);
    RANK_CHECK(sums[0] == static_cast<float>(ranks));
    RANK_CHECK(sums[1] == expected);
    return true;
  });
}

// Rank r has r + q rows of two floats for rank q (none for r = q = 0), twice: a row of the first
// lot is (r, q), one of the second (r, -q). The receiver wants the second lots first.
TEST_CASE("rows of uneven counts land where the receiver wants them, and come back") {
  over_all_transports([](const Group& group, parallel::Transport& transport) {
    const int ranks = group.size(), own = group.rank();
    std::vector<float> rows;
    std::vector<Piece> outgoing, incoming;
    for (int to = 0; to < ranks; ++to) {
      for (const int sign : {1, -1}) {
        const auto count = static_cast<std::size_t>(own) + static_cast<std::size_t>(to);
        outgoing.push_back({to, rows.size(), 2 * count});
        for (std::size_t i = 0; i < count; ++i) {
          rows.push_back(static_cast<float>(own));
          rows.push_back(static_cast<float>(sign * to));
        }
      }
    }
    std::size_t lot = 0;
    for (int from = 0; from < ranks; ++from) lot += 2 * static_cast<std::size_t>(from + own);
    std::size_t first = 0;
    for (int from = 0; from < ranks; ++from) {
      const std::size_t count = 2 * static_cast<std::size_t>(from + own);
      incoming.push_back({from, lot + first, count});
      incoming.push_back({from, first, count});
      first += count;
    }
    const Stream on;
    const float* const sent = upload(rows);
    float* const received = upload(std::vector<float>(2 * lot, -99.0f));
    transport.exchange(sent, outgoing, received, incoming, on.stream);
    check(cudaStreamSynchronize(on.stream), "sync");
    const std::vector<float> got = download(received, 2 * lot);
    std::size_t next = 0;
    for (const float sign : {-1.0f, 1.0f}) {
      for (int from = 0; from < ranks; ++from) {
        for (int i = 0; i < from + own; ++i, next += 2) {
          RANK_CHECK(got[next] == static_cast<float>(from));
          RANK_CHECK(got[next + 1] == sign * static_cast<float>(own));
        }
      }
    }
    float* const back = upload(std::vector<float>(rows.size(), -99.0f));
    transport.exchange(received, incoming, back, outgoing, on.stream);
    check(cudaStreamSynchronize(on.stream), "sync");
    RANK_CHECK(download(back, rows.size()) == rows);
    return true;
  });
}
