// Findings of one kind at one instruction (or pair of instructions), while the launch runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "access.h"
#include "device.h"
#include "simt/inspect.h"

namespace simt::reports {

enum class Scope : std::uint8_t { warp, block, grid };

struct Entry {
  DiagnosticKind kind{};
  Severity severity = Severity::error;
  std::uintptr_t pc = 0;
  std::uintptr_t other_pc = 0;
  std::size_t count = 0;

  // The finding that is told: the one of the lowest block and thread.
  std::size_t block = 0;
  unsigned thread = 0;
  Access access{};
  std::uintptr_t address = 0;
  bool other_known = false;
  std::size_t other_block = 0;
  unsigned other_thread = 0;
  AccessType other_type = AccessType::read;
  Scope scope = Scope::warp;
  bool shared_memory = false;
  bool own_memory = false;
  bool shuffle_between = false;
  bool scope_too_small = false;
  bool other_atomic = false;
  bool values_differ = false;
  Divergence divergence = Divergence::none;
  bool both_write = false;  // in one of the findings at the same lines at least
  std::string text;         // of findings that are told as they are found
};

// The entry of the kind at the instructions, counted once more; `variant` keeps apart what is told
// differently.
Entry& entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc = 0, int variant = 0);

// Should the entry tell of this thread, rather than of the one it has?
bool replaces(const Entry& entry, std::size_t block, unsigned thread);

// Both at once: null when the entry keeps what it has.
Entry* fresh_entry(DiagnosticKind kind, std::uintptr_t pc, std::uintptr_t other_pc,
                   std::size_t block, unsigned thread, int variant = 0);

// The position in the learner's code: where the call is made from a header of the runtime
// (cooperative groups), the caller's.
std::uintptr_t learners_pc(std::uintptr_t pc, const Thread& thread);

}  // namespace simt::reports
