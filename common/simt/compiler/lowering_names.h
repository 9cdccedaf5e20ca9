// The text that stands for each CUDA construct after rewriting: the compiler's half of the contract
// in simt/lowering.h.
#pragma once

#include <string>
#include <string_view>

namespace simt::compiler::names {

inline constexpr const char* type_suffix = "_simt";

// (::simt::launch("k", 7, k, [&](auto&... simt_a){ k(simt_a...); }) | ::simt::config(g, b))(d)
inline std::string launch_open(const std::string& quoted_name, const std::string& line) {
  return "(::simt::launch(" + quoted_name + ", " + line + ", ";
}
inline std::string by_name(const std::string& callee) {
  return "[&](auto&... simt_a){ " + callee + "(simt_a...); }";
}
inline std::string launch_middle(const std::string& callee) {
  return ", " + by_name(callee) + ") | ::simt::config(";
}
inline constexpr const char* launch_close = "))";

// The same for a kernel whose template arguments the call deduces: the callee's own text is the
// lambda's body.
inline constexpr const char* deduced_open = "[&](auto&... simt_a){ ";
inline constexpr const char* deduced_middle = "(simt_a...); }) | ::simt::config(";

// typedef float a_simt[32]; <this>
inline std::string shared_variable(const std::string& name, const std::string& line) {
  const std::string type = name + type_suffix;
  return " static constinit ::simt::SharedSite " + type + "_site = ::simt::shared_site<" + type +
         ">(\"" + name + "\", " + line + "); [[maybe_unused]] " + type + "& " + name +
         " = ::simt::shared_variable<" + type + ">(" + type + "_site);";
}

// For a variable at namespace scope: its site stands there too, so that every function finds the
// same memory.
inline std::string shared_site(const std::string& name, const std::string& line) {
  const std::string type = name + type_suffix;
  return " static constinit ::simt::SharedSite " + type + "_site = ::simt::shared_site<" + type +
         ">(\"" + name + "\", " + line + ");";
}
inline std::string shared_reference(const std::string& name) {
  const std::string type = name + type_suffix;
  return " [[maybe_unused]] " + type + "& " + name + " = ::simt::shared_variable<" + type + ">(" +
         type + "_site);";
}

// typedef float s_simt[]; <this>
inline std::string dynamic_shared(const std::string& name, const std::string& line) {
  const std::string type = name + type_suffix;
  return " [[maybe_unused]] " + type + "& " + name + " = *reinterpret_cast<" + type +
         "*>(::simt::dynamic_shared<__typeof__((*static_cast<" + type + "*>(nullptr))[0])>(\"" +
         name + "\", " + line + "));";
}

inline std::string register_symbol(const std::string& name, const std::string& kind) {
  return " static const ::simt::RegisterSymbol " + name + "_simt(" + name + ", \"" + name +
         "\", ::simt::SymbolKind::" + kind + ");";
}

inline std::string register_kernel(const std::string& name, const std::string& bound) {
  return " static const ::simt::RegisterKernel " + name + "_simt(" + name + ", \"" + name + "\", " +
         bound + ");";
}

// In the body of a kernel that is a template.
inline std::string register_instance(const std::string& name, const std::string& arguments,
                                     const std::string& bound) {
  return " static_cast<void>(&::simt::kernel_instance<&" + name + "<" + arguments + ">, \"" + name +
         "\", static_cast<int>(" + bound + ")>);";
}

inline std::string launch_bounds(const std::string& arguments) {
  return " ::simt::launch_bounds(" + arguments + ");";
}

inline std::string host_call(const std::string& quoted_name, const std::string& sizes) {
  return " const ::simt::HostCall simt_host_call(__builtin_return_address(0), " + quoted_name +
         ", {" + sizes + "});";
}

inline constexpr const char* initialised_section = "__attribute__((section(\"simt_device\")))";
inline constexpr const char* zero_section = "__attribute__((section(\".bss.simt_device\")))";
inline constexpr const char* noinline_attribute = "__attribute__((noinline))";

// Names that mean a barrier once cuda_runtime.h's macros are expanded, or before.
inline bool is_barrier(std::string_view name) {
  return name == "barrier" || name == "barrier_count" || name == "barrier_and" ||
         name == "barrier_or" || name == "sync" || name == "arrive_and_wait" ||
         name.starts_with("__syncthreads");
}

}  // namespace simt::compiler::names
