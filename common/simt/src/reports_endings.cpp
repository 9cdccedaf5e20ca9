// Reports of what ends a kernel: asserts, traps, loops and stacks without end.
#include <cstdio>

#include "launch.h"
#include "report_entry.h"
#include "report_text.h"
#include "reports.h"

namespace simt::reports {

void device_assert(const Thread& thread, std::uintptr_t pc, const std::string& text) {
  current_launch->faulted = true;
  if (current_launch->error == cudaSuccess) current_launch->error = cudaErrorLaunchFailure;
  Entry* found =
      fresh_entry(DiagnosticKind::device_assert, pc, 0, thread.block->linear, thread.linear);
  if (found == nullptr) return;
  found->text = text + " in " + who(found->block, found->thread);
}

void undefined_arithmetic(const Thread& thread, std::uintptr_t pc, const std::string& text) {
  Entry* found =
      fresh_entry(DiagnosticKind::arithmetic, pc, 0, thread.block->linear, thread.linear);
  if (found == nullptr) return;
  found->severity = Severity::note;
  found->text = "arithmetic: in " + who(found->block, found->thread) + ", " + text;
}

void endless_loop(const Thread& thread, std::uintptr_t pc, double seconds) {
  current_launch->faulted = true;
  current_launch->error = cudaErrorLaunchTimeout;
  Entry* found =
      fresh_entry(DiagnosticKind::endless_loop, pc, 0, thread.block->linear, thread.linear);
  if (found == nullptr) return;
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", seconds);
  found->text = "endless loop: the kernel still runs after " + std::string(limit) + " s of work; " +
                who(found->block, found->thread) + " is here";
}

void stack_overflow(const Thread& thread, std::uintptr_t pc) {
  current_launch->faulted = true;
  Entry* found =
      fresh_entry(DiagnosticKind::out_of_bounds, pc, 0, thread.block->linear, thread.linear, 9);
  if (found == nullptr) return;
  found->own_memory = true;
  found->text = "out of bounds: " + who(found->block, found->thread) +
                " needs more local memory than its stack of 64 KiB holds (large local arrays, or a "
                "recursion without end)";
}

void too_much_static_shared(const char* name, std::size_t bytes, std::uintptr_t pc) {
  current_launch->error = cudaErrorInvalidValue;
  Entry* found = fresh_entry(DiagnosticKind::launch_error, pc, 0, 0, 0);
  if (found == nullptr) return;
  found->text = std::string("launch: with ") + name + " the kernel declares " +
                std::to_string(bytes) +
                " bytes of static shared memory, and a block has 49152: nvcc refuses this";
}

}  // namespace simt::reports
