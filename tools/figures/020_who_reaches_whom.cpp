// Which logits the task's gradient reaches, and which only the auxiliary term.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&task = batch.array("dlogits_task"), &aux = batch.array("dlogits_aux"),
        &both = batch.array("dlogits"), &experts = batch.array("experts");
  const std::size_t tokens = 3, count = 4, chosen = 2;

  Svg svg(720, 290, "Which logits are reached",
          "Three tokens by four experts. From the task only the two chosen logits of a token get a "
          "gradient, equal and opposite; from the auxiliary term all four do; the sum has both.");
  const double width = 48, pitch = 52, height = 32, top = 76;
  struct Panel {
    std::string title, below;
    const std::vector<double>& values;
    double left;
    Tone tone;
  };
  const std::vector<Panel> panels = {{"from the task", "the chosen only", task, 56, Tone::blue},
                                     {"from the auxiliary term", "all", aux, 278, Tone::orange},
                                     {"dlogits", "the sum", both, 500, Tone::green}};
  for (const Panel& panel : panels) {
    svg.heading(panel.left, 26, panel.title);
    svg.text(panel.left, 44, panel.below, Tone::soft, Anchor::start, 12);
    for (std::size_t e = 0; e < count; ++e)
      svg.text(panel.left + pitch * static_cast<double>(e) + width / 2, 66,
               fmt::format("e = {}", e), Tone::soft, Anchor::middle, 12);
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t e = 0; e < count; ++e) {
        const double x = panel.left + pitch * static_cast<double>(e);
        const double y = top + 44 * static_cast<double>(t);
        const double value = panel.values[t * count + e];
        const bool is_chosen =
            std::find(experts.begin() + static_cast<std::ptrdiff_t>(t * chosen),
                      experts.begin() + static_cast<std::ptrdiff_t>((t + 1) * chosen),
                      static_cast<double>(e)) !=
            experts.begin() + static_cast<std::ptrdiff_t>((t + 1) * chosen);
        const bool empty = &panel.values == &task && !is_chosen;
        if (empty)
          svg.ghost(x, y, width, height);
        else
          svg.box(x, y, width, height, panel.tone);
        const double shown = std::round(value * 1000);
        svg.code(x + width / 2, y + 21, print(shown == 0 ? 0 : shown),
                 empty ? Tone::idle : Tone::ink, Anchor::middle, 13);
      }
    }
  }
  for (std::size_t t = 0; t < tokens; ++t)
    svg.text(10, top + 44 * static_cast<double>(t) + 21, fmt::format("t = {}", t), Tone::soft,
             Anchor::start, 12);
  svg.text(56, 232,
           "In thousandths. Expert 1 was chosen by nobody: the auxiliary term alone moves "
           "its logits,",
           Tone::accent);
  svg.text(56, 252, "and its gradient there is negative, so a step of descent raises them.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/020_router_backward/reach.svg", draw);

}  // namespace
}  // namespace figures
