// A layer over ranks is the layer on one device: the same bounds hold for both. The ranks are
// processes; what rank 0 has in the end it leaves in memory that this one shares with it.
//
// RANK_TEST_NCCL=N: by NCCL, on 1 to N GPUs, instead of 1 to 4 ranks by sockets.
#include "rank_layer.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "layers.h"
#include "oracle/oracle.h"
#include "parallel/launch.h"
#include "parallel/transport.h"

namespace {

using oracle_test::Doubles;
using oracle_test::RandomLayer;
using train::Parameters;
using train::Task;

struct Trained {
  std::vector<float> losses;  // [2*steps]
  std::vector<float> load;    // before
  Parameters parameters, gradients;
  std::vector<float> dX;

  template <class Self, class F>
  static void each(Self& self, F f) {
    f(self.losses);
    f(self.load);
    Parameters::each(self.parameters, f);
    Parameters::each(self.gradients, f);
    f(self.dX);
  }
  bool operator==(const Trained& other) const {
    return losses == other.losses && parameters.Wg == other.parameters.Wg &&
           parameters.W1 == other.parameters.W1 && parameters.b1 == other.parameters.b1 &&
           parameters.W2 == other.parameters.W2 && parameters.b2 == other.parameters.b2;
  }
};

class SharedFloats {
 public:
  explicit SharedFloats(std::size_t count) : bytes_(count * sizeof(float) + 1) {
    void* const memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    data_ = static_cast<float*>(memory);
  }
  ~SharedFloats() { munmap(data_, bytes_); }
  SharedFloats(const SharedFloats&) = delete;
  SharedFloats& operator=(const SharedFloats&) = delete;
  float* data() const { return data_; }

 private:
  std::size_t bytes_;
  float* data_ = nullptr;
};

const char* const nccl = std::getenv("RANK_TEST_NCCL");
const int most_ranks = nccl != nullptr ? std::atoi(nccl) : 4;

std::unique_ptr<parallel::Transport> connect(const parallel::Group& group) {
  int devices = 0;
  parallel::check(cudaGetDeviceCount(&devices), "looking for GPUs");
  parallel::check(cudaSetDevice(group.rank() % devices), "choosing a GPU");
  return nccl != nullptr ? parallel::make_nccl_transport(group)
                         : parallel::make_socket_transport(group);
}

Trained train_in_ranks(int ranks, const MoeConfig& config, const Task& task,
                       const Parameters& start, int steps, float lr) {
  Trained result;
  result.losses.resize(2 * static_cast<std::size_t>(steps));
  result.load.resize(static_cast<std::size_t>(config.E));
  result.parameters = result.gradients = train::zero_parameters(config);
  result.dX.resize(task.X.size());
  std::size_t floats = 0;
  Trained::each(result, [&](const std::vector<float>& array) { floats += array.size(); });
  const SharedFloats shared(floats);

  const auto ended = parallel::run_ranks(ranks, [&](const parallel::Group& group) {
    train::RankLayer layer(config, group, connect(group),
                           slice(task, config, parallel::share_of(config.T, ranks, group.rank())),
                           slice(start, config, parallel::share_of(config.E, ranks, group.rank())));
    Trained mine;
    mine.load = layer.load();
    mine.losses = layer.train(steps, lr);
    mine.parameters = layer.parameters();
    mine.gradients = layer.gradients();
    mine.dX = layer.input_gradient();
    if (group.rank() != 0) return 0;
    float* next = shared.data();
    Trained::each(mine, [&](const std::vector<float>& array) {
      next = std::copy(array.begin(), array.end(), next);
    });
    return next == shared.data() + floats ? 0 : 1;
  });
  INFO("ranks: ", ranks);
  REQUIRE(parallel::first_failure(ended) == -1);
  const float* next = shared.data();
  Trained::each(result, [&](std::vector<float>& array) {
    std::copy_n(next, array.size(), array.begin());
    next += array.size();
  });
  return result;
}

std::vector<float> floats(const Doubles& values) {
  return {values.begin(), values.end()};
}

// How many of `got` lie outside of their bounds.
int wrong(const oracle::Bounded& due, const std::vector<float>& got) {
  if (due.size() != got.size()) return -1;
  int count = 0;
  for (std::size_t i = 0; i < got.size(); ++i) count += due.accepts(i, got[i]) ? 0 : 1;
  return count;
}

// One step from `layer`, in each number of ranks, against the step in double precision.
void check_step(const MoeConfig& config, const RandomLayer& layer) {
  const float lr = 0.1f;
  const oracle::TrainStep exact =
      oracle::train_step(config, layer.params(), layer.X, layer.target, lr);
  REQUIRE(exact.forward.certain);
  const Task task{floats(layer.X), floats(layer.target)};
  const Parameters start{floats(layer.Wg), floats(layer.W1), floats(layer.b1), floats(layer.W2),
                         floats(layer.b2)};
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    INFO("ranks: ", ranks);
    const Trained got = train_in_ranks(ranks, config, task, start, 1, lr);
    CHECK(wrong(exact.mse, {got.losses[0]}) == 0);
    CHECK(wrong(exact.forward.aux, {got.losses[1]}) == 0);
    CHECK(wrong(exact.forward.fractions, got.load) == 0);
    const auto check = [&](const oracle::BoundedParams& due, const Parameters& have) {
      CHECK(wrong(due.Wg, have.Wg) == 0);
      CHECK(wrong(due.W1, have.W1) == 0);
      CHECK(wrong(due.b1, have.b1) == 0);
      CHECK(wrong(due.W2, have.W2) == 0);
      CHECK(wrong(due.b2, have.b2) == 0);
    };
    check(exact.backward.grads, got.gradients);
    check(exact.params, got.parameters);
    CHECK(wrong(exact.backward.dX, got.dX) == 0);
  }
}

}  // namespace

