#include "bench/benchmark.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "bench/check.h"
#include "session.h"

namespace bench {
namespace {

// Below this the time of a launch shows, and calls are replayed from a graph.
constexpr std::size_t kSmall = std::size_t{1} << 20;
constexpr std::size_t kMostMemory = std::size_t{8} << 30;
constexpr int kMostCopies = 32;

struct Registered {
  const char* function;
  detail::Run run;
};

std::vector<Registered>& registry() {
  static std::vector<Registered> all;
  return all;
}

template <class T>
std::vector<std::uint32_t> words(const std::vector<T>& values) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  std::vector<std::uint32_t> result(values.size());
  if (!values.empty()) std::memcpy(result.data(), values.data(), values.size() * sizeof(T));
  return result;
}

std::string with_commas(int number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace

detail::Registration::Registration(const char* function, Run run) {
  registry().push_back({function, run});
}

void run_benchmarks(Session& session, const detail::Done& done) {
  for (const Registered& each : registry()) each.run(session, done);
}

Benchmark::Benchmark(Session& session, std::string name, int shape_number)
    : random(session.options().seed),
      session_(session),
      name_(std::move(name)),
      shape_number_(shape_number) {}

int Benchmark::size(const std::string& name, std::initializer_list<int> values,
                    int in_a_smoke_run) {
  const bool smoke = session_.options().smoke;
  if (!smoke) shapes_ = std::max(shapes_, static_cast<int>(values.size()));
  const auto at = std::min(static_cast<std::size_t>(shape_number_), values.size() - 1);
  const int chosen = smoke ? in_a_smoke_run : values.begin()[at];
  shape_ += fmt::format("{}{} = {}", shape_.empty() ? "" : ", ", name, with_commas(chosen));
  return chosen;
}

template <class T>
Array<T> Benchmark::add(Role role, std::size_t count, std::vector<std::uint32_t> initial,
                        bool integer) {
  if (allocated_) throw std::logic_error("an array after the first timing");
  arrays_.push_back(std::make_shared<ArrayMemory>(role, count, std::move(initial), integer));
  return Array<T>(arrays_.back(), turn_);
}

// Nothing is drawn for a list of shapes.
std::vector<std::uint32_t> Benchmark::drawn(std::size_t count, float low, float high) {
  if (session_.options().list) return {};
  return words(random.uniform(count, low, high));
}

Array<float> Benchmark::input(std::size_t count, float low, float high) {
  return add<float>(Role::input, count, drawn(count, low, high), false);
}

Array<float> Benchmark::input(const std::vector<float>& values) {
  return add<float>(Role::input, values.size(), words(values), false);
}

Array<int> Benchmark::input(const std::vector<int>& values) {
  return add<int>(Role::input, values.size(), words(values), true);
}

Array<float> Benchmark::output(std::size_t count) {
  return add<float>(Role::output, count, {}, false);
}

Array<int> Benchmark::integer_output(std::size_t count) {
  return add<int>(Role::output, count, {}, true);
}

Array<float> Benchmark::accumulated(std::size_t count, float low, float high) {
  return add<float>(Role::accumulated, count, drawn(count, low, high), false);
}

Array<float> Benchmark::scratch(std::size_t count) {
  return add<float>(Role::scratch, count, {}, false);
}

Array<int> Benchmark::integer_scratch(std::size_t count) {
  return add<int>(Role::scratch, count, {}, true);
}

Method Benchmark::method() const {
  const double small = session_.options().smoke ? kSmall / 1024.0 : kSmall;  // a smoke run has both
  return work.bytes() < small ? Method::replayed : Method::cold;
}

std::size_t Benchmark::held_bytes() const {
  std::size_t bytes = 0;
  for (const auto& each : arrays_) bytes += each->bytes();
  return bytes;
}

bool Benchmark::allocate() {
  if (allocated_) return true;
  if (!skipped_.empty()) return false;
  const std::size_t bytes = held_bytes() + 1;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "the device's memory");
  const std::size_t usable = free / 10 * 9;
  if (bytes > usable) {
    skipped_ = fmt::format("it takes {:.1f} GB of the device's memory, and {:.1f} GB are free",
                           static_cast<double>(bytes) / 1e9, static_cast<double>(free) / 1e9);
    return false;
  }
  allocated_ = true;
  // Enough that a copy has left the cache before its turn comes again.
  const std::size_t wanted = 2 * session_.flush().bytes() / bytes + 2;
  const std::size_t room = std::max<std::size_t>(std::min(kMostMemory, usable) / bytes, 1);
  const auto copies = static_cast<int>(std::min({wanted, room, std::size_t{kMostCopies}}));
  calls_before_ = std::min(copies - 1, static_cast<int>(session_.flush().bytes() / bytes) + 1);
  for (const auto& each : arrays_) each->allocate(copies);
  for (int turn = 0; turn < copies && prepare_; ++turn) {
    *turn_ = turn;
    prepare_(session_.stream());
    check(cudaGetLastError(), "a launch while preparing");
    check(cudaStreamSynchronize(session_.stream()), "preparing");
  }
  return true;
}

std::string Benchmark::compare(int turn) {
  std::size_t at = 0;
  for (const auto& each : arrays_) {
    if (!each->checked()) continue;
    const std::string difference = each->difference(expected_[at++], turn);
    if (!difference.empty()) return fmt::format("array {}: {}", at, difference);
  }
  return {};
}

void Benchmark::time_subject(const std::string& subject, const Call& call) {
  if (session_.options().list || session_.lost() || !allocate()) return;
  session_.announce(fmt::format("{}: {}", shape_, subject));
  Measurement measurement;
  measurement.subject = subject;
  try {
    measure(call, measurement);
  } catch (const std::runtime_error& error) {
    if (measurements_.empty()) throw;  // the reference: there is nothing to compare with
    measurement.wrong = error.what();
    // After an access out of bounds, say, CUDA refuses whatever follows.
    if (cudaDeviceSynchronize() != cudaSuccess) session_.lose();
  }
  if (!measurement.wrong.empty()) measurement.seconds.clear();
  measurements_.push_back(std::move(measurement));
}

void Benchmark::measure(const Call& call, Measurement& measurement) {
  const cudaStream_t stream = session_.stream();
  const auto checked_call = [&](int turn) {
    *turn_ = turn;
    for (const auto& each : arrays_) each->set_back();
    call(stream);
    check(cudaGetLastError(), "a launch");
    check(cudaStreamSynchronize(stream), "the call");
  };
  checked_call(0);
  if (expected_.empty()) {
    for (const auto& each : arrays_) {
      if (each->checked()) expected_.push_back(each->contents(0));
    }
  }
  measurement.wrong = compare(0);
  if (!measurement.wrong.empty()) return;
  TimingOptions options;
  options.method = method();
  options.seconds = session_.options().seconds;
  options.calls_before = calls_before_;
  if (session_.options().smoke) options.least_samples = options.most_samples = 2;
  int last = 0;
  measurement.seconds = time_calls(
      [&](int turn) {
        *turn_ = last = turn;
        call(stream);
      },
      stream, session_.flush(), options);
  // What the timed calls left behind; where they added up, another call from the start.
  const bool adds_up = std::ranges::any_of(
      arrays_, [](const auto& each) { return each->role() == Role::accumulated; });
  if (adds_up) checked_call(last);
  measurement.wrong = compare(last);
  if (!measurement.wrong.empty()) measurement.wrong = "after timing, " + measurement.wrong;
}

void* Benchmark::object_function(const std::string& name) {
  return session_.options().list ? nullptr : session_.object_function(name);
}

void Benchmark::rival(const std::string& name, const Call& call) {
  time_subject(name, call);
}

void Benchmark::rival_product(Layout layout, int M, int N, int K, const Array<float>& A,
                              const Array<float>& B, bool accumulate, const Array<float>& C) {
  if (!has_cublas()) return;
  rival("cuBLAS",
        [&](cudaStream_t stream) { cublas_product(stream, layout, M, N, K, A, B, accumulate, C); });
}

const std::vector<Subject>& subjects(const Session& session) {
  return session.subjects();
}

}  // namespace bench
