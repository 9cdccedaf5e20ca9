#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "cli/error.h"
#include "course/course.h"
#include "progress/store.h"
#include "scratch.h"

using grade::Attempt;
using grade::Course;
using grade::Error;
using grade::Progress;
using grade::ProgressStore;

namespace {
const Attempt pass{"passed", "cpu", 7, "abc"};
const Attempt fail{"failed", "cpu", 8, "def"};

// Stops the clock for a test.
class Clock {
 public:
  explicit Clock(long seconds) { set(seconds); }
  ~Clock() { unsetenv("GRADE_NOW"); }
  void set(long seconds) { setenv("GRADE_NOW", std::to_string(seconds).c_str(), 1); }
};

int attempts(const std::filesystem::path& file) {
  return ProgressStore(file).read().lesson("001_add_one").attempts;
}

void add_attempt(const std::filesystem::path& file, const Attempt& attempt) {
  ProgressStore(file).update(
      [&](Progress& progress) { progress.add_attempt("001_add_one", attempt); });
}

// The files beside progress.json whose names start with `prefix`.
std::vector<std::string> files(const Scratch& scratch, const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) names.push_back(name);
  }
  return names;
}
}  // namespace

TEST_CASE("attempts and the first pass") {
  const Scratch scratch;
  const Clock clock(1'700'000'000);
  const Course course = Course::load(scratch.course());
  ProgressStore store(scratch.path() / "progress.json");
  const grade::Lesson& lesson = course.find("1");

  CHECK_FALSE(store.record_attempt(lesson, fail).first_pass);
  const auto recorded = store.record_attempt(lesson, pass);
  CHECK(recorded.first_pass);
  CHECK(recorded.attempts == 2);
  CHECK(grade::xp(course, recorded.progress) == 5);
  const auto again = store.record_attempt(lesson, {"passed", "cpu+cuda", 9, "other"});
  CHECK_FALSE(again.first_pass);
  store.record_attempt(lesson, fail);

  const auto state = store.read().lesson("001_add_one");
  CHECK(state.attempts == 4);
  CHECK(state.last_status == "failed");
  REQUIRE(state.first_pass);
  CHECK(state.first_pass->kernel_hash == "abc");
  CHECK(state.first_pass->seed == 7);
  CHECK(state.first_pass->time == "2023-11-14T22:13:20Z");
  CHECK(state.last_pass->kernel_hash == "other");
  CHECK(grade::xp(course, store.read()) == 5);  // a failure later takes nothing away
  CHECK(grade::next_lesson(course, store.read())->number == 2);
  CHECK(scratch.read("progress.json").find("xp") == std::string::npos);
}

TEST_CASE("hints of an older file, which counted them") {
  const Progress old = Progress::parse(R"({"version": 1, "lessons": {"a": {"hints": 2}}})");
  CHECK(old.lesson("a").hints == std::vector<int>{1, 2});
}

TEST_CASE("what the last failure looked like, until a pass") {
  Progress progress;
  progress.add_attempt("a", {"failed", "cpu", 1, "h", "no-guard", "out_of_bounds"});
  CHECK(progress.lesson("a").last_mistake == "no-guard");
  CHECK(progress.lesson("a").last_finding == "out_of_bounds");
  progress.add_attempt("a", {"failed", "cpu", 1, "h", "", "race"});
  CHECK(progress.lesson("a").last_mistake.empty());
  CHECK(progress.lesson("a").last_finding == "race");
  progress.add_attempt("a", {"passed", "cpu", 1, "h", "", ""});
  CHECK(progress.lesson("a").last_finding.empty());
}

TEST_CASE("hints, spoilers, answers, benchmarks") {
  const Scratch scratch;
  ProgressStore store(scratch.path() / "progress.json");
  store.update([](Progress& progress) {
    for (const int hint : {2, 1, 2}) progress.add_hint("001_add_one", hint);
    progress.add_spoiler("001_add_one");
    progress.add_answer("001_add_one", "q", "41", false);
    progress.add_answer("001_add_one", "q", "42", true);
    progress.add_answer("001_add_one", "q", "43", false);
    progress.set_benchmark("001_add_one", R"({"seconds": 1.5})");
  });
  const Progress read = store.read();
  const auto state = read.lesson("001_add_one");
  CHECK(state.hints == std::vector<int>{2, 1});
  CHECK(state.spoiled);
  CHECK(state.quiz.at("q").correct);
  CHECK(state.quiz.at("q").tries == 3);
  CHECK(read.benchmark("001_add_one") == R"({"seconds":1.5})");
  CHECK_FALSE(read.benchmark("002_add_two"));
}

TEST_CASE("time and streak") {
  setenv("TZ", "UTC", 1);
  tzset();
  const Scratch scratch;
  constexpr long noon = 1'700'049'600;  // 15 November 2023
  constexpr long day = 86'400;
  Clock clock(noon);
  const auto file = scratch.path() / "progress.json";
  const auto days_in_a_row = [&] { return grade::streak(ProgressStore(file).read()); };
  add_attempt(file, fail);
  clock.set(noon + 300);  // five minutes of work
  add_attempt(file, fail);
  clock.set(noon + 10'000);  // a long pause
  add_attempt(file, fail);
  CHECK(ProgressStore(file).read().lesson("001_add_one").seconds == 300);
  CHECK(days_in_a_row() == 1);
  clock.set(noon + day);
  CHECK(days_in_a_row() == 1);  // yesterday still counts
  add_attempt(file, pass);
  CHECK(days_in_a_row() == 2);
  clock.set(noon + 4 * day);
  CHECK(days_in_a_row() == 0);
}

TEST_CASE("what this version does not know is kept") {
  const Scratch scratch;
  scratch.write("progress.json", R"({"version": 1, "colour": "green",
    "lessons": {"001_add_one": {"attempts": 3, "mood": "good"}, "099_future": {"attempts": 1}}})");
  add_attempt(scratch.path() / "progress.json", fail);
  const std::string text = scratch.read("progress.json");
  CHECK(text.find("\"colour\": \"green\"") != std::string::npos);
  CHECK(text.find("\"mood\": \"good\"") != std::string::npos);
  CHECK(text.find("099_future") != std::string::npos);
  CHECK(attempts(scratch.path() / "progress.json") == 4);
}

TEST_CASE("the previous version is kept") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  add_attempt(file, fail);
  CHECK(Progress::parse(scratch.read("progress.json")).lesson("001_add_one").attempts == 2);
  CHECK(Progress::parse(scratch.read("progress.json.bak")).lesson("001_add_one").attempts == 1);
}

