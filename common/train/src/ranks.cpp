#include "ranks.h"

#include <cuda_runtime.h>
#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device_layer.h"
#include "parallel/cuda_check.h"
#include "parallel/transport.h"

namespace train {
namespace {

// Takes this rank's device.
std::unique_ptr<parallel::Transport> connect(const Settings& settings,
                                             const parallel::Group& group) {
  using Exchange = Settings::Exchange;
  if (settings.exchange == Exchange::nccl && !parallel::has_nccl()) {
    throw std::invalid_argument(
        "this build has no NCCL: it is for the CPU, or nccl.h and libnccl were not found; "
        "--exchange sockets goes through host memory");
  }
  int devices = 0;
  parallel::check(cudaGetDeviceCount(&devices), "looking for GPUs");
  // A launcher may show each rank its own GPU alone; where it does not, NCCL refuses.
  if (TRAIN_ON_GPU && !settings.world && settings.exchange != Exchange::sockets &&
      group.local_rank() >= devices) {
    throw std::invalid_argument(
        fmt::format("each rank takes a GPU, and this host has {}; --exchange sockets lets ranks "
                    "share one",
                    devices));
  }
  parallel::check(cudaSetDevice(group.local_rank() % std::max(devices, 1)), "choosing a GPU");
  if (settings.exchange != Exchange::sockets && parallel::has_nccl()) {
    return parallel::make_nccl_transport(group);
  }
  return parallel::make_socket_transport(group);
}

}  // namespace

ChosenLayer make_layer(const Settings& settings, const parallel::Group& group, const Task& task,
                       const Parameters& parameters) {
  const MoeConfig& config = settings.config;
  if (group.size() == 1 && settings.exchange == Settings::Exchange::best) {
    return {std::make_unique<DeviceLayer>(config, task, parameters)};
  }
  auto transport = connect(settings, group);
  const char* const exchange = transport->name();
  auto part = std::make_unique<RankLayer>(config, group, std::move(transport), task, parameters);
  RankLayer* const same = part.get();
  return {std::move(part), same, exchange};
}

void check_agreement(const parallel::Group& group, const Settings& settings,
                     const Checkpoint& start) {
  XXH64_state_t* const state = XXH64_createState();
  XXH64_reset(state, 0);
  const auto add = [&](const auto& value) { XXH64_update(state, &value, sizeof value); };
  const MoeConfig& config = settings.config;
  for (const int size : {config.T, config.D, config.H, config.E, config.K, settings.steps,
                         start.step, static_cast<int>(config.activation)}) {
    add(size);
  }
  add(config.aux_alpha);
  add(settings.lr);
  add(settings.seed);
  Parameters::each(start.parameters, [&](const std::vector<float>& array) {
    XXH64_update(state, array.data(), array.size() * sizeof(float));
  });
  const std::uint64_t mine = XXH64_digest(state);
  XXH64_freeState(state);
  const std::vector<std::uint64_t> all = group.all_gather(mine);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw std::invalid_argument(fmt::format(
        "rank {} was told other options than rank 0, or reads another checkpoint", rank));
  }
}

Plan agree(const parallel::Group& group, const Plan& mine) {
  const std::vector<Plan> all = group.all_gather(mine);
  Plan plan = all[0];
  plan.stop = std::any_of(all.begin(), all.end(), [](const Plan& each) { return each.stop; });
  return plan;
}

}  // namespace train
