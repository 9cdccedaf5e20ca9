// Speaks a grader's side of the verdict protocol and misbehaves as its --kernel says: it stands in
// for graders in the tests of the sandbox and of the verdict's rules.
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <thread>

namespace {

int channel = -1;
std::string nonce;

void send(const std::string& rest) {
  const std::string line = "{\"nonce\":\"" + nonce + "\"," + rest + "}\n";
  if (write(channel, line.data(), line.size()) < 0) std::perror("write");
}
void start() {
  send(R"("type":"start","lesson":"x","seed":1,"backend":"cpu","cases":["a","b"])");
}
void begin(const char* name) {
  send(std::string(R"("type":"case_start","name":")") + name + "\"");
}
void report(const char* name, const char* status) {
  send(std::string(R"("type":"case","name":")") + name + R"(","status":")" + status +
       R"(","message":"","seconds":0)");
}
void end() {
  send(R"("type":"end","cases":2)");
}
void diagnostic(const char* severity) {
  send(std::string(R"("type":"diagnostic","case":"a","severity":")") + severity +
       R"(","kind":"race","message":"two threads","kernel":"k","file":"f.cu","line":3,)"
       R"("block":[0,0,0],"thread":[1,0,0])");
}
// Uses this much processor time.
void work(double seconds) {
  timespec used{};
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9 < seconds);
}

