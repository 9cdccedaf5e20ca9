#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "kernel_objects.h"

// TRAIN_OBJECTS: the kernel objects, callees first, with ':' between them.
int main(int argc, char** argv) {
  const char* const list = std::getenv("TRAIN_OBJECTS");
  if (list == nullptr) {
    std::fprintf(stderr, "train_tests: TRAIN_OBJECTS names no kernel objects\n");
    return 2;
  }
  std::vector<std::string> objects;
  std::istringstream words{std::string(list)};
  for (std::string each; std::getline(words, each, ':');) objects.push_back(each);
  try {
    train::open_objects(objects);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train_tests: %s\n", error.what());
    return 2;
  }
  return doctest::Context(argc, argv).run();
}
