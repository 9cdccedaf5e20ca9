// What a trace of a profile run holds, against steps worked out by hand. Compiled with --profile.
#include <cuda_runtime.h>
#include <simt/inspect.h>
#include <simt/trace.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using simt::Trace;
using Kind = Trace::Kind;
using Elements = std::vector<long>;

int failures = 0;
int checks = 0;

void check(bool right, const char* scenario, const std::string& what) {
  ++checks;
  if (right) return;
  ++failures;
  std::printf("FAILED %s: %s\n", scenario, what.c_str());
}

template <class A, class B>
void equal(const char* scenario, const std::string& what, const A& got, const B& expected) {
  const auto as_number = [](auto value) { return static_cast<long long>(value); };
  check(as_number(got) == as_number(expected), scenario,
        what + " is " + std::to_string(as_number(got)) + ", expected " +
            std::to_string(as_number(expected)));
}

float* array(const char* name, long rows, long columns) {
  float* data;
  const std::size_t bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  cudaMalloc(&data, bytes);
  cudaMemset(data, 0, bytes);
  simt::name_allocation(data, name, {"r", "c"}, {rows, columns});
  return data;
}

template <class Run>
Trace traced(Run run, const simt::TraceLimits& limits = {}, const std::string& module = {}) {
  simt::take_diagnostics();
  simt::start_trace(limits, module);
  simt::set_profiling(true);
  run();
  simt::set_profiling(false);
  return simt::take_trace();
}

struct Expected {
  Kind kind;
  const char* array;
  std::uint32_t lanes;
  Elements elements;
  std::uint64_t transactions, best;
  unsigned warp = 0;
  std::size_t block = 0;
};

void equal(const char* scenario, const Trace& trace, std::size_t at, const Expected& expected) {
  const std::string what = "step " + std::to_string(at) + ", ";
  if (at >= trace.steps.size()) {
    check(false, scenario, what + "which is missing");
    return;
  }
  const Trace::Step& step = trace.steps[at];
  equal(scenario, what + "kind", step.kind, expected.kind);
  equal(scenario, what + "lanes", step.lanes, expected.lanes);
  equal(scenario, what + "warp", step.warp, expected.warp);
  equal(scenario, what + "block", step.block, expected.block);
  equal(scenario, what + "transactions", step.transactions, expected.transactions);
  equal(scenario, what + "best", step.best, expected.best);
  equal(scenario, what + "parts", step.parts.size(), 1);
  if (step.parts.size() != 1) return;
  check(trace.arrays[step.parts[0].array].name == expected.array, scenario, what + "array");
  check(step.parts[0].elements == expected.elements, scenario, what + "elements");
}

Elements range(long first, long count, long stride = 1) {
  Elements result;
  for (long i = 0; i < count; ++i) result.push_back(first + i * stride);
  return result;
}

int line_of(const Trace& trace, std::size_t step) {
  return trace.places[trace.steps[step].place].line;
}

// ---- Accesses ----

__global__ void column(const float* a, float* o) {
  if (threadIdx.x >= 4) return;
  o[threadIdx.x] = a[threadIdx.x * 8];  // line_column
}
constexpr int line_column = __LINE__ - 2;

void accesses() {
  const char* const s = "accesses";
  float* a = array("a", 4, 8);
  float* o = array("o", 1, 4);
  const Trace trace = traced([&] { column<<<1, 64>>>(a, o); });
  equal(s, "launches", trace.launches.size(), 1);
  check(trace.launches[0].kernel == "column", s, "the kernel's name");
  equal(s, "threads", trace.launches[0].block.x, 64);
  equal(s, "steps of the launch", trace.launches[0].steps, 2);
  equal(s, "steps", trace.steps.size(), 2);
  equal(s, trace, 0, {Kind::load, "a", 0xf, range(0, 4, 8), 4, 1});
  equal(s, trace, 1, {Kind::store, "o", 0xf, range(0, 4), 1, 1});
  equal(s, "line of the load", line_of(trace, 0), line_column);
  equal(s, "line of the store", line_of(trace, 1), line_column);
  equal(s, "arrays", trace.arrays.size(), 2);
  check(trace.arrays[0].extents == Elements{4, 8}, s, "extents of a");
  check(trace.arrays[0].axes == std::vector<std::string>{"r", "c"}, s, "axes of a");
  equal(s, "length of a", trace.arrays[0].length, 32);
  equal(s, "findings", trace.findings.size(), 0);
}

