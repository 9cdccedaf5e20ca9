#include "report_text.h"

#include <algorithm>

#include "arena.h"
#include "fiber.h"
#include "heap.h"
#include "launch.h"
#include "names.h"

namespace simt::reports {

const char* verb(AccessType type) {
  switch (type) {
    case AccessType::read:
      return "reads";
    case AccessType::write:
      return "writes";
    case AccessType::atomic:
      return "updates (atomically)";
  }
  return "touches";
}

std::string who(std::size_t block, unsigned thread) {
  return "thread " + names::thread(thread) + " of block " + names::block(block);
}

std::string quoted(const symboliser::Position& position) {
  const std::string line = symboliser::source_line(position.file, position.line);
  if (line.empty()) return {};
  return "\n    " + symboliser::short_name(position) + ":  " + line;
}

namespace {

std::string in_kernel(const symboliser::Position& position) {
  const std::string kernel = std::string("kernel ") + current_launch->site.kernel;
  return position.line == 0 ? kernel : kernel + ", " + symboliser::short_name(position);
}

std::string in_all(const Entry& found) {
  return found.count > 1 ? "; " + names::count(found.count, "thread") + " in all" : "";
}

std::string in_all_blocks(const Entry& found) {
  return found.count > 1 ? "; " + names::count(found.count, "time") + " in all" : "";
}

std::string bounds_text(const Entry& found, const symboliser::Position& position) {
  const std::string place = "; " + in_kernel(position) + in_all(found) + quoted(position);
  const std::uintptr_t address = found.access.address;
  const std::string subject =
      "out of bounds: " + who(found.block, found.thread) + " " + verb(found.access.type) + " ";
  if (!arena::contains(address)) {
    const Allocation* symbol = heap::nearest_symbol(address);
    if (symbol != nullptr && symbol->kind == MemoryKind::constant_symbol &&
        symbol == heap::find_symbol(address)) {
      return subject + symbol->name + place + "\n    __constant__ memory is read-only in kernels.";
    }
    if (symbol == nullptr) {
      if (address < 65536) {
        return subject + "through a null pointer" + place +
               "\n    The pointer was never set, or its allocation failed.";
      }
      if (fibers::contains(address)) {
        return subject + "a local variable of another thread" + place +
               "\n    A pointer to a local variable means nothing to other threads.";
      }
      return subject + "host memory (" + names::count(found.access.bytes, "byte") + ")" + place +
             "\n    A kernel can't follow a host pointer: copy the data with cudaMemcpy and pass "
             "the "
             "device pointer.";
    }
  }
  const names::Element element = names::element(address, found.access.bytes);
  std::string text = subject + element.text;
  if (element.length > 0 || element.index != 0) {
    text += " (element " + std::to_string(element.index) + " of " + std::to_string(element.length) +
            ")";
    const auto unit = static_cast<long>(element.element_bytes);
    const long last =
        element.index + std::max<long>(1, static_cast<long>(found.access.bytes) / unit) - 1;
    if (element.index < 0) {
      text += ", " + std::to_string(-element.index) + " before the beginning";
    } else if (last >= element.length) {
      text += ", " + std::to_string(last - element.length + 1) + " past the end";
    }
  }
  if (!element.where.empty()) text += ", " + element.where;
  text += place;
  if (element.index < 0) {
    text += "\n    An index below 0: usually an offset subtracted at the edge, without a check.";
  } else if (element.where.empty()) {
    text +=
        "\n    Usually a missing or wrong guard: compare each index with the array's size before "
        "the "
        "access.";
  } else if (element.dynamic && shared_memory::dynamic_bytes() == 0) {
    text +=
        "\n    The launch gives no shared memory: its third argument, as in <<<blocks, threads, "
        "bytes, stream>>>, is missing or 0. It must be the bytes that " +
        element.array + " needs.";
  } else if (element.dynamic) {
    text += "\n    The launch's third argument gives " +
            names::count(shared_memory::dynamic_bytes(), "byte") +
            " of shared memory: too few for this index (bytes are meant, not elements), or the "
            "index is wrong.";
  } else {
    text += "\n    Usually a tile too small for the block, or an index that leaves it.";
  }
  return text;
}

std::string freed_text(const Entry& found, const symboliser::Position& position) {
  return "use after free: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         names::element(found.access.address, found.access.bytes).text + ", which was freed; " +
         in_kernel(position) + in_all(found) + quoted(position) +
         "\n    cudaFree came before the kernel that still uses the array.";
}

std::string misaligned_text(const Entry& found, const symboliser::Position& position) {
  return "misaligned: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         names::count(found.access.bytes, "byte") + " at " +
         names::element(found.access.address, 4).text + ", an address that is no multiple of " +
         std::to_string(found.access.bytes) + "; " + in_kernel(position) + in_all(found) +
         quoted(position) +
         "\n    Check the address before a vector access: pointers have the alignment of their "
         "element "
         "type only, and rows need not begin on a multiple of the vector.";
}

std::string uninitialised_text(const Entry& found, const symboliser::Position& position) {
  const names::Element element = names::element(found.address, found.access.bytes);
  return "uninitialised: " + who(found.block, found.thread) + " " + verb(found.access.type) + " " +
         element.text + (element.where.empty() ? "" : ", " + element.where) +
         ", which nothing wrote before; " + in_kernel(position) +
         (found.count > 1 ? "; " + names::count(found.count, "read") + " in all" : "") +
         quoted(position);
}

const char* race_verb(AccessType type, bool atomic) {
  return atomic ? "updates it atomically" : type == AccessType::read ? "reads it" : "writes it";
}

std::string race_text(const Entry& found, const symboliser::Position& here,
                      const symboliser::Position& there, bool equal_writes) {
  const names::Element element = names::element(found.address, found.access.bytes);
  const bool other_block = found.other_known && found.other_block != found.block;
  std::string text = "race on " + element.text +
                     (element.where.empty() ? "" : " " + element.where) + ": " +
                     who(found.block, found.thread) + " " +
                     race_verb(found.access.type, found.access.type == AccessType::atomic) + " (" +
                     symboliser::short_name(here) + "), ";
  if (!found.other_known) {
    text += "another thread ";
  } else if (other_block) {
    text += who(found.other_block, found.other_thread) + " ";
  } else {
    text += "thread " + names::thread(found.other_thread) + " ";
  }
  text += race_verb(found.other_type, found.other_atomic) +
          (here.line == there.line && here.file == there.file
               ? " on the same line"
               : " (" + symboliser::short_name(there) + ")");
  if (found.scope_too_small) {
    text += ", with atomics of block scope in different blocks";
  } else if (found.shuffle_between) {
    text += ", with only a shuffle between them";
  } else {
    text += ", and nothing orders the two";
  }
  text += "; kernel " + std::string(current_launch->site.kernel) + quoted(here);
  if (here.line != there.line || here.file != there.file) text += quoted(there);
  text += "\n    ";
  if (equal_writes) {
    return text + "All store the same value, so the result is right; one thread is enough.";
  }
  if (found.scope_too_small) {
    return text + "An atomic that ends in _block is atomic within its block alone.";
  }
  if (found.shuffle_between) {
    return text + "A shuffle moves registers and orders no memory: __syncwarp() does.";
  }
  const bool one_line = here.line == there.line && here.file == there.file;
  // Both threads store to it: what the other one stored may be lost.
  const bool no_owner = one_line && found.both_write;
  switch (found.scope) {
    case Scope::warp: {
      if (no_owner) {
        return text +
               "Two lanes change one element, and one of the changes may be lost: give each "
               "element one owner, or use an atomic.";
      }
      text +=
          "This relies on the lanes of a warp running in lockstep, which no GPU since Volta "
          "promises: put ";
      const std::string place = one_line ? "between one round and the next" : "between the two";
      if (found.shared_memory && current_launch->threads_per_block > 32) {
        return text + "__syncthreads() " + place +
               " (or __syncwarp(), if no other warp of the block touches these elements).";
      }
      return text + "__syncwarp() " + place + (one_line ? "." : ", or use an atomic.");
    }
    case Scope::block:
      if ((found.access.type == AccessType::atomic) != found.other_atomic) {
        return text +
               "An atomic protects only against other atomics: put a __syncthreads() between "
               "them and the plain access.";
      }
      if (no_owner) {
        return text +
               "Threads run in no fixed order: use an atomic, or give each its own element, with "
               "__syncthreads() between the steps.";
      }
      return text + (one_line ? "Threads run in no fixed order: a __syncthreads() between one "
                                "round and the next orders them."
                              : "Threads run in no fixed order: a __syncthreads() between the two "
                                "lines orders them.");
    case Scope::grid:
      text +=
          "Blocks run in no fixed order, and __syncthreads() does not order them: use an atomic, "
          "give each block its own elements, or use a second kernel.";
      if (current_launch->uses_atomics) {
        text +=
            " Where an atomic tells another block that data is ready, __threadfence() must come "
            "between the data and the atomic.";
      }
      return text;
  }
  return text;
}

}  // namespace

std::string text_of(const Entry& found, const symboliser::Position& here,
                    const symboliser::Position& there, bool equal_writes) {
  if (!found.text.empty()) {
    const bool two_lines = there.line != 0 && (there.line != here.line || there.file != here.file);
    const std::string place =
        "; " + in_kernel(here) + (two_lines ? " and " + symboliser::short_name(there) : "") +
        in_all_blocks(found) + quoted(here) + (two_lines ? quoted(there) : "");
    std::string text = found.text;
    const auto end = text.find('\n');
    return text.insert(end == std::string::npos ? text.size() : end, place);
  }
  switch (found.kind) {
    case DiagnosticKind::out_of_bounds:
      return bounds_text(found, here);
    case DiagnosticKind::use_after_free:
      return freed_text(found, here);
    case DiagnosticKind::misaligned:
      return misaligned_text(found, here);
    case DiagnosticKind::uninitialized_read:
      return uninitialised_text(found, here);
    case DiagnosticKind::race:
      return race_text(found, here, there, equal_writes);
    default:
      return kind_name(found.kind);
  }
}

}  // namespace simt::reports
