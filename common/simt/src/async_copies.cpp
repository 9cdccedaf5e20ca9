#include "async_copies.h"

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "arena.h"
#include "detector.h"
#include "device_code.h"
#include "heap.h"
#include "launch.h"
#include "reports.h"
#include "scheduler.h"

namespace simt::async_copies {
namespace {

[[noreturn]] void refuse(Thread& thread, std::uintptr_t pc, const std::string& reason) {
  reports::device_assert(thread, pc, "__pipeline_memcpy_async: " + reason);
  scheduler::retire(thread);
}

void check_alignment(Thread& thread, std::uintptr_t address, std::size_t bytes, AccessType type,
                     std::uintptr_t pc) {
  if (address % bytes == 0) return;
  reports::bad_access(DiagnosticKind::misaligned, {address, bytes, type, AccessStrength::plain, pc},
                      thread);
  scheduler::retire(thread);
}

void finish(const AsyncCopy& copy) {
  detector::check(
      {copy.to, copy.bytes, AccessType::write, AccessStrength::plain, copy.pc, true, false});
  std::memcpy(reinterpret_cast<void*>(copy.to), reinterpret_cast<const void*>(copy.from),
              copy.copied);
  std::memset(reinterpret_cast<void*>(copy.to + copy.copied), 0, copy.bytes - copy.copied);
}

}  // namespace

const AsyncCopy* pending_at(const Block& block, std::uintptr_t address) {
  if (!block.copies_asynchronously) return nullptr;
  for (const Thread& thread : block.threads) {
    for (const AsyncCopy& copy : thread.async_copies) {
      if (address - copy.to < copy.bytes) return &copy;
    }
  }
  return nullptr;
}

}  // namespace simt::async_copies

void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zero_fill) noexcept {
  using namespace simt;
  Thread& thread = running_thread("__pipeline_memcpy_async");
  const std::uintptr_t pc = SIMT_CALLER;
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    async_copies::refuse(thread, pc,
                         "a copy has 4, 8 or 16 bytes, not " + std::to_string(bytes) + ",");
  }
  if (zero_fill > bytes) async_copies::refuse(thread, pc, "more zeros than the copy has bytes,");
  if (!__isShared(to)) async_copies::refuse(thread, pc, "the target is not in shared memory,");
  if (__isShared(from) || __isLocal(from)) {
    async_copies::refuse(thread, pc, "the source is not in global memory,");
  }
  async_copies::check_alignment(thread, target, bytes, AccessType::write, pc);
  async_copies::check_alignment(thread, source, bytes, AccessType::read, pc);
  const std::size_t copied = bytes - zero_fill;
  detector::check({source, copied, AccessType::read, AccessStrength::plain, pc, copied == bytes});
  detector::check({target, bytes, AccessType::write, AccessStrength::plain, pc});
  fill_with_poison(to, bytes);
  arena::set_initialised(target - hot.base, bytes, false);
  thread.async_copies.push_back({target, source, bytes, copied, pc, thread.async_commits});
  thread.block->copies_asynchronously = true;
}

void __pipeline_commit() noexcept {
  ++simt::running_thread("__pipeline_commit").async_commits;
}

void __pipeline_wait_prior(size_t pending) noexcept {
  using namespace simt;
  Thread& thread = running_thread("__pipeline_wait_prior");
  std::vector<AsyncCopy>& copies = thread.async_copies;
  const auto done = std::find_if(copies.begin(), copies.end(), [&](const AsyncCopy& copy) {
    return copy.commit + pending >= thread.async_commits;
  });
  const std::vector<AsyncCopy> finished(copies.begin(), done);
  copies.erase(copies.begin(), done);
  for (const AsyncCopy& copy : finished) async_copies::finish(copy);
}
