// Copies and fills. The model runs them at once; what is checked is that the ranges exist, that the
// direction fits, and that a lesson uses its own stream.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "api_state.h"
#include "arena.h"
#include "graphs.h"
#include "heap.h"
#include "input_writes.h"
#include "launch_settings.h"
#include "names.h"
#include "reports.h"

namespace {

using simt::Allocation;
using simt::MemoryKind;
namespace api = simt::api;
namespace arena = simt::arena;
namespace heap = simt::heap;

// Does the work now, or notes it down for a stream that is capturing.
template <class Work>
cudaError_t give(cudaStream_t stream, Work work) {
  if (const cudaError_t error = simt::graphs::refuse_on_legacy_stream(stream)) return error;
  if (!simt::graphs::is_capturing(stream)) return work();
  if (const cudaError_t error = api::begin()) return error;
  simt::graphs::add(stream, [work](cudaStream_t) { return work(); });
  return cudaSuccess;
}

// A range of memory that a copy reads or writes.
struct Range {
  std::uintptr_t begin;
  size_t bytes;
  const Allocation* allocation = nullptr;  // null: pageable host memory
  bool valid = true;

  Range(const void* pointer, size_t size)
      : begin(reinterpret_cast<std::uintptr_t>(pointer)), bytes(size) {
    allocation = heap::find(begin);
    if (allocation == nullptr) allocation = heap::find_symbol(begin);
    if (allocation != nullptr) {
      valid = !allocation->freed && bytes <= allocation->begin + allocation->bytes - begin;
    } else {
      valid = !arena::contains(begin) && pointer != nullptr;
    }
  }
  bool on_device() const { return allocation != nullptr && allocation->kind != MemoryKind::host; }
  bool on_host() const {
    return allocation == nullptr || allocation->kind == MemoryKind::host ||
           allocation->kind == MemoryKind::managed;
  }
  // Offset of the cells; only for memory that has some.
  std::uintptr_t offset() const { return allocation->offset + (begin - allocation->begin); }
};

// Inside a lesson's function, guard bands are out of bounds for copies too.
void check_valid_part(const Range& range, const char* call, const char* verb, std::uintptr_t pc) {
  if (!api::lesson().active || range.allocation == nullptr || !range.allocation->restricted())
    return;
  if (range.begin >= range.allocation->valid_begin &&
      range.begin + range.bytes <= range.allocation->valid_end) {
    return;
  }
  const bool below = range.begin < range.allocation->valid_begin;
  const std::uintptr_t first =
      below ? range.begin : std::max(range.begin, range.allocation->valid_end);
  simt::reports::host(simt::DiagnosticKind::out_of_bounds, pc,
                      std::string("out of bounds: ") + call + " " + verb + " " +
                          simt::names::element(first, 4).text +
                          ", outside the array\n    Sizes of copies and fills are in bytes.");
}

void check_written(const Range& range, const char* call, std::uintptr_t pc) {
  check_valid_part(range, call, "writes", pc);
  if (range.allocation != nullptr) {
    simt::input_writes::by_copy(*range.allocation, range.begin, range.bytes, call, pc);
  }
}

bool direction_fits(const Range& to, const Range& from, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return to.on_host() && from.on_host();
    case cudaMemcpyHostToDevice:
      return to.on_device() && from.on_host();
    case cudaMemcpyDeviceToHost:
      return to.on_host() && from.on_device();
    case cudaMemcpyDeviceToDevice:
      return to.on_device() && from.on_device();
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

// A lesson's function brings nothing that the device made to the host. Judged when the copy is
// given, be it into a graph.
void keep_on_device(const char* call, const void* to, const void* from, cudaMemcpyKind kind,
                    std::uintptr_t pc) {
  if (!api::lesson().active) return;
  const bool by_places = kind == cudaMemcpyDefault && Range(from, 0).on_device() &&
                         Range(to, 0).on_host() && !Range(to, 0).on_device();
  if (kind != cudaMemcpyDeviceToHost && !by_places) return;
  api::look(std::string(call) + " copies from the device to the host", pc);
}

void move(const Range& to, const Range& from) {
  std::memmove(reinterpret_cast<void*>(to.begin), reinterpret_cast<const void*>(from.begin),
               to.bytes);
  if (to.allocation == nullptr) return;
  if (from.allocation != nullptr) {
    arena::copy_initialised(to.offset(), from.offset(), to.bytes);
  } else {
    arena::set_initialised(to.offset(), to.bytes, true);
  }
}

cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const char* call, std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return api::record(cudaErrorInvalidMemcpyDirection);
  }
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return api::record(cudaErrorInvalidPitchValue);
  const Range all_to(to, to_pitch * (height - 1) + width);
  const Range all_from(from, from_pitch * (height - 1) + width);
  if (!all_to.valid || !all_from.valid || !direction_fits(all_to, all_from, kind)) {
    return api::record(cudaErrorInvalidValue);
  }
  for (size_t row = 0; row < height; ++row) {
    const Range target(static_cast<char*>(to) + row * to_pitch, width);
    const Range source(static_cast<const char*>(from) + row * from_pitch, width);
    check_written(target, call, pc);
    check_valid_part(source, call, "reads", pc);
    move(target, source);
  }
  return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const char* call,
                 std::uintptr_t pc) {
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, call, pc);
}

