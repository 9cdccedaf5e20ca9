// The handlers that -fsanitize=bounds, alignment and the like call. Indices outside an array's type
// and misaligned accesses are reported; what is harmless on a GPU is not.
#include <cstdint>
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
  if (simt::hot.thread == nullptr) {
    simt::reports::host(simt::DiagnosticKind::out_of_bounds, pc,
                        "host code uses index " + std::to_string(value) + " of an array of type " +
                            plain_name(*data.array));
    return;
  }
  simt::reports::bad_index(*simt::hot.thread, pc, plain_name(*data.array), value);
  simt::scheduler::retire(*simt::hot.thread);
}

void type_mismatch(const TypeMismatchData& data, std::uintptr_t address, std::uintptr_t pc) {
  if (simt::hot.thread == nullptr || address == 0)
    return;  // a null pointer's access is seen anyway
  const std::uintptr_t alignment = std::uintptr_t{1} << data.log_alignment;
  if (address % alignment == 0) return;
  const auto type = data.check_kind == 1 ? simt::AccessType::write : simt::AccessType::read;
  const simt::Access access{address, alignment, type, simt::AccessStrength::plain, pc};
  simt::reports::bad_access(simt::DiagnosticKind::misaligned, access, *simt::hot.thread);
  simt::scheduler::retire(*simt::hot.thread);
}

void divided(const OverflowData& data, std::uintptr_t divisor, std::uintptr_t pc) {
  if (simt::hot.thread == nullptr || value_of(*data.type, divisor) != 0) return;
  simt::reports::device_assert(*simt::hot.thread, pc, "integer division by zero");
  simt::scheduler::retire(*simt::hot.thread);
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

// Defined on a GPU, or no worse than a wrong value there.
#define SIMT_SILENT(name)                                              \
  void __ubsan_handle_##name(void*, std::uintptr_t, std::uintptr_t) {} \
  void __ubsan_handle_##name##_abort(void*, std::uintptr_t, std::uintptr_t) {}
SIMT_SILENT(add_overflow)
SIMT_SILENT(sub_overflow)
SIMT_SILENT(mul_overflow)
SIMT_SILENT(negate_overflow)
SIMT_SILENT(shift_out_of_bounds)
SIMT_SILENT(float_cast_overflow)
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