const std::map<std::string, int (*)()> kModes{
    {"pass",
     [] {
       start();
       begin("a");
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"pass_with_note",
     [] {
       start();
       diagnostic("note");
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"pass_with_error",
     [] {
       start();
       diagnostic("error");
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"fail",
     [] {
       start();
       report("a", "passed");
       report("b", "failed");
       end();
       return 1;
     }},
    {"fail_exit_0",
     [] {
       start();
       report("a", "passed");
       report("b", "failed");
       end();
       return 0;
     }},
    {"skip",
     [] {
       start();
       report("a", "passed");
       report("b", "skipped");
       end();
       return 0;
     }},
    {"one_case_missing",
     [] {
       start();
       report("a", "passed");
       end();
       return 0;
     }},
    {"one_case_twice",
     [] {
       start();
       report("a", "passed");
       report("a", "passed");
       end();
       return 0;
     }},
    {"no_end",
     [] {
       start();
       report("a", "passed");
       report("b", "passed");
       return 0;
     }},
    {"no_start",
     [] {
       report("a", "passed");
       end();
       return 0;
     }},
    {"nothing", [] { return 0; }},
    {"exit_3_after_pass",
     [] {
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       return 3;
     }},
    {"crash_after_pass",
     [] {
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       raise(SIGSEGV);
       return 0;
     }},
    {"wrong_nonce",
     [] {
       nonce = "guess";
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"timing",
     [] {
       start();
       send(R"("type":"timing","timing":{"median":1})");
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"forged_timing",
     [] {
       start();
       const std::string mine = nonce;
       nonce = "guess";
       send(R"("type":"timing","timing":{"median":0.1})");
       nonce = mine;
       send(R"("type":"timing","timing":{"median":1})");
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"foreign_line_in_a_pass",
     [] {
       start();
       report("a", "passed");
       if (write(channel, "PASS\n", 5) < 0) return 1;
       report("b", "passed");
       end();
       return 0;
     }},
    {"more_after_end",
     [] {
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       report("b", "passed");
       return 0;
     }},
    {"load_error",
     [] {
       send(R"("type":"load_error","text":"no function f")");
       return 2;
     }},
    {"unusable",  // the driver does not suit the runtime, say
     [] {
       send(R"("type":"unusable","text":"no device")");
       return 2;
     }},
    {"unusable_after_start",
     [] {
       start();
       report("a", "passed");
       send(R"("type":"unusable","text":"no device")");
       return 2;
     }},
    {"crash_in_case",
     [] {
       start();
       report("a", "passed");
       begin("b");
       raise(SIGFPE);
       return 0;
     }},
    {"hang_in_case",
     [] {
       start();
       begin("a");
       for (;;) pause();
       return 0;
     }},
    {"loop_in_case",
     [] {
       start();
       begin("a");
       work(1e9);
       return 0;
     }},
    {"loops_in_case",  // two threads at once
     [] {
       start();
       begin("a");
       for (int i = 0; i < 2; ++i) std::thread([] { work(1e9); }).detach();
       for (;;) pause();
       return 0;
     }},
    {"work_a_second",
     [] {
       start();
       begin("a");
       work(1);
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"stop",
     [] {
       raise(SIGSTOP);
       return 0;
     }},
    {"fork",
     [] {
       start();
       if (fork() == 0) sleep(98765);
       return 0;
     }},
    {"threads",
     [] {
       int value = 0;
       std::thread([&] { value = 1; }).join();
       start();
       report("a", value == 1 ? "passed" : "failed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"memory",
     [] {
       for (int i = 0; i < 400; ++i) std::memset(std::malloc(64U << 20), 1, 64U << 20);
       return 0;
     }},
    {"big_file",
     [] {
       std::FILE* file = std::fopen("big", "wb");
       for (int i = 0; i < 100; ++i)
         std::fwrite(std::string(1 << 20, 'x').data(), 1, 1 << 20, file);
       return 0;
     }},
    {"small_file",
     [] {
       std::FILE* file = std::fopen("small", "wb");
       start();
       report("a", file != nullptr && std::fputs("x", file) >= 0 ? "passed" : "failed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"flood",
     [] {
       const std::string block(1 << 20, 'x');
       for (int i = 0; i < 300; ++i) std::fwrite(block.data(), 1, block.size(), stdout);
       std::fflush(stdout);
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"flood_in_case",
     [] {
       start();
       begin("a");
       const std::string block(1 << 20, 'x');
       for (;;) std::fwrite(block.data(), 1, block.size(), stdout);
       return 0;
     }},
    {"flood_channel",
     [] {
       const std::string block(1 << 20, 'x');
       for (int i = 0; i < 300 && write(channel, block.data(), block.size()) > 0; ++i) {
       }
       start();
       report("a", "passed");
       report("b", "passed");
       end();
       return 0;
     }},
    {"descriptors",  // 0 to 2 and the channel, no more
     [] {
       start();
       bool none = true;
       for (int fd = channel + 1; fd < 4096; ++fd) none = none && fcntl(fd, F_GETFD) < 0;
       report("a", none ? "passed" : "failed");
       rlimit files{RLIM_INFINITY, RLIM_INFINITY};
       report("b", setrlimit(RLIMIT_NOFILE, &files) != 0 ? "passed" : "failed");
       end();
       return 0;
     }},
    {"powers",  // root's, where root runs it; and a look into its parent
     [] {
       start();
       report("a",
              prctl(PR_CAPBSET_READ, CAP_SYS_PTRACE) == 0 || geteuid() != 0 ? "passed" : "failed");
       const std::string memory = "/proc/" + std::to_string(getppid()) + "/mem";
       report("b", open(memory.c_str(), O_RDONLY) < 0 ? "passed" : "failed");
       end();
       return 0;
     }},
    {"environment",
     [] {
       start();
       report("a", std::getenv("GRADE_TEST_SECRET") == nullptr ? "passed" : "failed");
       char here[4096] = {};
       const char* temporary = std::getenv("TMPDIR");
       const bool scratch = getcwd(here, sizeof here) != nullptr && temporary != nullptr &&
                            std::string(here) == temporary;
       report("b", scratch ? "passed" : "failed");
       end();
       return 0;
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const char* number = std::getenv("GRADE_VERDICT_FD");
  if (argc < 3 || number == nullptr) return 2;
  channel = std::atoi(number);
  std::getline(std::cin, nonce);
  const auto found = kModes.find(argv[2]);
  return found == kModes.end() ? 2 : found->second();
}
