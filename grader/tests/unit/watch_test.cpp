#include <doctest/doctest.h>

#include <chrono>

#include "scratch.h"
#include "terminal/text.h"
#include "watch/file_watch.h"
#include "watch/prompt.h"

using grade::FileWatch;
using std::chrono::milliseconds;

namespace {

// The test's own time, which no busy machine stretches.
FileWatch::Clock::time_point time_now;
FileWatch::Clock::time_point now() {
  return time_now;
}

// The names of all files that are reported until nothing has been for half a second.
std::vector<std::string> reported(FileWatch& watch) {
  std::vector<std::string> names;
  auto last = now();
  while (now() - last < milliseconds(500)) {
    for (const auto& file : watch.look()) {
      names.push_back(file.filename().string());
      last = now();
    }
    time_now += milliseconds(10);
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("each save is reported once, however it is done") {
  for (const auto notify : {FileWatch::Notify::polling, FileWatch::Notify::inotify}) {
    const Scratch scratch;
    const auto file = scratch.path() / "kernel.cu";
    scratch.write("kernel.cu", "one");
    FileWatch watch(notify, now);
    watch.watch({file, scratch.path() / "mine.h"});
    CHECK((notify == FileWatch::Notify::polling) == (watch.descriptor() < 0));
    CHECK(watch.look().empty());

    scratch.write("kernel.cu", "two");
    CHECK(reported(watch) == Names{"kernel.cu"});

    // Empty for a while, then whole: a save by truncation.
    scratch.write("kernel.cu", "");
    watch.look();
    time_now += milliseconds(190);
    CHECK(watch.look().empty());
    scratch.write("kernel.cu", "three");
    CHECK(reported(watch) == Names{"kernel.cu"});

    scratch.write("new", "four");
    std::filesystem::rename(scratch.path() / "new", file);
    CHECK(reported(watch) == Names{"kernel.cu"});

    std::filesystem::rename(file, scratch.path() / "old");
    CHECK(watch.look().empty());
    time_now += milliseconds(190);
    CHECK(watch.look().empty());
    scratch.write("kernel.cu", "five");
    CHECK(reported(watch) == Names{"kernel.cu"});

    // No news: the same content, by whatever way, or another time.
    scratch.write("kernel.cu", "five");
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now());
    CHECK(reported(watch).empty());

    // The same size within the second that a coarse clock shows.
    const auto time = std::filesystem::last_write_time(file);
    scratch.write("kernel.cu", "FIVE");
    std::filesystem::last_write_time(file, time);
    CHECK(reported(watch) == Names{"kernel.cu"});

    // A file that comes, and one that goes for good.
    scratch.write("mine.h", "header");
    CHECK(reported(watch) == Names{"mine.h"});
    std::filesystem::remove(scratch.path() / "mine.h");
    CHECK(reported(watch) == Names{"mine.h"});

    // What is added counts as seen, what was known stays known.
    scratch.write("kernel.cu", "six");
    scratch.write("mine.h", "header");
    watch.watch({file, scratch.path() / "other.h", scratch.path() / "mine.h"});
    CHECK(reported(watch) == Names{"kernel.cu", "mine.h"});
    watch.watch({file});
    scratch.write("mine.h", "again");
    CHECK(reported(watch).empty());
  }
}

TEST_CASE("the prompt fits into every window") {
  const grade::terminal::Terminal out(nullptr, {});
  const auto line = [&](int columns) {
    return grade::prompt_line(out, "001 running on cpu", true, columns);
  };
  CHECK(line(79).starts_with("001 running on cpu  n next h hint"));
  CHECK(line(79).ends_with("q quit"));
  CHECK(line(39) == "001 running on cpu  n h l s d x r q");
  CHECK(line(24).ends_with("  n h l s d x r q"));
  for (int columns = 1; columns < 120; ++columns) {
    CHECK(grade::terminal::width(line(columns)) <= columns);
  }
  CHECK(grade::prompt_line(out, "001 passed", false, 40) == "001 passed");
}
