// A folder of its own for a test, removed at the end; and a copy of the fixture course.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "system/paths.h"

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "grade-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return folder_; }

  void write(const std::filesystem::path& name, const std::string& content) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  std::string read(const std::filesystem::path& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  bool has(const std::filesystem::path& name) const {
    return std::filesystem::exists(folder_ / name);
  }

  grade::Paths course() const {
    std::filesystem::copy(std::filesystem::path(GRADE_FIXTURES) / "course", folder_,
                          std::filesystem::copy_options::recursive);
    grade::Paths paths;
    paths.root = folder_;
    return paths;
  }

 private:
  std::filesystem::path folder_;
};
