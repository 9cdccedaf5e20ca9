// The handlers that -fsanitize=bounds, alignment and the like call. Indices outside an array's type
// and misaligned accesses are reported, arithmetic without a defined result is noted; what is
// harmless on a GPU is not.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "device_code.h"
#include "launch.h"
#include "reports.h"
#include "scheduler.h"

namespace {

struct SourcePosition {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

struct TypeDescriptor {
  std::uint16_t kind;  // 0: integer, 1: float
  std::uint16_t info;  // integers: bit 0 is the sign, the rest the logarithm of the width in bits
  char name[1];
};

struct OutOfBoundsData {
  SourcePosition position;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

struct TypeMismatchData {
  SourcePosition position;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char check_kind;  // 0: load, 1: store, others bind or call
};

struct OverflowData {
  SourcePosition position;
  const TypeDescriptor* type;
};

long value_of(const TypeDescriptor& type, std::uintptr_t bits) {
  const unsigned width = 1u << (type.info >> 1);
  if ((type.info & 1) != 0 && width < 64) {
    const auto shift = 64 - width;
    return static_cast<long>(bits << shift) >> shift;
  }
  return static_cast<long>(bits);
}

// "float [32]" of the compiler's "'float [32]'".
std::string plain_name(const TypeDescriptor& type) {
  std::string name = type.name;
  if (name.size() >= 2 && name.front() == '\'') name = name.substr(1, name.size() - 2);
  return name;
}

void out_of_bounds(const OutOfBoundsData& data, std::uintptr_t index, std::uintptr_t pc) {
  const long value = value_of(*data.index, index);
  if (!simt::in_cuda_thread()) {
    simt::reports::host(simt::DiagnosticKind::out_of_bounds, pc,
                        "host code uses index " + std::to_string(value) + " of an array of type " +
                            plain_name(*data.array));
    return;
  }
  simt::reports::bad_index(*simt::hot.thread, pc, plain_name(*data.array), value);
  simt::scheduler::retire(*simt::hot.thread);
}

void type_mismatch(const TypeMismatchData& data, std::uintptr_t address, std::uintptr_t pc) {
  if (!simt::in_cuda_thread() || address == 0) return;  // a null pointer's access is seen anyway
  const std::uintptr_t alignment = std::uintptr_t{1} << data.log_alignment;
  if (address % alignment == 0) return;
  const auto type = data.check_kind == 1 ? simt::AccessType::write : simt::AccessType::read;
  const simt::Access access{address, alignment, type, simt::AccessStrength::plain, pc};
  simt::reports::bad_access(simt::DiagnosticKind::misaligned, access, *simt::hot.thread);
  simt::scheduler::retire(*simt::hot.thread);
}

void divided(const OverflowData& data, std::uintptr_t divisor, std::uintptr_t pc) {
  if (!simt::in_cuda_thread() || value_of(*data.type, divisor) != 0) return;
  simt::reports::undefined_arithmetic(
      *simt::hot.thread, pc,
      "integer division by zero: a GPU goes on, with all bits of the quotient set and the dividend "
      "as the remainder");
}

struct ShiftData {
  SourcePosition position;
  const TypeDescriptor* value;
  const TypeDescriptor* count;
};

void shifted(const ShiftData& data, std::uintptr_t count, std::uintptr_t pc) {
  if (!simt::in_cuda_thread()) return;
  const int width = 1 << (data.value->info >> 1);
  simt::reports::undefined_arithmetic(
      *simt::hot.thread, pc,
      "a number of " + std::to_string(width) + " bits is shifted by " +
          std::to_string(value_of(*data.count, count)) +
          ": undefined in C++; a GPU shifts all bits out, this CPU takes the count modulo " +
          std::to_string(width));
}

struct FloatCastData {
  SourcePosition position;
  const TypeDescriptor* from;
  const TypeDescriptor* to;
};

void cast_too_large(const FloatCastData& data, std::uintptr_t bits, std::uintptr_t pc) {
  if (!simt::in_cuda_thread()) return;
  std::string value = "a number";
  if (data.from->info == 32 || data.from->info == 64) {
    double number;
    float single;
    std::memcpy(&number, &bits, sizeof number);
    std::memcpy(&single, &bits, sizeof single);
    char text[32];
    std::snprintf(text, sizeof text, "%g",
                  data.from->info == 32 ? static_cast<double>(single) : number);
    value = text;
  }
  simt::reports::undefined_arithmetic(
      *simt::hot.thread, pc,
      value + " does not fit into " + plain_name(*data.to) +
          ": undefined in C++; a GPU gives the nearest number that fits (0 for NaN), this CPU "
          "another");
}

}  // namespace

extern "C" {

void __ubsan_handle_out_of_bounds(OutOfBoundsData* data, std::uintptr_t index) {
  out_of_bounds(*data, index, SIMT_CALLER);
}
void __ubsan_handle_out_of_bounds_abort(OutOfBoundsData* data, std::uintptr_t index) {
  out_of_bounds(*data, index, SIMT_CALLER);
}
void __ubsan_handle_type_mismatch_v1(TypeMismatchData* data, std::uintptr_t address) {
  type_mismatch(*data, address, SIMT_CALLER);
}
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatchData* data, std::uintptr_t address) {
  type_mismatch(*data, address, SIMT_CALLER);
}
void __ubsan_handle_divrem_overflow(OverflowData* data, std::uintptr_t, std::uintptr_t divisor) {
  divided(*data, divisor, SIMT_CALLER);
}
void __ubsan_handle_divrem_overflow_abort(OverflowData* data, std::uintptr_t,
                                          std::uintptr_t divisor) {
  divided(*data, divisor, SIMT_CALLER);
}

void __ubsan_handle_shift_out_of_bounds(ShiftData* data, std::uintptr_t, std::uintptr_t count) {
  shifted(*data, count, SIMT_CALLER);
}
void __ubsan_handle_shift_out_of_bounds_abort(ShiftData* data, std::uintptr_t,
                                              std::uintptr_t count) {
  shifted(*data, count, SIMT_CALLER);
}
void __ubsan_handle_float_cast_overflow(FloatCastData* data, std::uintptr_t value) {
  cast_too_large(*data, value, SIMT_CALLER);
}
void __ubsan_handle_float_cast_overflow_abort(FloatCastData* data, std::uintptr_t value) {
  cast_too_large(*data, value, SIMT_CALLER);
}

// Defined on a GPU, or no worse than a wrong value there.
#define SIMT_SILENT(name)                                              \
  void __ubsan_handle_##name(void*, std::uintptr_t, std::uintptr_t) {} \
  void __ubsan_handle_##name##_abort(void*, std::uintptr_t, std::uintptr_t) {}
SIMT_SILENT(add_overflow)
SIMT_SILENT(sub_overflow)
SIMT_SILENT(mul_overflow)
SIMT_SILENT(negate_overflow)
SIMT_SILENT(pointer_overflow)
SIMT_SILENT(load_invalid_value)
SIMT_SILENT(vla_bound_not_positive)
SIMT_SILENT(nonnull_arg)
SIMT_SILENT(nonnull_return_v1)
SIMT_SILENT(invalid_builtin)
SIMT_SILENT(alignment_assumption)
SIMT_SILENT(builtin_unreachable)
SIMT_SILENT(missing_return)

}  // extern "C"
