// The sandbox and the verdict's rules, with a grader that misbehaves on purpose.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "run/verdict.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "run/grader_process.h"
#include "run/json.h"
#include "sandbox/sandbox.h"

namespace {

namespace fs = std::filesystem;
using grade::Backend;
using grade::RunResult;
using grade::Status;
using namespace std::chrono_literals;

const fs::path kScratch = fs::temp_directory_path() / fmt::format("grade-test-{}", getpid());

grade::GraderJob job(const char* mode, Backend backend) {
  grade::GraderJob job;
  job.grader = FAKE_GRADER;
  job.kernel = mode;
  job.backend = backend;
  job.timeout = 60s;  // whatever ends by itself has time, on a busy machine too
  job.scratch_base = kScratch;
  return job;
}

RunResult run(const char* mode, Backend backend = Backend::cpu) {
  return grade::run_grader(job(mode, backend));
}

// Of what would go on for ever: until its time is up. It is given more where the machine is so busy
// that it does not come as far as it should.
RunResult run_out(const char* mode, bool (*far_enough)(const RunResult&),
                  Backend backend = Backend::cpu) {
  grade::GraderJob endless = job(mode, backend);
  RunResult result;
  for (endless.timeout = 1500ms; endless.timeout < 60s; endless.timeout *= 4) {
    result = grade::run_grader(endless);
    CHECK(result.run_seconds * 1000 >= static_cast<double>(endless.timeout.count()));
    if (far_enough(result)) break;
  }
  return result;
}

bool in_case(const RunResult& result) {
  return result.case_running == "a";
}

// A process that works for as long as this lives.
class Child {
 public:
  Child() : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned count = 0;;) count = count + 1;
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

 private:
  pid_t pid_;
};

bool scratch_is_empty() {
  return !fs::exists(kScratch) || fs::is_empty(kScratch);
}

}  // namespace

TEST_CASE("a pass needs every part of it") {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    CAPTURE(std::string(grade::name(backend)));
    CHECK(run("pass", backend).status == Status::passed);
    CHECK(run("pass_with_note", backend).status == Status::passed);
    CHECK(run("pass_with_error", backend).status == Status::failed);
    CHECK(run("fail", backend).status == Status::failed);
    CHECK(run("fail_exit_0", backend).status == Status::failed);
    CHECK(run("skip", backend).status == Status::failed);
    CHECK(run("one_case_missing", backend).status == Status::crashed);
    CHECK(run("one_case_twice", backend).status == Status::crashed);
    CHECK(run("no_end", backend).status == Status::crashed);
    CHECK(run("no_start", backend).status == Status::failed);
    CHECK(run("nothing", backend).status == Status::crashed);
    CHECK(run("exit_3_after_pass", backend).status == Status::crashed);
    CHECK(run("crash_after_pass", backend).status == Status::crashed);
    CHECK(run("wrong_nonce", backend).status == Status::failed);
    CHECK(run("foreign_line_in_a_pass", backend).status == Status::failed);
    CHECK(run("more_after_end", backend).status == Status::failed);
    CHECK(run("load_error", backend).status == Status::compile_error);
    CHECK(run("unusable", backend).status == Status::unavailable);
    CHECK(run("unusable_after_start", backend).status != Status::passed);
  }
  CHECK(scratch_is_empty());
}

TEST_CASE("timings come with the nonce or not at all") {
  const RunResult sound = run("timing", Backend::cuda);
  CHECK(sound.status == Status::passed);
  CHECK(sound.timings == std::vector<std::string>{R"({"median":1})"});
  const RunResult forged = run("forged_timing", Backend::cuda);
  CHECK(forged.status == Status::failed);
  CHECK_FALSE(forged.reason.empty());  // so that nothing of it is recorded
  CHECK(forged.timings == std::vector<std::string>{R"({"median":1})"});
}

TEST_CASE("a crash names the signal and the case") {
  const RunResult result = run("crash_in_case");
  CHECK(result.status == Status::crashed);
  CHECK(result.case_running == "b");
  CHECK(result.reason.find("SIGFPE") != std::string::npos);
  REQUIRE(result.cases.size() == 2);
  CHECK(result.cases[0].status == "passed");
  CHECK(result.cases[1].status == "not_run");
}

TEST_CASE("limits hold") {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    CAPTURE(std::string(grade::name(backend)));
    const RunResult hung = run_out("hang_in_case", in_case, backend);
    CHECK(hung.status == Status::timed_out);
    CHECK(hung.case_running == "a");
    CHECK(hung.run_seconds < 120);
    CHECK(run("stop", backend).status == Status::crashed);
    grade::GraderJob hungry = job("memory", backend);
    hungry.memory = std::uint64_t{200} << 20;
    const RunResult memory = grade::run_grader(hungry);
    CHECK(memory.status == Status::crashed);
    CHECK(memory.reason.find("memory") != std::string::npos);
    const RunResult file = run("big_file", backend);
    CHECK(file.status == Status::crashed);
    CHECK(file.reason.find("16 MiB") != std::string::npos);
    CHECK(run("small_file", backend).status == Status::passed);
    CHECK(run("threads", backend).status == Status::passed);
  }
  CHECK(scratch_is_empty());
}