// ---- Shared memory, barriers, warp operations ----

__global__ void banks(float* o) {
  __shared__ float tile[32][32];
  tile[threadIdx.x % 32][threadIdx.x / 32] = 1;
  __syncthreads();
  o[threadIdx.x] = __shfl_xor_sync(~0u, tile[threadIdx.x / 32][threadIdx.x % 32 / 32], 1);
}

void meetings() {
  const char* const s = "meetings";
  float* o = array("o", 2, 32);
  const Trace trace = traced([&] { banks<<<1, 64>>>(o); });
  equal(s, "steps", trace.steps.size(), 9);
  equal(s, trace, 0, {Kind::store, "tile", ~0u, range(0, 32, 32), 32, 1, 0});
  equal(s, trace, 1, {Kind::store, "tile", ~0u, range(1, 32, 32), 32, 1, 1});
  equal(s, "a barrier", trace.steps[2].kind, Kind::barrier);
  equal(s, "threads at the barrier", trace.steps[2].arrived, 64);
  equal(s, "threads that ended before", trace.steps[2].missing, 0);
  // The warp that came last goes on first.
  equal(s, trace, 3, {Kind::load, "tile", ~0u, range(32, 32, 0), 1, 1, 1});
  equal(s, "a warp operation", trace.steps[4].kind, Kind::warp_operation);
  check(trace.steps[4].operation == "shuffle", s, "which is a shuffle");
  equal(s, "its lanes", trace.steps[4].lanes, ~0u);
  equal(s, trace, 5, {Kind::store, "o", ~0u, range(32, 32), 4, 4, 1});
  equal(s, trace, 8, {Kind::store, "o", ~0u, range(0, 32), 4, 4, 0});
  check(trace.arrays[0].shared, s, "tile is shared");
  check(trace.arrays[0].extents == Elements{32, 32}, s, "extents of tile");
}

__global__ void counter(int* n) {
  atomicAdd(n + threadIdx.x / 24, 1);
}

void atomics() {
  const char* const s = "atomics";
  int* n = reinterpret_cast<int*>(array("n", 1, 2));
  const Trace trace = traced([&] { counter<<<1, 32>>>(n); });
  equal(s, "steps", trace.steps.size(), 1);
  Elements elements = range(0, 24, 0);
  const Elements rest = range(1, 8, 0);
  elements.insert(elements.end(), rest.begin(), rest.end());
  equal(s, trace, 0, {Kind::atomic, "n", ~0u, elements, 1, 1});
  equal(s, "lanes at one address", trace.steps[0].crowd, 24);
}

// ---- What the checks find ----

__global__ void reverse(float* o) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  o[threadIdx.x] = s[63 - threadIdx.x];
}

void races() {
  const char* const s = "races";
  float* o = array("o", 1, 64);
  const Trace trace = traced([&] { reverse<<<1, 64>>>(o); });
  // Warp 0 stores, reads what warp 1 is still to write, stores; then warp 1.
  equal(s, "steps", trace.steps.size(), 6);
  equal(s, "findings", trace.findings.size(), 2);
  for (const Trace::Finding& finding : trace.findings) {
    check(finding.kind == simt::DiagnosticKind::race, s, "they are races");
    check(finding.severity == simt::Severity::error, s, "and errors");
    check(finding.other_known, s, "of which both accesses are known");
    equal(s, "lanes", finding.hits.size(), 32);
  }
  // Warp 1's store meets warp 0's earlier load, its load meets warp 0's earlier store.
  const Trace::Finding& store = trace.findings[0];
  equal(s, "the store", store.step, 3);
  equal(s, "the load before it", store.other_step, 1);
  equal(s, "lane of the store", store.hits[0].lane, 0);
  equal(s, "element", store.hits[0].element, 32);
  equal(s, "lane of the load", store.hits[0].other_lane, 31);
  const Trace::Finding& load = trace.findings[1];
  equal(s, "the load", load.step, 4);
  equal(s, "the store before it", load.other_step, 0);
  simt::take_diagnostics();
}

__global__ void flag(int* n) {
  n[0] = 1;
}

