// Axes and curves of functions of one number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "figure.h"

namespace figures {

// A region of the drawing, and the numbers that its edges stand for.
class Plot {
 public:
  struct Range {
    double from, to;
  };

  Plot(Svg& svg, double left, double top, double width, double height, Range x, Range y)
      : svg_(svg), left_(left), top_(top), width_(width), height_(height), x_(x), y_(y) {}

  double at_x(double x) const { return left_ + width_ * (x - x_.from) / (x_.to - x_.from); }
  double at_y(double y) const { return top_ + height_ * (y_.to - y) / (y_.to - y_.from); }

  // The two axes through 0, with a number at each tick.
  void axes(const std::vector<double>& x_ticks, const std::vector<double>& y_ticks) {
    svg_.line(left_, at_y(0), left_ + width_, at_y(0));
    svg_.line(at_x(0), top_, at_x(0), top_ + height_);
    for (const double x : x_ticks) {
      svg_.line(at_x(x), at_y(0) - 3, at_x(x), at_y(0) + 3);
      svg_.text(at_x(x), at_y(0) + 18, print(x), Tone::soft, Anchor::middle, 12);
    }
    for (const double y : y_ticks) {
      svg_.line(at_x(0) - 3, at_y(y), at_x(0) + 3, at_y(y));
      svg_.text(at_x(0) - 8, at_y(y) + 4, print(y), Tone::soft, Anchor::end, 12);
    }
  }

  // A curve between two numbers, in straight pieces.
  void curve(const std::function<double(double)>& f, Range over, int pieces, Tone tone) {
    const double step = (over.to - over.from) / pieces;
    for (int i = 0; i < pieces; ++i) {
      const double a = over.from + i * step, b = a + step;
      // Twice, half a pixel apart: a stronger line than the axes.
      for (const double shift : {-0.4, 0.4})
        svg_.line(round(at_x(a)), round(at_y(f(a)) + shift), round(at_x(b)),
                  round(at_y(f(b)) + shift), tone);
    }
  }

  void point(double x, double y, Tone tone) {
    svg_.mark(at_x(x) - 3.5, at_y(y) - 3.5, 7, 7, tone, 3.5);
  }

 private:
  Svg& svg_;
  double left_, top_, width_, height_;
  Range x_, y_;

  // Two decimals: short files that are the same on every machine.
  static double round(double v) {
    return static_cast<double>(static_cast<long>(v * 100 + 0.5)) / 100;
  }
};

}  // namespace figures
