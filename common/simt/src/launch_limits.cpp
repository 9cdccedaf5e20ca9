#include "launch_limits.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels.h"
#include "model_device.h"
#include "names.h"
#include "shared_memory.h"

namespace simt {
namespace {

using names::grouped;

std::string at_most(std::size_t limit) {
  return ", at most " + grouped(limit) + (limit == 1 ? " is" : " are") + " allowed";
}

Refusal refuse_extents(const char* what, const dim3& extents, const int (&limits)[3]) {
  const std::array<std::pair<const char*, unsigned>, 3> axes{
      {{"x", extents.x}, {"y", extents.y}, {"z", extents.z}}};
  const bool grid = what[0] == 'g';
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto [axis, value] = axes[i];
    const auto limit = static_cast<std::size_t>(limits[i]);
    const std::string name = std::string(what) + "." + axis;
    if (value == 0) {
      return {cudaErrorInvalidConfiguration, name + " is 0, at least 1 is needed",
              grid ? "Where there is nothing to do, return before the launch."
                   : "A block has at least one thread."};
    }
    if (value <= limit) continue;
    std::string reason = name + " is " + grouped(value);
    if (value > 0x7fffffffu)
      reason += " (as a signed number " + std::to_string(static_cast<int>(value)) + ")";
    std::string advice;
    if (!grid) {
      advice = "Take smaller blocks, and more of them.";
    } else if (i == 0) {
      advice = "A number of blocks that was negative, or overflowed, looks like this.";
    } else {
      advice = "Only x takes " + grouped(static_cast<std::size_t>(limits[0])) +
               " blocks: put the long extent there, or let each block do several with a stride.";
    }
    return {cudaErrorInvalidConfiguration, reason + at_most(limit), advice};
  }
  return {};
}

}  // namespace

Refusal refuse_block(std::size_t threads, int launch_bound) {
  if (launch_bound <= 0 || threads <= static_cast<std::size_t>(launch_bound)) return {};
  return {cudaErrorInvalidValue,
          "a block has " + grouped(threads) +
              " threads, and the kernel's __launch_bounds__ allow " +
              grouped(static_cast<std::size_t>(launch_bound)),
          "Launch smaller blocks, or raise the bound."};
}

Refusal refuse_cooperation(std::size_t blocks, std::size_t most) {
  if (blocks <= most) return {};
  return {cudaErrorCooperativeLaunchTooLarge,
          "a cooperative launch of " + grouped(blocks) +
              " blocks: with blocks of this size the device holds " + grouped(most) + " at once",
          "All blocks of a cooperative launch are resident together: launch fewer, each with more "
          "work."};
}

Refusal refuse_shared(std::size_t dynamic_bytes, std::size_t static_bytes, std::size_t limit) {
  if (dynamic_bytes + static_bytes <= limit) return {};
  std::string reason = grouped(dynamic_bytes) + " bytes of dynamic shared memory";
  if (static_bytes > 0) reason += " and " + grouped(static_bytes) + " of static";
  const std::size_t most = model_device().sharedMemPerBlockOptin;
  return {cudaErrorInvalidValue, reason + at_most(limit) + " for a block",
          dynamic_bytes + static_bytes <= most
              ? "Up to " + grouped(most) +
                    " bytes: ask before the launch, by cudaFuncSetAttribute with "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize."
              : "Take smaller tiles."};
}

Refusal refuse_configuration(const Config& config, const void* entry) {
  const cudaDeviceProp& device = model_device();
  const dim3& b = config.block;
  Refusal refusal = refuse_extents("grid", config.grid, device.maxGridSize);
  if (refusal.error != cudaSuccess) return refusal;
  refusal = refuse_extents("block", b, device.maxThreadsDim);
  if (refusal.error != cudaSuccess) return refusal;
  const std::size_t threads = std::size_t{b.x} * b.y * b.z;
  const auto most_threads = static_cast<std::size_t>(device.maxThreadsPerBlock);
  if (threads > most_threads) {
    return {cudaErrorInvalidConfiguration,
            "a block of " + std::to_string(b.x) + " x " + std::to_string(b.y) + " x " +
                std::to_string(b.z) + " has " + grouped(threads) + " threads" +
                at_most(most_threads),
            "Take smaller blocks, and more of them."};
  }
  std::size_t limit = device.sharedMemPerBlock;
  if (const kernels::Kernel* kernel = kernels::find(entry)) {
    limit = std::max(limit, kernel->dynamic_shared_limit);
    refusal = refuse_block(threads, kernel->launch_bound);
    if (refusal.error != cudaSuccess) return refusal;
  }
  return refuse_shared(config.shared_bytes, shared_memory::static_bytes(entry), limit);
}

}  // namespace simt