// Among them: fewer tokens than ranks, so that a rank has none; one expert, so that ranks have
// none; experts and tokens that the ranks do not divide.
TEST_CASE("a step over ranks is within the bounds of the step on one device: all shapes") {
  for (const MoeConfig& config : oracle_test::layer_shapes()) {
    INFO(oracle_test::describe(config));
    check_step(config, oracle_test::random_layer(config, 71));
  }
}

TEST_CASE("five experts, one to four of them a token") {
  for (int K = 1; K <= 4; ++K) {
    const MoeConfig config{11, 3, 4, 5, K, Activation::gelu, 0.2f};
    INFO(oracle_test::describe(config));
    check_step(config, oracle_test::random_layer(config, 5));
  }
}

TEST_CASE("a rank whose experts get no token, and one that gets all") {
  const MoeConfig config{12, 3, 4, 6, 2, Activation::gelu, 0.2f};
  for (const bool first : {true, false}) {
    INFO("the first two experts take all: ", first);
    RandomLayer layer = oracle_test::random_layer(config, 9);
    for (double& x : layer.X) x = static_cast<float>(std::fabs(x) + 0.25);
    for (std::size_t i = 0; i < layer.Wg.size(); ++i) {
      const std::size_t e = i % 6;
      const bool chosen = first ? e < 2 : e >= 4;
      layer.Wg[i] = static_cast<float>(chosen ? 0.5 + 0.125 * static_cast<double>(e)
                                              : -0.5 - 0.125 * static_cast<double>(e));
    }
    const oracle::Forward forward = oracle::moe_forward(config, layer.params(), layer.X);
    REQUIRE(forward.counts[first ? 0 : 4] == 12);
    REQUIRE(forward.counts[first ? 1 : 5] == 12);
    check_step(config, layer);
  }
}

TEST_CASE("twenty steps are the same bit for bit from run to run, and lower the loss") {
  const MoeConfig config{64, 6, 10, 5, 2, Activation::relu, 0.01f};
  const Task task = train::make_task(config, 3);
  const Parameters start = train::initial_parameters(config, 3);
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const Trained once = train_in_ranks(ranks, config, task, start, 20, 0.3f);
    CHECK(once == train_in_ranks(ranks, config, task, start, 20, 0.3f));
    CHECK(once.losses[2 * 19] < 0.5f * once.losses[0]);
  }
}
