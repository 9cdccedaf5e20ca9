// Draws the notes' figures from lessons/micro_batch.json.
//
//   draw_figures ROOT          writes them where they belong under ROOT
//   draw_figures --check ROOT  compares what is there with what would be written
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "figure.h"

namespace figures {
namespace {

std::vector<const Figure*>& registry() {
  static std::vector<const Figure*> figures;
  return figures;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int run(const std::string& root, bool check) {
  const std::string source = root + "/lessons/micro_batch.json";
  std::ifstream in(source);
  if (!in) {
    fmt::print(stderr, "draw_figures: cannot read {}\n", source);
    return 2;
  }
  const MicroBatch batch(nlohmann::json::parse(in));
  int stale = 0;
  for (const Figure* figure : all_figures()) {
    const std::string path = root + "/" + figure->path;
    const std::string want = figure->draw(batch).str();
    if (check && read(path) != want) {
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

std::vector<double> MicroBatch::array(const std::string& name) const {
  return file_.at("arrays").at(name).at("values").get<std::vector<double>>();
}

std::size_t MicroBatch::size(const std::string& lesson, const std::string& name) const {
  return file_.at("examples").at(lesson).at(name).get<std::size_t>();
}

std::vector<double> MicroBatch::example(const std::string& lesson, const std::string& name) const {
  return file_.at("examples").at(lesson).at(name).get<std::vector<double>>();
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
  return figures::run(argv[argc - 1], check);
}
