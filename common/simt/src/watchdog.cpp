#include "watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "division.h"
#include "fiber.h"
#include "hot.h"
#include "launch.h"
#include "launch_settings.h"
#include "modules.h"
#include "reports.h"
#include "scheduler.h"
#include "symboliser.h"

namespace simt::watchdog {

volatile sig_atomic_t time_is_up = 0;
namespace {

double limit_seconds = 0;
bool cut = false;  // the end of the time only cuts this launch short
std::uintptr_t interrupted_pc = 0;
std::uintptr_t interrupted_caller = 0;
struct sigaction before_profile, before_segv, before_bus, before_fpe;

void set_timer(double seconds, double interval) {
  itimerval timer{};
  const auto as_time = [](double s) {
    timeval t{};
    t.tv_sec = static_cast<time_t>(s);
    t.tv_usec = static_cast<suseconds_t>((s - std::floor(s)) * 1e6);
    return t;
  };
  timer.it_value = as_time(seconds);
  timer.it_interval = as_time(interval);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

std::uintptr_t program_counter(void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
#error "the CPU runtime knows x86-64 and aarch64"
#endif
}

// Makes the interrupted code continue in `function`, as if it had been called, on `stack`.
void redirect(void* context, void (*function)(), std::uintptr_t stack) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  machine.gregs[REG_RSP] = static_cast<greg_t>(((stack - 128) & ~std::uintptr_t{15}) - 8);
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
#else
  machine.sp = (stack - 128) & ~std::uintptr_t{15};
  machine.pc = reinterpret_cast<std::uintptr_t>(function);
#endif
}

std::uintptr_t stack_pointer(void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#else
  return machine.sp;
#endif
}

void continue_endless() {
  Thread& thread = *hot.thread;
  // Code between the kernel and the runtime (the PLT) has no lines; the call it serves has.
  const bool has_line = symboliser::position(interrupted_pc).line != 0;
  end_launch(thread, has_line ? interrupted_pc : interrupted_caller);
}

bool in_kernels_code(std::uintptr_t pc) {
  const Module& module = current_launch->module;
  return pc - module.text_begin < module.text_end - module.text_begin;
}

void on_timer(int, siginfo_t*, void* context) {
  if (current_launch == nullptr) return;
  time_is_up = 1;
  hot.fast_bytes = 0;  // the next access notices
  const std::uintptr_t pc = program_counter(context);
  // A loop without accesses notices nothing. Its own code may be left at any point; the runtime's
  // not.
  if (!in_cuda_thread() || !in_kernels_code(pc)) return;
  interrupted_pc = pc + 1;
  interrupted_caller = *reinterpret_cast<const std::uintptr_t*>(stack_pointer(context));
  redirect(context, continue_endless, stack_pointer(context));
}

std::uintptr_t fault_pc = 0;
std::uintptr_t fault_address = 0;
int fault_signal = 0;

void continue_fault() {
  Thread& thread = *hot.thread;
  if (fibers::in_guard(fault_address)) {
    reports::stack_overflow(thread, fault_pc);
  } else if (fault_signal == SIGFPE) {
    reports::device_assert(thread, fault_pc, "integer division by zero");
  } else {
    Access access{fault_address, 1, AccessType::read, AccessStrength::plain, fault_pc};
    reports::bad_access(DiagnosticKind::out_of_bounds, access, thread);
  }
  scheduler::retire(thread);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  Thread* thread = hot.thread;
  if (!in_cuda_thread()) {
    // Host code: as if there were no handler. The instruction is run again.
    const struct sigaction& before = signal == SIGSEGV  ? before_segv
                                     : signal == SIGBUS ? before_bus
                                                        : before_fpe;
    sigaction(signal, &before, nullptr);
    return;
  }
  if (signal == SIGFPE && finish_division(context)) return;
  fault_pc = program_counter(context) + 1;
  fault_signal = signal;
  fault_address = signal == SIGFPE ? 0 : reinterpret_cast<std::uintptr_t>(info->si_addr);
  // The frames are abandoned, so the top of the stack can serve the report.
  redirect(context, continue_fault, thread->fiber->stack_top);
}

void give_handlers_a_stack() {
  static bool given = false;
  if (given) return;
  given = true;
  static char memory[64 << 10];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

void set_limit(double seconds) {
  limit_seconds = std::max(seconds, 0.0);
}

void begin_launch(double seconds_before_cut) {
  give_handlers_a_stack();
  time_is_up = 0;
  cut = limit_seconds > 0 && seconds_before_cut > 0 && seconds_before_cut < limit_seconds;
  handle(SIGSEGV, on_fault, before_segv);
  handle(SIGBUS, on_fault, before_bus);
  handle(SIGFPE, on_fault, before_fpe);
  if (limit_seconds <= 0) return;
  handle(SIGPROF, on_timer, before_profile);
  set_timer(cut ? seconds_before_cut : limit_seconds, 0.01);
}

void end_launch() {
  if (limit_seconds > 0) {
    set_timer(0, 0);
    sigaction(SIGPROF, &before_profile, nullptr);
  }
  time_is_up = 0;
  sigaction(SIGSEGV, &before_segv, nullptr);
  sigaction(SIGBUS, &before_bus, nullptr);
  sigaction(SIGFPE, &before_fpe, nullptr);
}

void end_launch(Thread& thread, std::uintptr_t pc) {
  if (limit_seconds > 0) set_timer(0, 0);
  time_is_up = 0;
  if (cut) {
    launch_settings().was_cut = true;
    scheduler::stop_launch();
  }
  if (pc == 0) {
    switch (thread.state) {
      case ThreadState::barrier:
      case ThreadState::grid_sync:
        pc = thread.barrier_pc;
        break;
      case ThreadState::warp_op:
        pc = thread.exchange.pc;
        break;
      default:
        pc = thread.spin_pc != 0 ? thread.spin_pc : thread.barrier_pc;
    }
  }
  reports::endless_loop(thread, pc, limit_seconds);
  scheduler::stop_launch();
}

}  // namespace simt::watchdog
