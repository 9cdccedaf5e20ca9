// Occupancy: how many warps of a multiprocessor are resident, by the size of the blocks.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "figure.h"

namespace figures {
namespace {

// What one multiprocessor of an H200 holds.
constexpr std::size_t kMostWarps = 64, kMostBlocks = 32, kRegisters = 65'536;
constexpr std::size_t kNeeded = 40;  // the notes' estimate for two loads a thread

struct Launch {
  std::size_t threads, registers;  // of a block, of a thread
};

std::size_t resident_warps(const Launch& launch) {
  const std::size_t warps = launch.threads / 32;
  const std::size_t by_registers = kRegisters / (launch.threads * launch.registers);
  return warps * std::min({kMostBlocks, kMostWarps / warps, by_registers});
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 340, "Resident warps by the size of the blocks",
          "Bars of up to 64 warps. Blocks of 32 threads fill 32 places, since 32 blocks are the "
          "most; blocks of 256 fill all 64, with 64 registers a thread only 32; blocks of 768 "
          "fill 48. A line at 40 marks what the notes' estimate asks for.");
  const double left = 270, scale = 6, top = 52, step = 44;
  svg.heading(20, 26, "block, registers a thread");
  svg.text(left + scale * kNeeded, 26, "40 needed", Tone::accent, Anchor::middle, 13);
  svg.text(left + scale * kMostWarps, 26, "64 places", Tone::soft, Anchor::middle, 13);
  constexpr std::array<Launch, 6> launches = {
      {{32, 32}, {64, 32}, {256, 32}, {256, 40}, {256, 64}, {768, 32}}};
  double y = top;
  for (const Launch& launch : launches) {
    const std::size_t warps = resident_warps(launch);
    svg.text(20, y + 19, fmt::format("{} threads, {} registers", launch.threads, launch.registers),
             Tone::ink);
    svg.ghost(left, y, scale * kMostWarps, 28);
    svg.box(left, y, scale * static_cast<double>(warps), 28,
            warps < kNeeded ? Tone::orange : Tone::green);
    svg.text(left + 8, y + 19, fmt::format("{} warps", warps), Tone::ink, Anchor::start, 13);
    y += step;
  }
  svg.line(left + scale * kNeeded, 34, left + scale * kNeeded, y - 6, Tone::accent);
  svg.text(20, y + 16, "Too few warps, and memory waits for questions.", Tone::accent);
  return svg;
}

const Figure figure("lessons/038_expert_activation_grad/resident-warps.svg", draw);

}  // namespace
}  // namespace figures
