#include "detector.h"

#include <unordered_set>
#include <utility>

#include "arena.h"
#include "fiber.h"
#include "heap.h"
#include "host_access.h"
#include "hot.h"
#include "launch.h"
#include "modules.h"
#include "order.h"
#include "profile.h"
#include "reports.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "trace.h"
#include "watchdog.h"

namespace simt::detector {
namespace {

// Stores that raced with a store, to be compared once they are done.
struct Pending {
  std::uintptr_t offset;
  std::uint64_t mask;
  std::uint32_t old_value;
  reports::Entry* entry;
};
Pending pending[8];
unsigned pending_count = 0;

// Pairs of accesses (word, threads, types) that were told, as hashes.
std::unordered_set<std::uint64_t> told_pairs;
constexpr std::size_t most_told_pairs = std::size_t{1} << 20;
constexpr std::size_t most_conflicts = 200000;
constexpr std::size_t most_unwritten_reads = 200000;

std::uint32_t word_at(std::uintptr_t address) {
  return *reinterpret_cast<const std::uint32_t*>(address);
}

std::uint32_t byte_mask(std::uint64_t mask) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) bits |= 0xFFu << (8 * i);
  }
  return bits;
}

AccessStrength strength_at(std::uint64_t state, int shift) {
  return static_cast<AccessStrength>(state >> shift & 3);
}

// One word of an access, on its way through the checks.
class Word {
 public:
  Word(const Access& access, std::uintptr_t offset, std::uintptr_t real_address, std::uint64_t mask)
      : access_(access),
        thread_(*hot.thread),
        cell_(arena::cell(offset)),
        offset_(offset),
        real_address_(real_address),
        mask_(mask),
        shared_(offset >= hot.shared_begin),
        oldest_(shared_ ? hot.block_first : hot.launch_first),
        me_(hot.me | pc_offset(access.pc)) {
    strength_ = shared_ && access.strength == AccessStrength::strong ? AccessStrength::plain
                                                                     : access.strength;
  }

  void check() {
    std::uint64_t state = cell_.state;
    if (shared_ && cell_.write < oldest_ && cell_.read1 < oldest_ && cell_.read2 < oldest_) {
      state &= ~state::raced;  // of an earlier block
    }
    if ((state & state::read2_stores) != 0 && settled(cell_.read2)) state = without_store(state);
    bool raced = false;
    if (cell_.write >= oldest_ && (state >> state::write_shift & mask_) != 0) {
      raced |=
          conflict(cell_.write, AccessType::write, strength_at(state, state::write_strength_shift));
    }
    if ((state & state::read2_stores) != 0 && (state >> state::read2_shift & mask_) != 0) {
      raced |= conflict(cell_.read2, AccessType::write, AccessStrength::plain);
    }
    if (access_.type != AccessType::read) {
      if (cell_.read1 >= oldest_ && (state >> state::read1_shift & mask_) != 0) {
        raced |= conflict(cell_.read1, AccessType::read,
                          strength_at(state, state::read1_strength_shift));
      }
      if (cell_.read2 >= oldest_ && (state & state::read2_stores) == 0 &&
          (state >> state::read2_shift & mask_) != 0) {
        raced |= conflict(cell_.read2, AccessType::read,
                          strength_at(state, state::read2_strength_shift));
      }
    }
    if (raced) state |= state::raced;
    std::uint64_t written = state >> state::initialised_shift & 0xF;
    if (shared_ && cell_.write < oldest_) written = 0;
    if (access_.type != AccessType::write && (written & mask_) != mask_) {
      if ((state & state::raced) == 0 && !current_launch->races_enough) {
        reports::uninitialised_read(access_, real_address_, offset_, thread_);
      }
      if (++current_launch->unwritten_reads > most_unwritten_reads) state = as_if_written(state);
    }
    cell_.state =
        access_.type == AccessType::read ? remember_read(state) : remember_write(state, written);
  }