TEST_CASE("who is timed out is told whether it worked or waited") {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    CAPTURE(std::string(grade::name(backend)));
    for (const char* mode : {"loop_in_case", "loops_in_case"}) {
      const RunResult looped = run_out(mode, in_case, backend);
      CHECK(looped.status == Status::timed_out);
      CHECK(looped.reason.find("s of work: an endless loop") != std::string::npos);
    }
    const RunResult hung = run_out("hang_in_case", in_case, backend);
    CHECK(hung.reason.find("the rest waiting: for what does not come") != std::string::npos);
  }
}

// The program has a small part of one processor, on which others work too.
TEST_CASE("a busy machine makes nothing endless") {
  cpu_set_t before;
  cpu_set_t one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  {
    std::vector<Child> others(3);
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      CAPTURE(std::string(grade::name(backend)));
      grade::GraderJob busy = job("work_a_second", backend);
      RunResult result;
      for (busy.timeout = 1500ms; busy.timeout < 60s; busy.timeout *= 4) {
        result = grade::run_grader(busy);
        if (result.status != Status::unavailable) break;  // busier than meant: others work here
        CHECK(result.reason.find("this machine is too busy") != std::string::npos);
      }
      CHECK(result.status == Status::passed);
    }
  }
  sched_setaffinity(0, sizeof before, &before);
}

TEST_CASE("a program that hardly had a processor is not judged") {
  grade::sandbox::Outcome outcome;
  outcome.ending = grade::sandbox::Ending::starved;
  outcome.seconds = 200.1;
  outcome.worked = 3.21;
  const RunResult result = grade::VerdictReader("nonce").finish(outcome, {});
  CHECK(result.status == Status::unavailable);
  CHECK(result.reason ==
        "the program had a processor for only 3.2 s of 200 s: this machine is too busy to say "
        "whether the kernel is right. Run it again when less else is running");
}

TEST_CASE("output is read to its end and a part is kept") {
  const RunResult result = run("flood");
  CHECK(result.status == Status::passed);
  CHECK(result.output.size() == std::size_t{1} << 20);
  CHECK(result.output_cut);
}

TEST_CASE("who printed until the time was up is told so") {
  const RunResult result =
      run_out("flood_in_case", [](const RunResult& each) { return each.output_cut; });
  CHECK(result.status == Status::timed_out);
  CHECK(result.reason.find("too much output") != std::string::npos);
  CHECK(result.reason.find(" MB by then") != std::string::npos);
  CHECK(run_out("hang_in_case", in_case).reason.find("output") == std::string::npos);
}

TEST_CASE("a flooded channel proves nothing") {
  CHECK(run("flood_channel").status == Status::failed);
}

TEST_CASE("processes: refused on the CPU, swept up everywhere") {
  const RunResult refused = run("fork");
  CHECK(refused.status == Status::crashed);
  REQUIRE(refused.diagnostics.size() == 1);
  CHECK(refused.diagnostics[0].kind == "forbidden_call");

  grade::sandbox::Command command;
  command.program = "/bin/sh";
  command.arguments = {
      "-c", "(setsid sleep 98765 &); (setsid sh -c 'sleep 98765 & sleep 98765' &); exit 7"};
  command.environment = {"PATH=/usr/bin:/bin"};
  command.scratch_base = kScratch;
  const grade::sandbox::Outcome outcome = grade::sandbox::run(command);
  CHECK(outcome.ending == grade::sandbox::Ending::exited);
  CHECK(outcome.code == 7);
  CHECK(outcome.left_behind >= 1);
  CHECK(std::system("for c in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$c; echo; done 2>/dev/null | "
                    "grep -q '^sleep 98765'") != 0);
}

TEST_CASE("nothing is inherited") {
  setenv("GRADE_TEST_SECRET", "1", 1);
  const int leak = dup(STDOUT_FILENO);  // not close-on-exec
  CHECK(run("descriptors").status == Status::passed);
  CHECK(run("environment").status == Status::passed);
  CHECK(run("powers").status == Status::passed);
  close(leak);
}

TEST_CASE("a run can be cancelled from another thread") {
  std::atomic<bool> cancelled{false};
  grade::GraderJob endless = job("hang_in_case", Backend::cpu);
  endless.cancelled = &cancelled;
  std::jthread later([&] {
    std::this_thread::sleep_for(200ms);
    cancelled = true;
  });
  const auto start = std::chrono::steady_clock::now();
  CHECK(grade::run_grader(endless).status == Status::unavailable);
  CHECK(std::chrono::steady_clock::now() - start < 30s);
}

TEST_CASE("several runs at once do not disturb each other") {
  std::vector<std::jthread> threads;
  std::atomic<int> passed{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) passed += run("pass").status == Status::passed ? 1 : 0;
    });
  }
  threads.clear();
  CHECK(passed == 40);
  CHECK(scratch_is_empty());
}

TEST_CASE("what cannot be started says why") {
  grade::GraderJob missing = job("pass", Backend::cpu);
  missing.grader = "/nonexistent/grader";
  const RunResult result = grade::run_grader(missing);
  CHECK(result.status == Status::unavailable);
  CHECK(result.reason.find("/nonexistent/grader") != std::string::npos);
}

TEST_CASE("a verdict survives being written and read") {
  const RunResult before = run("pass_with_error");
  const RunResult after = grade::run_result_from_json_text(grade::to_json_text(before));
  CHECK(after.status == before.status);
  CHECK(after.seed == before.seed);
  REQUIRE(after.diagnostics.size() == 1);
  CHECK(after.diagnostics[0].line == 3);
  CHECK(after.diagnostics[0].thread[0] == 1);
  CHECK(after.cases.size() == 2);
  CHECK_THROWS(grade::run_result_from_json_text("{}"));
}
