// printf, assert and __trap of device code. These names are the C library's; in host code they go
// there.
#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "api_state.h"
#include "device_code.h"
#include "launch.h"
#include "reports.h"
#include "scheduler.h"
#include "simt/synchronisation.h"

extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file,
                                           unsigned int line, const char* function) noexcept {
  if (!simt::in_cuda_thread()) {
    using Function = void (*)(const char*, const char*, unsigned int, const char*);
    static const auto original = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__assert_fail"));
    original(expression, file, line, function);
    std::abort();
  }
  simt::Thread& thread = *simt::hot.thread;
  const uint3& b = thread.block->index;
  const uint3& t = thread.index;
  // A GPU prints a line for every thread; a few say as much.
  constexpr int most_lines = 4;
  if (simt::current_launch->assert_lines++ < most_lines) {
    std::fprintf(stderr,
                 "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                 line, function, b.x, b.y, b.z, t.x, t.y, t.z, expression);
  }
  simt::current_launch->error = cudaErrorAssert;
  simt::reports::device_assert(thread, SIMT_CALLER,
                               std::string("assertion `") + expression + "` failed");
  simt::scheduler::retire(thread);
}

void __trap() noexcept {
  simt::Thread& thread = simt::running_thread("__trap");
  simt::current_launch->error = cudaErrorLaunchFailure;
  simt::reports::device_assert(thread, SIMT_CALLER, "__trap() was called");
  simt::scheduler::retire(thread);
}

void __brkpt() noexcept {}