 private:
  // So many were told that the rest need not take this way.
  std::uint64_t as_if_written(std::uint64_t state) {
    if (!shared_) return state | state::initialised;
    if (hot.span_shared != 0 && cell_.write < oldest_) cell_.write = hot.block_first;
    return state;
  }

  static Record pc_offset(std::uintptr_t pc) {
    const std::uintptr_t offset = pc - hot.pc_base;
    return offset < pc_mask ? offset : 0;
  }

  bool conflict(Record earlier, AccessType earlier_type, AccessStrength earlier_strength) {
    if (same_stamp(earlier, me_) || current_launch->races_enough) return false;
    const order::Verdict verdict = order::before(earlier, thread_);
    if (verdict == order::Verdict::ordered) return false;
    const bool atomic =
        strength_ == AccessStrength::device_atomic || strength_ == AccessStrength::block_atomic;
    const bool earlier_atomic = earlier_strength == AccessStrength::device_atomic ||
                                earlier_strength == AccessStrength::block_atomic;
    bool scope_too_small = false;
    if (atomic && earlier_atomic) {
      if (order::same_block(earlier, thread_) ||
          (strength_ == AccessStrength::device_atomic &&
           earlier_strength == AccessStrength::device_atomic)) {
        return false;
      }
      scope_too_small = true;
    } else if (strength_ != AccessStrength::plain && earlier_strength != AccessStrength::plain &&
               !order::same_warp(earlier, thread_)) {
      return false;  // volatile on both sides, or volatile and atomic: strong accesses
    }
    if (++current_launch->conflicts > most_conflicts) {
      current_launch->races_enough = true;
      scheduler::refresh_hot(*thread_.block);
      return true;
    }
    if (!first_of_pair(earlier, earlier_type)) return true;
    reports::Race race{access_, real_address_, thread_, earlier, earlier_type};
    race.shared_memory = shared_;
    race.shuffle_between = verdict == order::Verdict::ordered_by_shuffle;
    race.earlier_atomic = earlier_atomic;
    race.scope_too_small = scope_too_small;
    reports::Entry& entry = reports::race(race);
    trace::race(thread_, access_, real_address_, earlier, earlier_type, entry);
    if (access_.type == AccessType::write && earlier_type == AccessType::write && !earlier_atomic) {
      await_value(entry);
    } else {
      reports::not_equal_values(entry);
    }
    return true;
  }

  // A thread's second store to a word races with the same accesses as its first, but only if those
  // came before: told or not, that would depend on the order of threads.
  bool first_of_pair(Record earlier, AccessType earlier_type) {
    std::uint64_t mine = (me_ >> pc_bits) * 4 + static_cast<unsigned>(access_.type);
    std::uint64_t other = (earlier >> pc_bits) * 4 + static_cast<unsigned>(earlier_type);
    if (mine > other) std::swap(mine, other);
    std::uint64_t key = (mine * 0x9e3779b97f4a7c15) ^ (mine >> 31);
    key = (key + other) * 0xbf58476d1ce4e5b9;
    key = ((key ^ (key >> 29)) + offset_) * 0x94d049bb133111eb;
    return told_pairs.size() >= most_told_pairs || told_pairs.insert(key ^ (key >> 32)).second;
  }

  void await_value(reports::Entry& entry) {
    if (pending_count == std::size(pending)) {
      reports::not_equal_values(entry);
      return;
    }
    pending[pending_count++] = {real_address_ & ~std::uintptr_t{3}, mask_,
                                word_at(real_address_ & ~std::uintptr_t{3}), &entry};
    hot.fast_bytes = 0;  // the thread's next access comes here
  }

  static std::uint64_t with(std::uint64_t state, int mask_shift, std::uint64_t mask,
                            int strength_shift, AccessStrength strength) {
    state &= ~((std::uint64_t{0xF} << mask_shift) | (std::uint64_t{3} << strength_shift));
    return state | (mask << mask_shift) | (static_cast<std::uint64_t>(strength) << strength_shift);
  }

