#include "system/files.h"

#include <doctest/doctest.h>

#include "scratch.h"

TEST_CASE("a new file takes nobody's place, and is whole from the first") {
  const Scratch scratch;
  const auto file = scratch.path() / "folder" / "file";
  {
    grade::StagedFile staged(file, "first");
    CHECK_FALSE(scratch.has("folder/file"));
    CHECK(staged.commit_new());
    CHECK(scratch.read("folder/file") == "first");
  }
  CHECK_FALSE(grade::StagedFile(file, "second").commit_new());
  CHECK(scratch.read("folder/file") == "first");
  for (const auto& each : std::filesystem::directory_iterator(file.parent_path())) {
    CHECK(each.path() == file);  // nothing else is left there
  }
}
