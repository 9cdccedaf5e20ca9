#include "svg.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace figures {
namespace {

constexpr std::array<const char*, 8> kNames = {"ink",  "soft",   "idle",  "accent",
                                               "blue", "orange", "green", "violet"};

const char* name(Tone tone) {
  return kNames.at(static_cast<std::size_t>(tone));
}

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

// One rule set for each scheme: text and lines (t-, l-), pale areas (a-), solid marks (m-).
std::string style() {
  struct Colour {
    const char *name, *light, *dark;
  };
  constexpr std::array<Colour, 8> colours = {{{"ink", "#1f2328", "#e6edf3"},
                                              {"soft", "#59636e", "#9198a1"},
                                              {"idle", "#818b98", "#6e7681"},
                                              {"accent", "#cf222e", "#ff7b72"},
                                              {"blue", "#0969da", "#58a6ff"},
                                              {"orange", "#bc4c00", "#f0883e"},
                                              {"green", "#1a7f37", "#56d364"},
                                              {"violet", "#8250df", "#bc8cff"}}};
  const auto rules = [&](const std::string& indent, const char* Colour::*scheme) {
    std::string out;
    for (const Colour& c : colours)
      out += fmt::format(
          "{0}.mf .t-{1}{{fill:{2}}} .mf .l-{1}{{stroke:{2}}} .mf "
          ".a-{1}{{fill:{2};fill-opacity:.16;stroke:{2}}} .mf .m-{1}{{fill:{2}}}\n",
          indent, c.name, c.*scheme);
    return out;
  };
  return "<style>\n.mf text{font-family:system-ui,\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n"
         ".mf .code{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}\n"
         ".mf .code{white-space:pre}\n.mf .head{font-weight:600}\n.mf "
         ".dash{fill:none;stroke-dasharray:4 3}\n" +
         rules("", &Colour::light) + "@media (prefers-color-scheme:dark){\n" +
         rules("", &Colour::dark) + "}\n</style>\n";
}

}  // namespace

Tone tone_of(std::size_t n) {
  constexpr std::array<Tone, 4> tones = {Tone::blue, Tone::orange, Tone::green, Tone::violet};
  return tones.at(n % tones.size());
}

Svg::Svg(int width, int height, const std::string& title, const std::string& description) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" class=\"mf\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n{4}",
      width, height, escape(title), escape(description), style());
}

void Svg::box(double x, double y, double width, double height, Tone tone, double radius) {
  body_ +=
      fmt::format("<rect class=\"a-{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n",
                  name(tone), x, y, width, height, radius);
}

void Svg::ghost(double x, double y, double width, double height, double radius) {
  body_ += fmt::format(
      "<rect class=\"dash l-idle\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n", x,
      y, width, height, radius);
}

void Svg::mark(double x, double y, double width, double height, Tone tone, double radius) {
  body_ +=
      fmt::format("<rect class=\"m-{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n",
                  name(tone), x, y, width, height, radius);
}

void Svg::ring(double x, double y, double width, double height, Tone tone, double radius) {
  body_ += fmt::format(
      "<rect class=\"l-{}\" fill=\"none\" stroke-width=\"2.5\" x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\" rx=\"{}\"/>\n",
      name(tone), x, y, width, height, radius);
}

void Svg::line(double x1, double y1, double x2, double y2, Tone tone) {
  body_ += fmt::format("<line class=\"l-{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                       name(tone), x1, y1, x2, y2);
}

void Svg::arrow(double x1, double y1, double x2, double y2, Tone tone) {
  // The head is drawn rather than a marker, which some programs that show SVG leave out.
  const double dx = x2 - x1, dy = y2 - y1;
  const double length = std::sqrt(dx * dx + dy * dy);
  const double ux = dx / length, uy = dy / length;
  const double bx = x2 - 9 * ux, by = y2 - 9 * uy;
  body_ += fmt::format(
      "<line class=\"l-{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
      "stroke-width=\"1.5\"/>\n",
      name(tone), x1, y1, bx, by);
  body_ += fmt::format("<path class=\"m-{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n",
                       name(tone), x2, y2, bx - 4 * uy, by + 4 * ux, bx + 4 * uy, by - 4 * ux);
}

void Svg::write(const std::string& face, double x, double y, const std::string& words, Tone tone,
                Anchor anchor, int size) {
  constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
  body_ += fmt::format(
      "<text xml:space=\"preserve\" class=\"{}t-{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\" "
      "font-size=\"{}\">{}</text>\n",
      face, name(tone), x, y, anchors.at(static_cast<std::size_t>(anchor)), size, escape(words));
}

void Svg::text(double x, double y, const std::string& words, Tone tone, Anchor anchor, int size) {
  write("", x, y, words, tone, anchor, size);
}

void Svg::code(double x, double y, const std::string& words, Tone tone, Anchor anchor, int size) {
  write("code ", x, y, words, tone, anchor, size);
}

void Svg::heading(double x, double y, const std::string& words, Anchor anchor) {
  write("head ", x, y, words, Tone::ink, anchor, 15);
}

std::string Svg::str() const {
  return body_ + "</svg>\n";
}

}  // namespace figures
