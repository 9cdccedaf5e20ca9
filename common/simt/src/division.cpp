#include "division.h"

#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace simt {

#if defined(__x86_64__)
namespace {

constexpr int registers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};

// A div or idiv of 32 or 64 bits: rdx:rax by a register or a place in memory.
struct Division {
  bool wide = false;
  std::uint64_t divisor = 0;
  const unsigned char* next = nullptr;  // the instruction after it
};

std::int32_t signed_word(const unsigned char* at) {
  std::int32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool decode(const greg_t* machine, Division& division) {
  const auto* code = reinterpret_cast<const unsigned char*>(machine[REG_RIP]);
  unsigned rex = 0;
  if ((*code & 0xf0) == 0x40) rex = *code++;
  if (*code++ != 0xf7) return false;
  const unsigned modrm = *code++;
  const unsigned mode = modrm >> 6;
  const unsigned operation = modrm >> 3 & 7;
  if (operation != 6 && operation != 7) return false;
  division.wide = (rex & 8) != 0;
  const auto value_of = [&](unsigned number) {
    return static_cast<std::uint64_t>(machine[registers[number]]);
  };
  const unsigned high = (rex & 1) != 0 ? 8 : 0;
  const unsigned low = modrm & 7;
  if (mode == 3) {
    division.divisor = value_of(low + high);
    division.next = code;
  } else {
    std::uint64_t address = 0;
    bool no_base = mode == 0 && low == 5;  // then relative to the next instruction
    const bool relative = no_base;
    if (low == 4) {
      const unsigned sib = *code++;
      const unsigned index = (sib >> 3 & 7) + ((rex & 2) != 0 ? 8 : 0);
      if (index != 4) address += value_of(index) << (sib >> 6);
      no_base = mode == 0 && (sib & 7) == 5;
      if (!no_base) address += value_of((sib & 7) + high);
    } else if (!no_base) {
      address += value_of(low + high);
    }
    if (mode == 1) {
      address += static_cast<std::uint64_t>(static_cast<signed char>(*code));
      code += 1;
    } else if (mode == 2 || no_base) {
      address += static_cast<std::uint64_t>(static_cast<std::int64_t>(signed_word(code)));
      code += 4;
    }
    division.next = code;
    if (relative) address += reinterpret_cast<std::uint64_t>(code);
    std::memcpy(&division.divisor, reinterpret_cast<const void*>(address), division.wide ? 8 : 4);
  }
  if (!division.wide) division.divisor &= 0xffffffff;
  return true;
}

}  // namespace

bool finish_division(void* context) {
  greg_t* machine = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  Division division;
  if (!decode(machine, division)) return false;
  // By zero: all ones, and the dividend as the remainder. Otherwise the quotient did not fit, which
  // is the smallest number by -1: it stays itself.
  const bool by_zero = division.divisor == 0;
  constexpr std::uint64_t word = 0xffffffff;
  const std::uint64_t all = division.wide ? ~std::uint64_t{0} : word;
  const std::uint64_t dividend = static_cast<std::uint64_t>(machine[REG_RAX]) & all;
  // A GPU divides 64-bit numbers of at most 32 bits as 32-bit ones (seen on an H200).
  const std::uint64_t ones = dividend <= word ? word : all;
  machine[REG_RAX] = static_cast<greg_t>(by_zero ? ones : dividend);
  machine[REG_RDX] = static_cast<greg_t>(by_zero ? dividend : 0);
  machine[REG_RIP] = reinterpret_cast<greg_t>(division.next);
  return true;
}
#else
bool finish_division(void*) {
  return false;
}
#endif

}  // namespace simt