TEST_CASE("a damaged file is set aside and the backup used") {
  for (const char* damage :
       {"", "{", "[]", "{\"lessons\": {}}", "{\"version\": \"1\"}",
        "{\"version\": 1, \"lessons\": []}",
        "{\"version\": 1, \"lessons\": {\"001_add_one\": {\"attempts\": -1}}}",
        "{\"version\": 1, \"lessons\": {\"001_add_one\": {\"first_pass\": {}}}}"}) {
    CAPTURE(damage);
    const Scratch scratch;
    const auto file = scratch.path() / "progress.json";
    add_attempt(file, fail);
    add_attempt(file, fail);
    scratch.write("progress.json", damage);
    CHECK(attempts(file) == 1);  // the backup's
    const auto aside = files(scratch, "progress.json.damaged-");
    REQUIRE(aside.size() == 1);
    CHECK(scratch.read(aside[0]) == damage);
    CHECK(attempts(file) == 1);  // and it is not set aside again
    CHECK(files(scratch, "progress.json.damaged-").size() == 1);
  }
}

TEST_CASE("a truncated file, at every length") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, pass);
  add_attempt(file, fail);
  const std::string whole = scratch.read("progress.json");
  const std::string backup = scratch.read("progress.json.bak");
  for (std::size_t length = 0; length + 2 < whole.size(); length += 17) {
    scratch.write("progress.json", whole.substr(0, length));
    scratch.write("progress.json.bak", backup);
    CHECK(attempts(file) == 1);
  }
}

TEST_CASE("a newer file is set aside, never overwritten") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  const std::string newer = R"({"version": 2, "everything": "different"})";
  scratch.write("progress.json", newer);
  add_attempt(file, fail);
  CHECK(attempts(file) == 1);
  const auto aside = files(scratch, "progress.json.newer-");
  REQUIRE(aside.size() == 1);
  CHECK(scratch.read(aside[0]) == newer);
}

