// Timing of a lesson's function. A benchmark is a block in lessons/NNN_slug/bench.cpp:
//
//   BENCHMARK(bias_add) {
//     const int rows = bench.size("rows", {65'536, 512}, 37);  // two shapes; 37 in a smoke run
//     const int cols = bench.size("cols", {1'024, 128}, 5);
//     const auto X = bench.input(count(rows, cols));
//     const auto b = bench.input(count(cols));
//     const auto Y = bench.output(count(rows, cols));
//     const double elements = 1.0 * rows * cols;
//     bench.work = {.read = 4 * (elements + cols), .written = 4 * elements, .flops = elements};
//     bench.time([&](auto function, cudaStream_t stream) { function(X, b, Y, rows, cols, stream);
//     });
//   }
//
// The block runs once for each shape, and times each kernel object that the command line names;
// `function` is the lesson's function in that object. Every call is checked, before and after it is
// timed, against the first object's: the reference.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/array.h"
#include "bench/cublas.h"
#include "bench/random.h"
#include "bench/roofline.h"
#include "bench/timing.h"
#include "moe/kernels.h"

namespace bench {

// Elements of an array with these sizes.
template <class... Sizes>
std::size_t count(Sizes... sizes) {
  return (std::size_t{1} * ... * static_cast<std::size_t>(sizes));
}

// What a benchmark measured for one subject: a kernel object, or a library that does the same.
struct Measurement {
  std::string subject;
  std::vector<double> seconds;
  std::string wrong;  // what the check found, and then there are no seconds; empty: nothing
};

class Session;  // the run's stream, options and flush

class Benchmark {
 public:
  using Call = std::function<void(cudaStream_t)>;

  Benchmark(Session& session, std::string name, int shape_number);

  // A size by its name, for the shape's text: of each shape, or one for all. A smoke run has one
  // shape, of sizes of its own.
  int size(const std::string& name, std::initializer_list<int> values, int in_a_smoke_run);
  int shape_number() const { return shape_number_; }  // from 0
  int shapes() const { return shapes_; }

  Array<float> input(std::size_t count, float low = -1, float high = 1);
  Array<float> input(const std::vector<float>& values);
  Array<int> input(const std::vector<int>& values);
  Array<float> output(std::size_t count);
  Array<int> integer_output(std::size_t count);
  // Added to, or changed in place.
  Array<float> accumulated(std::size_t count, float low = -1, float high = 1);

  // Not checked.
  Array<float> scratch(std::size_t count);
  Array<int> integer_scratch(std::size_t count);

  // Run once on every copy of the arrays, before anything is timed.
  void prepare(Call call) { prepare_ = std::move(call); }

  Random random;
  Work work;

  // Times what a library makes of the same arrays, beside the kernels: after time().
  void rival(const std::string& name, const Call& call);
  // The function of another kernel object, in the folder of the first one: kernels/NAME.so. A
  // benchmark names those that it needs in a line `// Objects: NAME ...`. Null where it isn't
  // there, and where shapes are listed.
  template <class Function>
  Function object(const std::string& name) {
    return reinterpret_cast<Function>(object_function(name));
  }
  // cuBLAS in FP32, without tensor cores; where there is none, nothing.
  void rival_product(Layout layout, int M, int N, int K, const Array<float>& A,
                     const Array<float>& B, bool accumulate, const Array<float>& C);

  const std::string& name() const { return name_; }
  const std::string& shape() const { return shape_; }
  Method method() const;
  std::size_t held_bytes() const;  // all arrays of a call, which is all that it holds
  const std::vector<Measurement>& measurements() const { return measurements_; }
  const std::string& skipped() const { return skipped_; }  // why nothing was timed, or empty

 protected:
  void time_subject(const std::string& subject, const Call& call);
  Session& session_;

 private:
  template <class T>
  Array<T> add(Role role, std::size_t count, std::vector<std::uint32_t> initial, bool integer);
  std::vector<std::uint32_t> drawn(std::size_t count, float low, float high);
  bool allocate();  // false: this device has too little memory
  void measure(const Call& call, Measurement& measurement);
  std::string compare(int turn);
  void* object_function(const std::string& name);

  std::string name_;
  int shape_number_;
  int shapes_ = 1;
  std::string shape_;
  std::shared_ptr<int> turn_ = std::make_shared<int>(0);
  std::vector<std::shared_ptr<ArrayMemory>> arrays_;
  bool allocated_ = false;
  int calls_before_ = 0;  // TimingOptions
  std::string skipped_;
  Call prepare_;
  std::vector<std::vector<std::uint32_t>> expected_;  // of each array that is no input
  std::vector<Measurement> measurements_;
};

// The kernel objects of a run, by label.
struct Subject {
  std::string label;
  void* function = nullptr;
};
const std::vector<Subject>& subjects(const Session& session);

template <class Function>
class TypedBenchmark : public Benchmark {
 public:
  using Benchmark::Benchmark;

  template <class Body>
  void time(Body body) {
    for (const Subject& each : subjects(session_)) {
      const auto function = reinterpret_cast<Function>(each.function);
      time_subject(each.label, [&](cudaStream_t stream) { body(function, stream); });
    }
  }
};

namespace detail {

// Runs a block for each of its shapes; `done` gets each while its arrays are there.
using Done = std::function<void(const Benchmark&)>;
using Run = void (*)(Session& session, const Done& done);
template <class Each>
void run_shapes(Session& session, const char* name, void (*block)(Each& bench), const Done& done) {
  int shapes = 1;
  for (int shape = 0; shape < shapes; ++shape) {
    Each benchmark(session, name, shape);
    block(benchmark);
    shapes = benchmark.shapes();
    done(benchmark);
  }
}
struct Registration {
  Registration(const char* function, Run run);
};

}  // namespace detail
}  // namespace bench

#define BENCH_JOIN_(a, b) a##b
#define BENCH_JOIN(a, b) BENCH_JOIN_(a, b)
#define BENCHMARK(function)                                               \
  BENCHMARK_NAMED(function, bench::TypedBenchmark<decltype(&::function)>, \
                  BENCH_JOIN(benchmark_, __COUNTER__))
// Of what no single object does: the block times it by rival(), the reference first.
#define BENCHMARK_SEQUENCE(name) \
  BENCHMARK_NAMED(name, bench::Benchmark, BENCH_JOIN(benchmark_, __COUNTER__))
#define BENCHMARK_NAMED(name, Type, id)                                     \
  static void id(Type& bench);                                              \
  static const bench::detail::Registration BENCH_JOIN(id, _registration)(   \
      #name, [](bench::Session& session, const bench::detail::Done& done) { \
        bench::detail::run_shapes<Type>(session, #name, id, done);          \
      });                                                                   \
  static void id(Type& bench)
