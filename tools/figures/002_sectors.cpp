// The sectors of B that one load of a warp touches, in lessons 001 and 002.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kThreads = 32, kFloats = 8;  // a warp; floats in a sector

// 32 sectors as 8 rows of 4. `stride` floats lie between neighbouring threads.
void memory(Svg& svg, double left, const std::string& title, const std::string& load,
            std::size_t stride) {
  const double cell = 9, gap = 8, height = 18;
  svg.heading(left, 26, title);
  svg.code(left, 50, load, Tone::soft, Anchor::start, 13);
  std::size_t fetched = 0;
  for (std::size_t sector = 0; sector < 32; ++sector) {
    const double x = left + static_cast<double>(sector % 4) * (kFloats * cell + gap);
    const double y = 66 + static_cast<double>(sector / 4) * (height + 6);
    bool touched = false;
    for (std::size_t f = 0; f < kFloats; ++f) {
      const std::size_t address = sector * kFloats + f;
      if (address % stride == 0 && address / stride < kThreads) touched = true;
    }
    fetched += touched;
    if (touched)
      svg.box(x, y, kFloats * cell, height, Tone::blue, 2);
    else
      svg.ghost(x, y, kFloats * cell, height, 2);
    for (std::size_t f = 0; f < kFloats; ++f) {
      const std::size_t address = sector * kFloats + f;
      if (address % stride == 0 && address / stride < kThreads)
        svg.mark(x + static_cast<double>(f) * cell + 2, y + 4, cell - 4, height - 8, Tone::blue);
    }
  }
  svg.text(left, 280, fmt::format("{} sectors fetched,", fetched));
  svg.text(left, 300, fmt::format("{} of {} floats used", kThreads, fetched * kFloats));
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 348, "One load of a warp, counted in sectors",
          "In 001 the 32 loads of a warp fall into 4 sectors of 8 floats; in 002, with rows of 8 "
          "floats, into 32 sectors.");
  memory(svg, 20, "001: neighbours read neighbours", "B[k * N + col]", 1);
  memory(svg, 380, "002, K = 8: neighbours 8 floats apart", "B[col * K + k]", 8);
  svg.box(20, 322, 36, 14, Tone::blue, 2);
  svg.text(62, 334, "fetched sector: 32 bytes, 8 floats", Tone::soft, Anchor::start, 12);
  svg.mark(288, 324, 5, 10, Tone::blue);
  svg.text(300, 334, "float that a thread asked for", Tone::soft, Anchor::start, 12);
  svg.ghost(500, 322, 36, 14, 2);
  svg.text(542, 334, "not fetched", Tone::soft, Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/002_matmul_nt/sectors.svg", draw);

}  // namespace
}  // namespace figures
