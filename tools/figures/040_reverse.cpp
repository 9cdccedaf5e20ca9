// The six calls of the experts' backward pass, with the buffers between them.
#include <array>

#include "figure.h"

namespace figures {
namespace {

constexpr double kLine = 96;  // of the chain

void buffer(Svg& svg, double x, double y, const char* name, Tone tone) {
  svg.box(x, y, 62, 34, tone);
  svg.code(x + 31, y + 22, name, Tone::ink, Anchor::middle);
}

void call(Svg& svg, double x, double y, const char* number) {
  svg.box(x, y, 46, 30, Tone::soft, 15);
  svg.text(x + 23, y + 20, number, Tone::ink, Anchor::middle, 13);
}

Svg draw(const MicroBatch&) {
  Svg svg(
      720, 330, "Six calls in the reverse of the forward",
      "The chain runs from dYs by 037 to dA, by 038 to dZ, by 037 again to dXs. From dYs branch "
      "035 to db2 and 036 to dW2, from dZ branches 039 to dW1 and db1. The chain's buffers are "
      "overwritten, the gradients of parameters accumulate.");
  const std::array<const char*, 4> chain{"dYs", "dA", "dZ", "dXs"};
  const std::array<const char*, 3> steps{"037", "038", "037"};
  const double left = 60, pitch = 180;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const double x = left + pitch * static_cast<double>(i);
    buffer(svg, x, kLine - 17, chain[i], i == 0 ? Tone::idle : Tone::blue);
    if (i == steps.size()) break;
    svg.arrow(x + 64, kLine, x + 96, kLine);
    call(svg, x + 98, kLine - 15, steps[i]);
    svg.arrow(x + 146, kLine, x + pitch - 3, kLine);
  }
  svg.code(left + 121, 62, "W2", Tone::soft, Anchor::middle, 13);
  svg.code(left + pitch + 121, 62, "Z", Tone::soft, Anchor::middle, 13);
  svg.code(left + 2 * pitch + 121, 62, "W1", Tone::soft, Anchor::middle, 13);
  svg.text(20, 30, "overwritten: the chain", Tone::blue);

  const double below = 178, bottom = 250;
  const auto branch = [&](double from, double x, const char* number, const char* input) {
    svg.arrow(from, kLine + 19, x + 23, below - 3);
    call(svg, x, below, number);
    svg.code(x + 54, below + 20, input, Tone::soft, Anchor::start, 13);
  };
  branch(left + 20, 36, "035", "");
  branch(left + 44, 136, "036", "A");
  branch(left + 2 * pitch + 31, 428, "039", "Xs");
  buffer(svg, 28, bottom, "db2", Tone::orange);
  buffer(svg, 128, bottom, "dW2", Tone::orange);
  buffer(svg, 380, bottom, "dW1", Tone::orange);
  buffer(svg, 460, bottom, "db1", Tone::orange);
  svg.arrow(59, below + 32, 59, bottom - 3);
  svg.arrow(159, below + 32, 159, bottom - 3);
  svg.arrow(444, below + 32, 416, bottom - 3);
  svg.arrow(458, below + 32, 488, bottom - 3);
  svg.text(20, 312, "added to (+=): gradients of the parameters", Tone::orange);
  svg.text(380, 312, "beside or above a call: what it reads from the forward", Tone::soft,
           Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/040_expert_backward/reverse.svg", draw);

}  // namespace
}  // namespace figures
