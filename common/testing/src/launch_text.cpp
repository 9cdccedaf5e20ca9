#include "launch_text.h"

#include <fmt/format.h>

#include <array>

namespace testing::wrapped {
namespace {

int attribute(cudaDeviceAttr name) {
  int device = 0;
  int value = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (cudaDeviceGetAttribute(&value, name, device) != cudaSuccess) return 0;
  return value;
}

std::string grouped(std::size_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

struct Extent {
  const char* name;
  std::size_t value;
  cudaDeviceAttr limit;
};

}  // namespace

bool is_refusal(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorNoKernelImageForDevice:
      return true;
    default:
      return false;
  }
}

std::string text_of(const Refusal& refusal) {
  const dim3& g = refusal.grid;
  const dim3& b = refusal.block;
  std::string text = fmt::format(
      "A launch was refused: {} ({}). It asked for {} x {} x {} blocks of {} x {} x {} threads",
      cudaGetErrorString(refusal.error), cudaGetErrorName(refusal.error), grouped(g.x),
      grouped(g.y), grouped(g.z), b.x, b.y, b.z);
  if (refusal.shared > 0) {
    text += fmt::format(" with {} bytes of dynamic shared memory", grouped(refusal.shared));
  }
  const std::array<Extent, 8> extents{
      {{"grid.x", g.x, cudaDevAttrMaxGridDimX},
       {"grid.y", g.y, cudaDevAttrMaxGridDimY},
       {"grid.z", g.z, cudaDevAttrMaxGridDimZ},
       {"block.x", b.x, cudaDevAttrMaxBlockDimX},
       {"block.y", b.y, cudaDevAttrMaxBlockDimY},
       {"block.z", b.z, cudaDevAttrMaxBlockDimZ},
       {"threads of a block", std::size_t{b.x} * b.y * b.z, cudaDevAttrMaxThreadsPerBlock},
       {"bytes of shared memory, unless cudaFuncSetAttribute asked for more", refusal.shared,
        cudaDevAttrMaxSharedMemoryPerBlock}}};
  for (const Extent& extent : extents) {
    const int limit = attribute(extent.limit);
    if (extent.value == 0 && extent.limit != cudaDevAttrMaxSharedMemoryPerBlock) {
      return text + fmt::format(". {} is 0, at least 1 is needed", extent.name);
    }
    if (limit > 0 && extent.value > static_cast<std::size_t>(limit)) {
      return text +
             fmt::format(". {}: at most {}", extent.name, grouped(static_cast<std::size_t>(limit)));
    }
  }
  return text;
}

}  // namespace testing::wrapped
