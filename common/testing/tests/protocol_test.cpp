// The verdict protocol, from the parent's side.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

extern char** environ;

namespace {

using Json = nlohmann::json;

struct Run {
  int exit_code = -1;
  std::vector<Json> messages;

  const Json* find(const std::string& type) const {
    for (const Json& message : messages) {
      if (message["type"] == type) return &message;
    }
    return nullptr;
  }
  int count(const std::string& type, const std::string& status = "") const {
    int found = 0;
    for (const Json& message : messages) {
      found += message["type"] == type && (status.empty() || message["status"] == status);
    }
    return found;
  }
};

std::string object(const std::string& behaviour) {
  return std::string(PROTOCOL_KERNELS) + "/protocol_kernel_" + behaviour + ".so";
}

// `seed` comes after the nonce, as a secret one does.
Run run(std::vector<std::string> arguments, const std::string& seed = "") {
  arguments.insert(arguments.begin(), PROTOCOL_GRADER);
  int verdict[2], input[2];
  REQUIRE(pipe2(verdict, O_CLOEXEC) == 0);
  REQUIRE(pipe2(input, O_CLOEXEC) == 0);
  const std::string nonce = "secret\n" + (seed.empty() ? "" : seed + "\n");
  REQUIRE(write(input[1], nonce.data(), nonce.size()) == static_cast<ssize_t>(nonce.size()));
  close(input[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, verdict[1], 9);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv, environment;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::string descriptor = "GRADE_VERDICT_FD=9";
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(descriptor.data());
  environment.push_back(nullptr);
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, PROTOCOL_GRADER, &actions, nullptr, argv.data(),
                      environment.data()) == 0);
  posix_spawn_file_actions_destroy(&actions);
  close(verdict[1]);
  close(input[0]);

  Run result;
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(verdict[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(verdict[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    result.messages.push_back(Json::parse(text.substr(begin, end - begin)));
  }
  return result;
}

}  // namespace

TEST_CASE("a right kernel: start, each case once, end, all under the nonce") {
  const Run graded = run({"--kernel", object("right"), "--seed", "7"});
  CHECK(graded.exit_code == 0);
  REQUIRE(graded.find("start") != nullptr);
  const Json start = *graded.find("start");
  CHECK(start["seed"] == 7);
  CHECK(start["cases"] == Json({"small", "wide, with a comma", "no rows"}));
  CHECK(graded.count("case_start") == 3);
  CHECK(graded.count("case", "passed") == 3);
  CHECK(graded.messages.back()["type"] == "end");
  CHECK(graded.messages.back()["cases"] == 3);
  for (const Json& message : graded.messages) CHECK(message["nonce"] == "secret");
}

TEST_CASE("a seed may come after the nonce, and wins") {
  const Run graded = run({"--kernel", object("right"), "--seed", "7"}, "12345678901234567890");
  CHECK(graded.exit_code == 0);
  REQUIRE(graded.find("start") != nullptr);
  CHECK((*graded.find("start"))["seed"] == 12345678901234567890ULL);
  for (const Json& message : graded.messages) CHECK(message["nonce"] == "secret");
}

TEST_CASE("a wrong kernel: the failed cases, with message and mistake") {
  const Run graded = run({"--kernel", object("zeros")});
  CHECK(graded.exit_code == 1);
  CHECK(graded.count("case", "failed") == 2);
  CHECK(graded.count("case", "passed") == 1);
  const Json failed = *graded.find("case");
  CHECK(failed["mistake"] == "zeros");
  CHECK(failed["message"].get<std::string>().find("With M=2, N=3, K=4: C[m=0, n=0] is 0") == 0);
}

TEST_CASE("the exercise's own check: a wrong one fails, and so does one that is missing") {
  const Run lacks = run({"--kernel", object("unchecked")});
  CHECK(lacks.exit_code == 1);
  CHECK(lacks.count("case", "passed") == 2);
  for (const Json& message : lacks.messages) {
    if (message["type"] != "case" || message["status"] != "failed") continue;
    CHECK(message["message"].get<std::string>().find("no check_matmul_nn()") != std::string::npos);
  }
  const Run graded = run({"--kernel", object("check")});
  CHECK(graded.exit_code == 1);
  CHECK(graded.count("case", "passed") == 2);
  for (const Json& message : graded.messages) {
    if (message["type"] != "case" || message["status"] != "failed") continue;
    CHECK(message["message"] == "the check is wrong");
    CHECK(message["mistake"] == "wrong-check");
  }
}

TEST_CASE("one case, one shard") {
  CHECK(run({"--kernel", object("right"), "--case", "wide, with a comma"}).count("case") == 1);
  const Run shard = run({"--kernel", object("right"), "--shard", "2/2"});
  CHECK(shard.count("case") == 1);
  CHECK((*shard.find("start"))["cases"] == Json({"wide, with a comma"}));
  CHECK(run({"--kernel", object("right"), "--shard", "4/4"}).exit_code == 0);
}

TEST_CASE("an early exit(0), a closed descriptor or forged output never look like a pass") {
  const Run exits = run({"--kernel", object("exit")});
  CHECK(exits.exit_code == 0);
  CHECK(exits.find("end") == nullptr);
  CHECK(run({"--kernel", object("close")}).find("end") == nullptr);
  const Run forges = run({"--kernel", object("forge")});
  for (const Json& message : forges.messages) CHECK(message["nonce"] == "secret");
}

TEST_CASE("an object that does not load, or lacks the function, says so") {
  const Run absent = run({"--kernel", "/nowhere/k.so"});
  CHECK(absent.exit_code == 2);
  CHECK((*absent.find("load_error"))["text"] == "/nowhere/k.so does not exist");
  const Run lacks = run({"--kernel", object("missing")});
  CHECK(lacks.exit_code == 2);
  const std::string text = (*lacks.find("load_error"))["text"];
  CHECK(text.find("does not define matmul_nn(float const*, float const*, float*, int, int, int") !=
        std::string::npos);
  CHECK(lacks.find("start") == nullptr);
}

TEST_CASE("the same seed gives the same verdict") {
  const auto messages = [] {
    std::vector<std::string> texts;
    for (const Json& message : run({"--kernel", object("zeros"), "--seed", "3"}).messages) {
      texts.push_back(message.value("message", ""));
    }
    return texts;
  };
  CHECK(messages() == messages());
}

TEST_CASE("bench cases run when asked for, alone, and send counts") {
  const Run graded = run({"--kernel", object("right"), "--bench"});
  CHECK(graded.exit_code == 0);
  REQUIRE(graded.find("start") != nullptr);
  CHECK((*graded.find("start"))["cases"] == Json({"M = 4, N = 5, K = 6"}));
  CHECK(graded.count("case", "passed") == 1);
  REQUIRE(graded.count("counts") == 1);
  const Json counts = *graded.find("counts");
  CHECK(counts["case"] == "M = 4, N = 5, K = 6");
  CHECK(counts["kernels"].empty());  // these objects compute on the host
  for (const char* name : {"launches", "host_waits", "load_requests", "shared_load_passes",
                           "bytes_moved", "active_lanes", "flops"}) {
    CAPTURE(name);
    CHECK(counts["total"].at(name) == 0);
  }
  CHECK(run({"--kernel", object("right")}).count("counts") == 0);
  CHECK(run({"--kernel", object("zeros"), "--bench"}).exit_code == 1);
}
