#include "operation_counts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace simt::compiler {
namespace {

constexpr std::string_view traced = "__sanitizer_cov_trace_pc";

// What the calls at the beginning of blocks look like, and how their argument is set.
struct Machine {
  std::string_view call;
  std::string_view set_argument;  // the number follows
};
constexpr std::array machines{Machine{"\tcall\t", "\tmovl\t$"}, Machine{"\tbl\t", "\tmov\tw0, #"}};
constexpr std::array arguments_end{", %edi\n", "\n"};

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1);
  const std::string_view line = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return line;
}

// "\taddss\t(%rax), %xmm0\n" gives "addss" and "(%rax), %xmm0".
struct Instruction {
  std::string_view name;
  std::string_view operands;
};

Instruction instruction(std::string_view line) {
  if (line.size() < 2 || line[0] != '\t') return {};
  line.remove_prefix(1);
  const std::size_t end = line.find_first_of("\t \n");
  if (end == std::string_view::npos) return {line, {}};
  std::string_view operands = line.substr(end + 1);
  while (!operands.empty() && (operands.back() == '\n' || operands.back() == ' ')) {
    operands.remove_suffix(1);
  }
  return {line.substr(0, end), operands};
}

template <std::size_t N>
bool among(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "expf@PLT" and "_Z6__expff@PLT" alike.
unsigned operations_of_function(std::string_view target) {
  target = target.substr(0, target.find('@'));
  if (target.starts_with("_Z")) {
    std::size_t digits = 2;
    std::size_t length = 0;
    while (digits < target.size() && target[digits] >= '0' && target[digits] <= '9') {
      length = length * 10 + static_cast<std::size_t>(target[digits++] - '0');
    }
    // A template is in this file itself, and counted there.
    if (target.substr(std::min(digits + length, target.size())).starts_with("I")) return 0;
    target = target.substr(digits, length);
  }
  static constexpr std::array<std::string_view, 8> fused{
      "fma", "fmaf", "__fmaf_rn", "__fmaf_rz", "__fmaf_ru", "__fmaf_rd", "__fma_rn", "__fma_rz"};
  static constexpr std::array<std::string_view, 56> single{
      "exp",       "expf",      "exp2",       "exp2f",       "exp10",     "exp10f",    "expm1",
      "expm1f",    "log",       "logf",       "log2",        "log2f",     "log10",     "log10f",
      "log1p",     "log1pf",    "sin",        "sinf",        "cos",       "cosf",      "tan",
      "tanf",      "tanh",      "tanhf",      "sinh",        "sinhf",     "cosh",      "coshf",
      "erf",       "erff",      "erfc",       "erfcf",       "pow",       "powf",      "cbrt",
      "cbrtf",     "rsqrt",     "rsqrtf",     "atan2",       "atan2f",    "hypot",     "hypotf",
      "__fadd_rn", "__fadd_rz", "__fsub_rn",  "__fsub_rz",   "__fmul_rn", "__fmul_rz", "__fdiv_rn",
      "__fdiv_rz", "__frcp_rn", "__fsqrt_rn", "__frsqrt_rn", "__dadd_rn", "__dmul_rn", "__ddiv_rn"};
  if (among(target, fused)) return 2;
  if (target.starts_with("simt_fast_")) return 1;  // __expf and its kin
  return among(target, single) ? 1 : 0;
}

unsigned operations(const Instruction& line) {
  static constexpr std::array<std::string_view, 20> single{
      "addss", "addsd", "subss", "subsd", "mulss", "mulsd", "divss",  "divsd",  "sqrtss", "sqrtsd",
      "fadd",  "fsub",  "fmul",  "fdiv",  "fsqrt", "fnmul", "vaddss", "vsubss", "vmulss", "vdivss"};
  static constexpr std::array<std::string_view, 4> fused{"fmadd", "fmsub", "fnmadd", "fnmsub"};
  if (line.name == "call" || line.name == "bl") return operations_of_function(line.operands);
  if (among(line.name, fused) || line.name.starts_with("vfmadd") ||
      line.name.starts_with("vfmsub") || line.name.starts_with("vfnmadd")) {
    return 2;
  }
  return among(line.name, single) ? 1 : 0;
}

}  // namespace

std::string with_operation_counts(std::string_view assembly) {
  std::size_t machine = 0;
  while (machine < machines.size() &&
         assembly.find(std::string(machines[machine].call) + std::string(traced)) ==
             std::string_view::npos) {
    ++machine;
  }
  if (machine == machines.size()) return std::string(assembly);
  const auto begins_block = [&](const Instruction& line) {
    return (line.name == "call" || line.name == "bl") && line.operands.starts_with(traced);
  };

  std::vector<unsigned> counts;  // by block
  for (std::string_view rest = assembly; !rest.empty();) {
    const Instruction line = instruction(next_line(rest));
    if (begins_block(line)) {
      counts.push_back(0);
    } else if (!counts.empty()) {
      counts.back() += operations(line);
    }
  }

  std::string result;
  result.reserve(assembly.size() + counts.size() * 24);
  std::size_t block = 0;
  for (std::string_view rest = assembly; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (begins_block(instruction(line))) {
      result += machines[machine].set_argument;
      result += std::to_string(std::min(counts[block++], 65535u));
      result += arguments_end[machine];
    }
    result += line;
  }
  return result;
}

}  // namespace simt::compiler
