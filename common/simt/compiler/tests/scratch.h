// A folder for generated files, and simt-cc run on them.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "process.h"

namespace simt::compiler::test {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "simt-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string folder() const { return folder_.string(); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  // simt-cc with these arguments, in this folder.
  ProcessResult compile(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SIMT_CC);
    return Process(arguments, folder_.string()).finish();
  }

 private:
  std::filesystem::path folder_;
};

// Can the program be started?
inline bool has_program(const std::string& name) {
  try {
    return Process({name, "--version"}).finish().status == 0;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace simt::compiler::test