  // Ordered before everything that is still to come.
  bool settled(Record record) const {
    return record < (shared_ ? hot.block_first + hot.span_shared : oldest_);
  }

  static std::uint64_t without_store(std::uint64_t state) {
    return with(state & ~state::read2_stores, state::read2_shift, 0xF, state::read2_strength_shift,
                AccessStrength::plain);
  }

  // An atomic store takes the place of a plain one that came before it, but not for all: another
  // block's atomic is not ordered after the plain one.
  std::uint64_t keep_plain_store(std::uint64_t state) {
    if (strength_ == AccessStrength::plain) {
      return (state & state::read2_stores) != 0 ? without_store(state) : state;
    }
    if (strength_at(state, state::write_strength_shift) != AccessStrength::plain ||
        settled(cell_.write)) {
      return state;
    }
    if (settled(cell_.read1) && (state & state::read2_stores) == 0) {
      cell_.read1 = cell_.read2;
      state = with(state, state::read1_shift, state >> state::read2_shift & 0xF,
                   state::read1_strength_shift, strength_at(state, state::read2_strength_shift));
    }
    cell_.read2 = cell_.write;
    return with(state | state::read2_stores, state::read2_shift, state >> state::write_shift & 0xF,
                state::read2_strength_shift, AccessStrength::plain);
  }

  std::uint64_t remember_write(std::uint64_t state, std::uint64_t written) {
    std::uint64_t mask = mask_;
    AccessStrength strength = strength_;
    if (!same_stamp(cell_.write, me_)) state = keep_plain_store(state);
    if (same_stamp(cell_.write, me_)) {
      mask |= state >> state::write_shift & 0xF;
      // Of a thread's own stores the plain one is kept: it races with what an atomic one does not.
      const AccessStrength earlier = strength_at(state, state::write_strength_shift);
      if (earlier == AccessStrength::plain) {
        strength = earlier;
      } else if (strength == AccessStrength::plain) {
        cell_.write = me_;
      }
    } else {
      cell_.write = me_;
    }
    state = with(state, state::write_shift, mask, state::write_strength_shift, strength);
    state &= ~state::initialised;
    return state | ((written | mask_) << state::initialised_shift);
  }

  // May this read be remembered in place of the kept one? Not a strong one of a plain one that
  // somebody else may yet race with.
  bool passed(Record record, std::uint64_t state, int strength_shift) const {
    if (settled(record)) return true;
    if (strength_ != AccessStrength::plain &&
        strength_at(state, strength_shift) == AccessStrength::plain) {
      return false;
    }
    return record < oldest_ || order::before(record, thread_) == order::Verdict::ordered;
  }

  // Two readers are enough: a later writer differs from one of them at least.
  std::uint64_t remember_read(std::uint64_t state) {
    const auto set1 = [&](std::uint64_t mask) {
      AccessStrength strength = strength_;
      if (!same_stamp(cell_.read1, me_)) {
        cell_.read1 = me_;
      } else if (strength_at(state, state::read1_strength_shift) == AccessStrength::plain) {
        strength = AccessStrength::plain;
      }
      return with(state, state::read1_shift, mask, state::read1_strength_shift, strength);
    };
    const auto set2 = [&](std::uint64_t mask) {
      AccessStrength strength = strength_;
      if (!same_stamp(cell_.read2, me_)) {
        cell_.read2 = me_;
      } else if (strength_at(state, state::read2_strength_shift) == AccessStrength::plain) {
        strength = AccessStrength::plain;
      }
      return with(state, state::read2_shift, mask, state::read2_strength_shift, strength);
    };
    if (same_stamp(cell_.read1, me_)) return set1(mask_ | (state >> state::read1_shift & 0xF));
    if ((state & state::read2_stores) != 0) {
      return passed(cell_.read1, state, state::read1_strength_shift) ? set1(mask_) : state;
    }
    if (same_stamp(cell_.read2, me_)) return set2(mask_ | (state >> state::read2_shift & 0xF));
    if (passed(cell_.read1, state, state::read1_strength_shift)) return set1(mask_);
    if (passed(cell_.read2, state, state::read2_strength_shift)) return set2(mask_);
    if (group_of(cell_.read1) == group_of(cell_.read2))
      return set2(mask_);  // another warp is better
    return state;
  }