void harmless() {
  const char* const s = "harmless";
  int* n = reinterpret_cast<int*>(array("n", 1, 1));
  const Trace trace = traced([&] { flag<<<1, 2>>>(n); });
  equal(s, "findings", trace.findings.size(), 1);
  check(trace.findings[0].severity == simt::Severity::note, s, "equal values are a note");
  simt::take_diagnostics();
}

__global__ void past_the_end(const float* a, float* o) {
  o[threadIdx.x] = a[threadIdx.x];
}

void faults() {
  const char* const s = "faults";
  float* a = array("a", 1, 6);
  float* o = array("o", 1, 8);
  const Trace trace = traced([&] { past_the_end<<<1, 8>>>(a, o); });
  equal(s, "findings", trace.findings.size(), 1);
  check(trace.findings[0].kind == simt::DiagnosticKind::out_of_bounds, s, "out of bounds");
  equal(s, "step", trace.findings[0].step, 0);
  equal(s, "lanes", trace.findings[0].hits.size(), 2);
  equal(s, "lane", trace.findings[0].hits[1].lane, 7);
  equal(s, "element", trace.findings[0].hits[1].element, 7);
  equal(s, "the lanes that go on", trace.steps[1].lanes, 0x3f);
  simt::take_diagnostics();
  simt::reset_device();
}

__global__ void unwritten(float* o) {
  __shared__ float s[4];
  o[threadIdx.x] = s[threadIdx.x];
}

void reads_of_nothing() {
  const char* const s = "reads of nothing";
  float* o = array("o", 1, 4);
  const Trace trace = traced([&] { unwritten<<<1, 4>>>(o); });
  equal(s, "findings", trace.findings.size(), 1);
  check(trace.findings[0].kind == simt::DiagnosticKind::uninitialized_read, s, "the kind");
  check(trace.findings[0].severity == simt::Severity::note, s, "which is a note");
  equal(s, "lanes", trace.findings[0].hits.size(), 4);
  simt::take_diagnostics();
}

__global__ void half_meets(float* o) {
  if (threadIdx.x >= 32) return;
  __syncthreads();
  o[threadIdx.x] = 1;
}

void missed_barriers() {
  const char* const s = "missed barriers";
  float* o = array("o", 1, 32);
  const Trace trace = traced([&] { half_meets<<<1, 64>>>(o); });
  equal(s, "steps", trace.steps.size(), 2);
  equal(s, "threads at the barrier", trace.steps[0].arrived, 32);
  equal(s, "threads that ended before", trace.steps[0].missing, 32);
  simt::take_diagnostics();
}

// ---- Limits ----

void limits() {
  const char* const s = "limits";
  float* a = array("a", 4, 8);
  float* o = array("o", 1, 4);
  const auto run = [&] {
    column<<<3, 32>>>(a, o);
    column<<<1, 32>>>(a, o);
  };
  const Trace steps = traced(run, {.steps = 3});
  equal(s, "steps", steps.steps.size(), 3);
  equal(s, "block of the last", steps.steps[2].block, 1);
  equal(s, "steps left out", steps.steps_left_out, 5);
  equal(s, "steps of the second launch", steps.launches[1].steps, 2);
  const Trace arrays = traced(run, {.arrays = 1});
  equal(s, "arrays", arrays.arrays.size(), 1);
  equal(s, "accesses of others", arrays.arrays_left_out, 16);
  const Trace launches = traced(run, {.launches = 1});
  equal(s, "launches", launches.launches.size(), 1);
  equal(s, "launches left out", launches.launches_left_out, 1);
  equal(s, "steps of one launch", launches.steps.size(), 6);
  const Trace elsewhere = traced(run, {}, "/nowhere/kernel.so");
  equal(s, "launches of another module", elsewhere.launches.size(), 2);
  check(!elsewhere.launches[0].shown, s, "which are not shown");
  equal(s, "their steps", elsewhere.steps.size(), 0);
  simt::take_diagnostics();
  equal(s, "nothing without being asked", simt::take_trace().steps.size(), 0);
}

}  // namespace

int main() {
  accesses();
  meetings();
  atomics();
  races();
  harmless();
  faults();
  reads_of_nothing();
  missed_barriers();
  limits();
  std::printf("%d checks, %d wrong\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}
