// The host queues the whole layer and is free; with a read-back, host and device take turns.
#include <string>
#include <vector>

#include "figure.h"

namespace figures {
namespace {

struct Call {
  const char* name;
  double device;  // how long it works, in no unit: the picture is about order
};

const std::vector<Call> kCalls = {{"logits", 54}, {"probs", 42}, {"top-K", 42},  {"counts", 42},
                                  {"offs.", 36},  {"slots", 48}, {"gather", 48}, {"experts", 90},
                                  {"mix", 42},    {"aux", 36}};
constexpr double kQueue = 16, kLeft = 90, kHigh = 26;

// Both lanes from `top` on; `wait_after`: the call whose result the host reads, or -1.
void lanes(Svg& svg, double top, int wait_after) {
  svg.text(14, top + 18, "host");
  svg.text(14, top + 62, "device");
  double host = kLeft, device = kLeft;
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    const Tone tone = tone_of(i < 3 ? 0 : i < 7 ? 1 : i < 9 ? 2 : 3);
    svg.box(host, top, kQueue - 2, kHigh, tone, 2);
    host += kQueue;
    const double begin = device > host + 6 ? device : host + 6;
    svg.box(begin, top + 44, kCalls[i].device - 2, kHigh, tone, 2);
    svg.text(begin + kCalls[i].device / 2 - 1, top + 62, kCalls[i].name, Tone::ink, Anchor::middle,
             11);
    device = begin + kCalls[i].device;
    if (static_cast<int>(i) == wait_after) {
      const double ready = device + 26;
      svg.ghost(host, top, ready - host - 2, kHigh, 2);
      svg.text((host + ready) / 2, top + 18, "waits", Tone::accent, Anchor::middle, 12);
      svg.ghost(device, top + 44, ready + kQueue + 4 - device, kHigh, 2);
      svg.text((device + ready + kQueue + 4) / 2, top + 62, "idle", Tone::accent, Anchor::middle,
               12);
      host = ready;
    }
  }
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 290, "The host runs ahead",
          "Two time lines. The host queues all calls in a short time; the device works them off, "
          "later. A host that reads the counts back stands still until the device gets there, and "
          "the device then stands still until the host has queued more.");
  svg.heading(14, 24, "nothing is read back");
  lanes(svg, 42, -1);
  svg.text(kLeft + kQueue * 10 + 14, 60, "free for other work", Tone::soft, Anchor::start, 12);
  svg.heading(14, 156, "the counts are read back");
  lanes(svg, 174, 3);
  svg.text(14, 276, "Time runs to the right. Lengths are for the eye: what matters is who waits.",
           Tone::soft, Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/049_moe_forward/host-ahead.svg", draw);

}  // namespace
}  // namespace figures
