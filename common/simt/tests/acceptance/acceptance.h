// Scenarios for the runtime: a host function that launches a kernel, and the reports that must come
// of it, no more and no fewer, whatever the order of threads and blocks.
//
// A report is written "kind @mark" or "kind @mark @mark" with the marks standing in comments at the
// ends of the kernel's lines; a note has "note " before it.
#pragma once

#include <cuda_runtime.h>
#include <simt/inspect.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace acceptance {

struct Scenario {
  const char* name;
  void (*run)();
  std::vector<std::string> reports;
  std::vector<std::string> texts = {};  // that messages must contain, in any of them
  cudaError_t error = cudaSuccess;      // left for cudaGetLastError
};

inline int failures = 0;

inline void fail(const char* scenario, const std::string& what) {
  std::printf("FAILED %s: %s\n", scenario, what.c_str());
  ++failures;
}

#define REQUIRE(condition)                                                                \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      ::acceptance::fail(__func__, "line " + std::to_string(__LINE__) + ": " #condition); \
    }                                                                                     \
  } while (false)

// The number of the line that ends in "// @mark ...".
inline int line_of(const std::string& file, const std::string& mark) {
  std::ifstream source(file);
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    const auto comment = line.rfind("// @");
    if (comment == std::string::npos) continue;
    const std::string marks = line.substr(comment + 3) + " ";
    if (marks.find("@" + mark + " ") != std::string::npos) return number;
  }
  return -1;
}

// "race @a @b" with the marks replaced by line numbers, in ascending order.
inline std::string resolved(const std::string& file, const std::string& report) {
  std::string kind = report.substr(0, report.find(" @"));
  std::multiset<int> lines;
  for (auto at = report.find('@'); at != std::string::npos; at = report.find('@', at + 1)) {
    lines.insert(line_of(file, report.substr(at + 1, report.find(' ', at) - at - 1)));
  }
  if (kind == "race" || kind == "note race") {
    if (lines.size() == 1) lines.insert(*lines.begin());
  }
  for (int line : lines) kind += " " + std::to_string(line);
  return kind;
}

inline std::string described(const simt::Diagnostic& diagnostic) {
  std::string text = diagnostic.severity == simt::Severity::note ? "note " : "";
  text += simt::kind_name(diagnostic.kind);
  std::multiset<int> lines;
  if (diagnostic.where.line != 0) lines.insert(diagnostic.where.line);
  if (diagnostic.other.line != 0) lines.insert(diagnostic.other.line);
  for (int line : lines) text += " " + std::to_string(line);
  return text;
}

inline std::string joined(const std::multiset<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : "; ") + one;
  return text.empty() ? "nothing" : text;
}

inline void run(const char* file, const Scenario& scenario, const simt::Schedule& schedule,
                const char* order, bool verbose) {
  simt::reset_device();
  simt::take_diagnostics();
  simt::set_schedule(schedule);
  simt::set_launch_time_limit(2);
  scenario.run();
  cudaDeviceSynchronize();  // tells of a kernel's fault
  const cudaError_t error = cudaGetLastError();
  std::multiset<std::string> expected;
  for (const std::string& report : scenario.reports) expected.insert(resolved(file, report));
  std::multiset<std::string> got;
  std::string messages;
  for (const simt::Diagnostic& diagnostic : simt::take_diagnostics()) {
    got.insert(described(diagnostic));
    messages += diagnostic.message + "\n";
  }
  if (verbose) std::printf("---- %s (%s)\n%s", scenario.name, order, messages.c_str());
  const std::string place = std::string(scenario.name) + " (" + order + ")";
  if (got != expected) {
    fail(place.c_str(), "expected " + joined(expected) + ", got " + joined(got) + "\n" + messages);
  }
  for (const std::string& text : scenario.texts) {
    if (messages.find(text) == std::string::npos) {
      fail(place.c_str(), "no message contains \"" + text + "\":\n" + messages);
    }
  }
  if (error != scenario.error) {
    fail(place.c_str(), std::string("error is ") + cudaGetErrorName(error));
  }
}

// Arguments: --verbose prints the messages; other words pick scenarios by part of their name.
inline int main(const char* file, int argc, char** argv, const std::vector<Scenario>& scenarios) {
  bool verbose = false;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--verbose") == 0) {
      verbose = true;
    } else {
      wanted.emplace_back(argv[i]);
    }
  }
  int runs = 0;
  for (const Scenario& scenario : scenarios) {
    bool chosen = wanted.empty();
    for (const std::string& part : wanted)
      chosen |= std::strstr(scenario.name, part.c_str()) != nullptr;
    if (!chosen) continue;
    run(file, scenario, {simt::Order::forward, 0, 0x7fc0dead, 1}, "forward", verbose);
    run(file, scenario, {simt::Order::reverse, 0, 0x7f7f7f7f, 1}, "reverse", false);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      run(file, scenario, {simt::Order::seeded, seed, 0xffffffff, 1}, "seeded", false);
    }
    run(file, scenario, {simt::Order::forward, 0, 0x7fc0dead, 4}, "four resident blocks", false);
    runs += 6;
  }
  std::printf("%d runs, %d failures\n", runs, failures);
  return failures == 0 && runs > 0 ? 0 : 1;
}

// ---- Device arrays for scenarios ----

template <class T>
struct Array {
  T* data = nullptr;
  std::size_t length;
  explicit Array(std::size_t n, const char* name = nullptr) : length(n) {
    cudaMalloc(&data, n * sizeof(T));
    if (name != nullptr) simt::name_allocation(data, name);
  }
  Array(std::size_t n, T value, const char* name) : Array(n, name) {
    const std::vector<T> values(n, value);
    cudaMemcpy(data, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(data); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() const { return data; }
  std::vector<T> values() const {
    std::vector<T> host(length);
    cudaMemcpy(host.data(), data, length * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
};

}  // namespace acceptance