TEST_CASE("both files damaged: a new start, nothing lost") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  scratch.write("progress.json", "x");
  scratch.write("progress.json.bak", "y");
  CHECK(attempts(file) == 0);
  CHECK(files(scratch, "progress.json.damaged-").size() == 1);
  CHECK(scratch.read("progress.json.bak") == "y");
}

TEST_CASE("a file that is gone comes back from its backup") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  add_attempt(file, fail);
  std::filesystem::remove(file);
  CHECK(attempts(file) == 1);
}

TEST_CASE("a change that throws leaves the file as it was") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  const std::string before = scratch.read("progress.json");
  CHECK_THROWS(ProgressStore(file).update([](Progress& progress) {
    progress.add_attempt("001_add_one", pass);
    throw std::runtime_error("stop");
  }));
  CHECK(scratch.read("progress.json") == before);
}

TEST_CASE("a link to the file stays a link") {
  const Scratch scratch;
  scratch.write("elsewhere/real.json", Progress().text());
  std::filesystem::create_symlink(scratch.path() / "elsewhere/real.json",
                                  scratch.path() / "progress.json");
  add_attempt(scratch.path() / "progress.json", fail);
  CHECK(std::filesystem::is_symlink(scratch.path() / "progress.json"));
  CHECK(attempts(scratch.path() / "elsewhere/real.json") == 1);
}

TEST_CASE("several processes at once lose nothing") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  constexpr int processes = 4;
  constexpr int each = 15;
  for (int i = 0; i < processes; ++i) {
    if (fork() == 0) {
      int status = 0;
      try {
        for (int k = 0; k < each; ++k) add_attempt(file, fail);
      } catch (const std::exception&) {
        status = 1;
      }
      _exit(status);
    }
  }
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    wait(&status);
    CHECK(status == 0);
  }
  CHECK(attempts(file) == processes * each);
}

TEST_CASE("killed at any moment, the file is whole and what was saved stays saved") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  // The child counts here what it knows to be saved.
  auto* saved = static_cast<volatile int*>(
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *saved = 1;
  const char* wanted = std::getenv("GRADE_TEST_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 100;
  for (int round = 0; round < kills; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      while (true) {
        add_attempt(file, fail);
        *saved = *saved + 1;
      }
    }
    usleep(static_cast<useconds_t>(500 + 733 * round % 6000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const int found = Progress::parse(scratch.read("progress.json")).lesson("001_add_one").attempts;
    CHECK((found == *saved || found == *saved + 1));
    if (scratch.has("progress.json.bak")) Progress::parse(scratch.read("progress.json.bak"));
    *saved = found;
  }
  CHECK(files(scratch, "progress.json.damaged-").empty());
  munmap(const_cast<int*>(saved), sizeof(int));
}

TEST_CASE("a folder that cannot be written: reading works, saving says why") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  // Root may write anywhere, so a file stands where the folder should be.
  const auto inside_a_file = file / "progress.json";
  CHECK(ProgressStore(inside_a_file).read().lesson("001_add_one").attempts == 0);
  try {
    add_attempt(inside_a_file, fail);
    FAIL("it was saved?");
  } catch (const Error& error) {
    CHECK(error.exit() == grade::Exit::unavailable);
    CHECK(std::string(error.what()).find("progress") != std::string::npos);
    CHECK_FALSE(error.next().empty());
  }
}

TEST_CASE("a full disk leaves the file as it was") {
  const Scratch scratch;
  const auto file = scratch.path() / "progress.json";
  add_attempt(file, fail);
  const std::string before = scratch.read("progress.json");
  const pid_t child = fork();
  if (child == 0) {
    // No file may grow: what a full disk does to a write.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{16, 16};
    setrlimit(RLIMIT_FSIZE, &none);
    try {
      add_attempt(file, pass);
    } catch (const Error& error) {
      _exit(error.exit() == grade::Exit::unavailable ? 5 : 1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 5);
  CHECK(scratch.read("progress.json") == before);
  CHECK(files(scratch, "progress.json.tmp").empty());
}