cudaError_t fill_rows(void* pointer, size_t pitch, int value, size_t width, size_t height,
                      const char* call, std::uintptr_t pc) {
  ++simt::launch_settings().launches;  // like a kernel, it writes what a later one reads
  if (const cudaError_t error = api::begin()) return error;
  if (width == 0 || height == 0) return cudaSuccess;
  const Range all(pointer, pitch * (height - 1) + width);
  if (!all.valid || all.allocation == nullptr || (height > 1 && width > pitch)) {
    return api::record(cudaErrorInvalidValue);
  }
  for (size_t row = 0; row < height; ++row) {
    const Range target(static_cast<char*>(pointer) + row * pitch, width);
    check_written(target, call, pc);
    std::memset(reinterpret_cast<void*>(target.begin), value, width);
    arena::set_initialised(target.offset(), width, true);
  }
  return cudaSuccess;
}

// The variable at a symbol's address; null when the symbol is no variable of device code.
Allocation* symbol_at(const void* symbol) {
  Allocation* found = heap::find_symbol(reinterpret_cast<std::uintptr_t>(symbol));
  return found != nullptr && found->begin == reinterpret_cast<std::uintptr_t>(symbol) ? found
                                                                                      : nullptr;
}

cudaError_t copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                           cudaMemcpyKind kind, const char* call, std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  const Allocation* variable = symbol_at(symbol);
  if (variable == nullptr) return api::record(cudaErrorInvalidSymbol);
  if (offset + bytes > variable->bytes) return api::record(cudaErrorInvalidValue);
  return copy(reinterpret_cast<char*>(variable->begin) + offset, from, bytes, kind, call, pc);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                             cudaMemcpyKind kind, const char* call, std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  const Allocation* variable = symbol_at(symbol);
  if (variable == nullptr) return api::record(cudaErrorInvalidSymbol);
  if (offset + bytes > variable->bytes) return api::record(cudaErrorInvalidValue);
  return copy(to, reinterpret_cast<const char*>(variable->begin) + offset, bytes, kind, call, pc);
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  api::wait("cudaMemcpy (it waits for the copy)", SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr, [=] { return copy(to, from, bytes, kind, "cudaMemcpy", pc); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  api::check_stream("cudaMemcpyAsync", stream, SIMT_API_CALLER);
  keep_on_device("cudaMemcpyAsync", to, from, kind, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream, [=] { return copy(to, from, bytes, kind, "cudaMemcpyAsync", pc); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  api::wait("cudaMemcpy2D (it waits for the copy)", SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr, [=] {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2D", pc);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  api::check_stream("cudaMemcpy2DAsync", stream, SIMT_API_CALLER);
  keep_on_device("cudaMemcpy2DAsync", to, from, kind, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream, [=] {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2DAsync", pc);
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  if (to_device != 0 || from_device != 0) return api::record(cudaErrorInvalidDevice);
  api::wait("cudaMemcpyPeer", SIMT_API_CALLER);
  return copy(to, from, bytes, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer", SIMT_API_CALLER);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  api::check_stream("cudaMemset", nullptr, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr,
              [=] { return fill_rows(pointer, bytes, value, bytes, 1, "cudaMemset", pc); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  api::check_stream("cudaMemsetAsync", stream, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream,
              [=] { return fill_rows(pointer, bytes, value, bytes, 1, "cudaMemsetAsync", pc); });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  api::check_stream("cudaMemset2D", nullptr, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr,
              [=] { return fill_rows(pointer, pitch, value, width, height, "cudaMemset2D", pc); });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  api::check_stream("cudaMemset2DAsync", stream, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream, [=] {
    return fill_rows(pointer, pitch, value, width, height, "cudaMemset2DAsync", pc);
  });
}

cudaError_t cudaMemcpyToSymbol(simt::SymbolReference symbol, const void* from, size_t bytes,
                               size_t offset, cudaMemcpyKind kind) {
  api::wait("cudaMemcpyToSymbol (it waits for the copy)", SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr, [=] {
    return copy_to_symbol(symbol.address, from, bytes, offset, kind, "cudaMemcpyToSymbol", pc);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, simt::SymbolReference symbol, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind) {
  api::wait("cudaMemcpyFromSymbol (it waits for the copy)", SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(nullptr, [=] {
    return copy_from_symbol(to, symbol.address, bytes, offset, kind, "cudaMemcpyFromSymbol", pc);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(simt::SymbolReference symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  api::check_stream("cudaMemcpyToSymbolAsync", stream, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream, [=] {
    return copy_to_symbol(symbol.address, from, bytes, offset, kind, "cudaMemcpyToSymbolAsync", pc);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, simt::SymbolReference symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  api::check_stream("cudaMemcpyFromSymbolAsync", stream, SIMT_API_CALLER);
  keep_on_device("cudaMemcpyFromSymbolAsync", to, symbol.address, kind, SIMT_API_CALLER);
  const std::uintptr_t pc = SIMT_API_CALLER;
  return give(stream, [=] {
    return copy_from_symbol(to, symbol.address, bytes, offset, kind, "cudaMemcpyFromSymbolAsync",
                            pc);
  });
}

cudaError_t cudaGetSymbolAddress(simt::PointerPlace pointer, simt::SymbolReference symbol) {
  if (const cudaError_t error = api::begin()) return error;
  const Allocation* variable = symbol_at(symbol.address);
  if (pointer.place == nullptr) return api::record(cudaErrorInvalidValue);
  if (variable == nullptr) return api::record(cudaErrorInvalidSymbol);
  *pointer.place = reinterpret_cast<void*>(variable->begin);
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t* bytes, simt::SymbolReference symbol) {
  if (const cudaError_t error = api::begin()) return error;
  const Allocation* variable = symbol_at(symbol.address);
  if (bytes == nullptr) return api::record(cudaErrorInvalidValue);
  if (variable == nullptr) return api::record(cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return cudaSuccess;
}