  const Access& access_;
  Thread& thread_;
  Cell& cell_;
  std::uintptr_t offset_;
  std::uintptr_t real_address_;
  std::uint64_t mask_;
  bool shared_;
  Record oldest_;
  Record me_;
  AccessStrength strength_;
};

[[noreturn]] void fault(DiagnosticKind kind, const Access& access) {
  reports::bad_access(kind, access, *hot.thread);
  scheduler::retire(*hot.thread);
}

bool addressable(std::uintptr_t offset, std::size_t bytes) {
  const std::uintptr_t end = offset + bytes;
  for (std::uintptr_t word = offset & ~std::uintptr_t{3}; word < end; word += 4) {
    std::uint64_t mask = 0xF;
    if (word < offset) mask &= 0xFu << (offset - word);
    if (word + 4 > end) mask &= 0xFu >> (word + 4 - end);
    if ((arena::cell(word).state & mask) != mask) return false;
  }
  return true;
}

}  // namespace

void begin_launch() {
  pending_count = 0;
  told_pairs.clear();
}

void settle() {
  if (pending_count == 0) return;
  for (unsigned i = 0; i < pending_count; ++i) {
    const Pending& store = pending[i];
    const std::uint32_t changed = (word_at(store.offset) ^ store.old_value) & byte_mask(store.mask);
    if (changed != 0) reports::not_equal_values(*store.entry);
  }
  pending_count = 0;
  if (hot.thread != nullptr) hot.fast_bytes = scheduler::fast_bytes();
}

void check(const Access& access) {
  if (current_launch != nullptr && !drives_kernel) return;
  Thread* thread = hot.thread;
  if (thread == nullptr) {
    host_access::check(access);
    return;
  }
  settle();
  if (watchdog::interrupted()) watchdog::end_launch(*thread, access.pc);
  if (profile::active && access.counted) profile::access(*thread, access);
  if (access.bytes == 0) return;
  std::uintptr_t offset = access.address - hot.base;
  if (offset >= arena::bytes()) {
    if (access.address - thread->fiber->stack_low < fibers::stack_bytes) return;
    const auto closure = reinterpret_cast<std::uintptr_t>(current_launch->closure);
    if (access.address - closure < current_launch->closure_bytes) return;
    const Allocation* symbol = heap::find_symbol(access.address);
    if (symbol == nullptr && access.type == AccessType::read && in_read_only_data(access.address)) {
      return;
    }
    if (symbol == nullptr ||
        (symbol->kind == MemoryKind::constant_symbol && access.type != AccessType::read)) {
      fault(DiagnosticKind::out_of_bounds, access);
    }
    if (access.address + access.bytes > symbol->begin + symbol->bytes) {
      fault(DiagnosticKind::out_of_bounds, access);
    }
    offset = symbol->offset + (access.address - symbol->begin);
  } else if (!addressable(offset, access.bytes)) {
    const Allocation* freed = heap::find(access.address);
    fault(freed != nullptr && freed->freed ? DiagnosticKind::use_after_free
                                           : DiagnosticKind::out_of_bounds,
          access);
  }
  if (access.vector_unit && access.address % access.bytes != 0) {
    fault(DiagnosticKind::misaligned, access);
  }
  const std::uintptr_t end = offset + access.bytes;
  for (std::uintptr_t word = offset & ~std::uintptr_t{3}; word < end; word += 4) {
    std::uint64_t mask = 0xF;
    if (word < offset) mask &= 0xFu << (offset - word);
    if (word + 4 > end) mask &= 0xFu >> (word + 4 - end);
    const std::uintptr_t real = access.address + (word > offset ? word - offset : 0);
    Word(access, word, real, mask).check();
  }
}

}  // namespace simt::detector
