// Draws the notes' figures from lessons/micro_batch.json.
//
//   draw_figures ROOT          writes them where they belong under ROOT
//   draw_figures --check ROOT  compares what is there with what would be written
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <utility>

#include "figure.h"

namespace figures {
namespace {

std::vector<const Figure*>& registry() {
  static std::vector<const Figure*> figures;
  return figures;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int run(const std::string& root, bool check) {
  const MicroBatch batch = MicroBatch::read(root + "/lessons/micro_batch.json");
  int stale = 0;
  for (const Figure* figure : all_figures()) {
    const std::string path = root + "/" + figure->path;
    const std::string want = figure->draw(batch).str();
    if (check && contents(path) != want) {
      ++stale;
      fmt::print(stderr, "draw_figures: {} is not what would be drawn now\n", figure->path);
    } else if (!check && !(std::ofstream(path, std::ios::binary) << want)) {
      fmt::print(stderr, "draw_figures: cannot write {}\n", path);
      return 2;
    }
  }
  fmt::print("{} figures {}\n", all_figures().size(), check ? "checked" : "drawn");
  return stale == 0 ? 0 : 1;
}

}  // namespace

Figure::Figure(std::string where, Draw how) : path(std::move(where)), draw(how) {
  registry().push_back(this);
}

const std::vector<const Figure*>& all_figures() {
  return registry();
}

std::string print(double value) {
  return fmt::format("{}{:.6g}", value < 0 ? "\u2212" : "", std::abs(value));
}

}  // namespace figures

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string(argv[1]) == "--check";
  if (argc != 2 && !check) {
    fmt::print(stderr, "usage: draw_figures [--check] ROOT\n");
    return 2;
  }
  try {
    return figures::run(argv[argc - 1], check);
  } catch (const std::exception& e) {
    fmt::print(stderr, "draw_figures: {}\n", e.what());
    return 2;
  }
}
