// A figure: where it belongs, and what draws it. Each .cpp of this folder that defines one is found
// by CMake; a figure reads its numbers from the micro-batch, so that it cannot drift from the
// notes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "svg.h"

namespace figures {

class MicroBatch {
 public:
  // Reads lessons/micro_batch.json; throws std::runtime_error with the path when it cannot.
  static MicroBatch read(const std::string& path);

  // An array of the layer ("X", "gates"), row-major.
  const std::vector<double>& array(const std::string& name) const;
  // A lesson's small example: one of its sizes, or one of its arrays.
  std::size_t size(const std::string& lesson, const std::string& name) const;
  const std::vector<double>& example(const std::string& lesson, const std::string& name) const;

 private:
  std::map<std::string, std::vector<double>> values_;  // "X", "001_matmul_nn/A", "001_matmul_nn/M"
};

// A number as the notes print it: whole where it is whole, with a true minus sign.
std::string print(double value);

struct Figure {
  using Draw = Svg (*)(const MicroBatch&);

  // Registers itself. `path` is relative to the repository's root.
  Figure(std::string path, Draw draw);

  std::string path;
  Draw draw;
};

const std::vector<const Figure*>& all_figures();

}  // namespace figures
