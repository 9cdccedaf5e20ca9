// A drawing surface for the notes' figures: a few shapes, one palette, light and dark.
//
// Colours are classes, so that a page can restyle them, and follow the reader's colour scheme where
// the picture stands alone. Nothing is told by colour only: shapes and labels say the same.
#pragma once

#include <string>

namespace figures {

// What a shape or a text is drawn in. blue, orange, green and violet tell four things apart
// (blocks, experts); `idle` is what takes no part; `accent` is what the figure is about.
enum class Tone { ink, soft, idle, accent, blue, orange, green, violet };

// The n-th of the four tones for things of one kind.
Tone tone_of(std::size_t n);

enum class Anchor { start, middle, end };

class Svg {
 public:
  // `title` names the figure, `description` says what it shows, both for readers who cannot see it.
  Svg(int width, int height, const std::string& title, const std::string& description);

  void box(double x, double y, double width, double height, Tone tone, double radius = 4);
  // Outlined in dashes and not filled: something that does not exist or stays empty.
  void ghost(double x, double y, double width, double height, double radius = 4);
  // Filled solidly, for small marks.
  void mark(double x, double y, double width, double height, Tone tone, double radius = 1);
  // An outline round what a figure points at.
  void ring(double x, double y, double width, double height, Tone tone, double radius = 6);
  void line(double x1, double y1, double x2, double y2, Tone tone = Tone::soft);
  void arrow(double x1, double y1, double x2, double y2, Tone tone = Tone::ink);

  // `size` in pixels. Code is set in a fixed-width face.
  void text(double x, double y, const std::string& words, Tone tone = Tone::ink,
            Anchor anchor = Anchor::start, int size = 14);
  void code(double x, double y, const std::string& words, Tone tone = Tone::ink,
            Anchor anchor = Anchor::start, int size = 14);
  void heading(double x, double y, const std::string& words, Anchor anchor = Anchor::start);

  std::string str() const;

 private:
  void write(const std::string& face, double x, double y, const std::string& words, Tone tone,
             Anchor anchor, int size);
  std::string body_;
};

}  // namespace figures
