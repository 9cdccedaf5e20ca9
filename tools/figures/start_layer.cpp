// The start page: the way of the micro-batch's three tokens through the layer.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&experts = batch.array("experts"), gates = batch.array("gates");
  const std::vector<double>& counts = batch.array("counts");
  const std::size_t tokens = 3, choices = experts.size() / tokens;

  Svg svg(720, 330, "A mixture-of-experts layer with three tokens and four experts",
          "Each token goes to two of four experts, chosen by the router; expert 1 receives none; "
          "the experts' answers return weighted by the gates and are added up for each token.");
  const double token_x = 20, router_x = 130, expert_x = 330, out_x = 590;
  svg.heading(token_x, 26, "tokens");
  svg.heading(router_x, 26, "router");
  svg.heading(expert_x, 26, "experts");
  svg.heading(out_x, 26, "outputs");
  const auto token_y = [](std::size_t t) { return 72.0 + 72.0 * static_cast<double>(t); };
  const auto expert_y = [](std::size_t e) { return 48.0 + 64.0 * static_cast<double>(e); };

  svg.box(router_x, 48, 92, 240, Tone::soft);
  svg.text(router_x + 46, 140, "scores all", Tone::ink, Anchor::middle, 13);
  svg.text(router_x + 46, 158, "experts,", Tone::ink, Anchor::middle, 13);
  svg.text(router_x + 46, 176, fmt::format("picks {}", choices), Tone::ink, Anchor::middle, 13);
  svg.text(router_x + 46, 194, "for a token", Tone::ink, Anchor::middle, 13);

  for (std::size_t t = 0; t < tokens; ++t) {
    const double y = token_y(t) + 22;
    svg.box(token_x, token_y(t), 78, 44, tone_of(t));
    svg.text(token_x + 39, y + 5, fmt::format("token {}", t), Tone::ink, Anchor::middle, 13);
    svg.arrow(token_x + 80, y, router_x - 2, y, tone_of(t));
    svg.box(out_x, token_y(t), 110, 44, tone_of(t));
    svg.text(out_x + 55, y + 5, fmt::format("output {}", t), Tone::ink, Anchor::middle, 13);
    for (std::size_t j = 0; j < choices; ++j) {
      const auto e = static_cast<std::size_t>(experts[t * choices + j]);
      const double spread = 12.0 * (static_cast<double>(t) - 1.0);
      svg.arrow(router_x + 94, y, expert_x - 2, expert_y(e) + 24 + spread, tone_of(t));
      svg.arrow(expert_x + 132, expert_y(e) + 24 + spread, out_x - 2,
                y + 10.0 * (static_cast<double>(j) * 2 - 1), tone_of(t));
    }
  }
  for (std::size_t e = 0; e < counts.size(); ++e) {
    if (counts[e] > 0)
      svg.box(expert_x, expert_y(e), 130, 48, Tone::soft);
    else
      svg.ghost(expert_x, expert_y(e), 130, 48);
    svg.text(expert_x + 65, expert_y(e) + 21, fmt::format("expert {}", e),
             counts[e] > 0 ? Tone::ink : Tone::idle, Anchor::middle, 13);
    svg.text(expert_x + 65, expert_y(e) + 38,
             fmt::format("{} token{}", counts[e], counts[e] == 1 ? "" : "s"),
             counts[e] > 0 ? Tone::soft : Tone::idle, Anchor::middle, 12);
  }
  svg.text(20, 318,
           fmt::format("Output 0 is {:.0f} % of what expert {} answers and {:.0f} % of what expert "
                       "{} does: the gates.",
                       100 * gates[0], experts[0], 100 * gates[1], experts[1]));
  return svg;
}

const Figure figure("docs/start-layer.svg", draw);

}  // namespace
}  // namespace figures
