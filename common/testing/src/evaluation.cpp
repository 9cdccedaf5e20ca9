#include "evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "backend.h"
#include "comparison.h"
#include "device_array.h"
#include "pattern.h"
#include "session.h"

namespace testing {
namespace {

const char* const uninitialized = "uninitialized_read";

// How long a launch of a sampled case may run in full: a slow way to do it is no mistake.
constexpr double seconds_before_cut = 1.5;
// The same for a launch that is judged only if it is quick.
constexpr double seconds_of_a_quick_one = 0.75;

// The kind of diagnostic for an error that a device left without a report of its own.
const char* kind_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
      return "out_of_bounds";
    case cudaErrorMisalignedAddress:
      return "misaligned";
    case cudaErrorAssert:
      return "device_assert";
    case cudaErrorLaunchTimeout:
      return "endless_loop";
    default:
      return "launch_error";
  }
}

// How far past a 256-byte boundary an array lies, in words. A float array has the alignment of a
// float only, so most runs put arrays off the 16 bytes that a vector access needs; the first run of
// a case does not.
struct Layout {
  int pattern;
  std::size_t turn;  // later trials of a case shift by other distances
  std::size_t step;  // from one array's shift to the next one's: 1, 2, 3, trial by trial

  Layout(int trial, int run)
      : pattern((trial + run) % 3),
        turn(static_cast<std::size_t>(trial) / 3),
        step(1 + static_cast<std::size_t>(trial) % 3) {}

  std::size_t shift(std::size_t array) const {
    if (pattern == 0) return 0;
    return pattern == 1 ? 1 + turn % 3 : (array * step + 2 + turn) % 4;
  }
  const char* description() const {
    return pattern == 0 ? "arrays aligned to 256 bytes" : "arrays aligned to 4 bytes only";
  }
};

class Evaluation {
 public:
  Evaluation(Trial::State& trial, const Trial::Call& function, CallCounts* counts)
      : trial_(trial), function_(function), counts_(counts) {
    for (detail::ArrayState& array : trial_.arrays) {
      devices_.push_back(std::make_unique<DeviceArray>(array));
      if (array.role == Role::input || array.scratch || trial_.judge) continue;
      const bool known = std::ranges::any_of(
          trial_.expectations, [&](const auto& claim) { return claim.array == &array; });
      if (!known) throw std::logic_error("nothing is expected of " + array.name);
    }
    if (trial_.judge && trial_.sample_above > 0)
      throw std::logic_error("judge_each_run() needs whole grids");
    expected_.resize(trial_.expectations.size());
    fixed_expectations_ = trial_.expectations.size();
    fixed_mistakes_ = trial_.mistakes.size();
  }

  Outcome outcome() {
    runs_ = session().runs > 0 ? session().runs : backend::default_runs();
    if (trial_.most_runs > 0) runs_ = std::min(runs_, trial_.most_runs);
    if (counts_ != nullptr) runs_ = 1;
    const Grid grid = counts_ != nullptr        ? Grid::whole
                      : trial_.sample_above > 0 ? Grid::sampled
                      : trial_.judged_if_quick  ? Grid::until_cut
                                                : Grid::whole;
    bool covered = true;
    for (int run = 0; run < runs_; ++run) {
      const backend::Schedule schedule = backend::schedule(run, seed());
      const Judgement judgement = attempt(schedule, run, grid);
      if (judgement == Judgement::wrong) return finish();
      if (judgement == Judgement::unknown) continue;
      if (cut_) {
        const std::size_t before = written_elements(schedule.poison);
        if (!execute(schedule, run, grid, 2 * seconds_before_cut)) return finish();
        if (cut_ && written_elements(schedule.poison) <= before) return endless(before);
        continue;  // slow, but it gets on; smaller cases have seen it come to its end
      }
      if (run == 0 && noted(uninitialized)) first_results_ = results();
      covered = covered && (grid != Grid::sampled || ends_written(schedule.poison));
    }
    // What the sampled blocks left out may be another block's work, or nobody's. Rows that only
    // just pass 65,536 get the time to be written all.
    if (!covered) {
      const double seconds = (few_to_write() ? 3 : 1) * seconds_before_cut;
      if (!execute(backend::schedule(0, seed()), 0, Grid::until_cut, seconds)) return finish();
    }
    if (!first_results_.empty()) confirm_uninitialized();
    for (Diagnostic& diagnostic : outcome_.diagnostics) {
      if (diagnostic.kind == uninitialized && !diagnostic.error) {
        diagnostic.message += "\nThe outputs do not depend on it, so it is a note.";
      }
    }
    return finish();
  }

  // One run of which nothing is checked.
  void run_only() {
    const backend::Schedule schedule = backend::schedule(0, seed());
    prepare(schedule, Layout(0, 0));
    call();
  }

 private:
  // Which blocks run: all; some of a large launch; all, for as long as seconds_before_cut allows.
  enum class Grid { whole, sampled, until_cut };
  enum class Judgement { right, wrong, unknown };

  Trial::State& trial_;
  const Trial::Call& function_;
  CallCounts* counts_;
  std::vector<std::unique_ptr<DeviceArray>> devices_;  // as in trial_.arrays
  std::vector<std::vector<Expected>> expected_;        // as in trial_.expectations; when needed
  std::size_t fixed_expectations_ = 0, fixed_mistakes_ = 0;  // the rest is of the last run alone
  std::vector<std::vector<std::uint32_t>> first_results_;
  int runs_ = 1;
  Outcome outcome_;
  bool cut_ = false;  // the last run was cut short, being long
  int launches_ = 0;  // of the last run, where blocks were sampled
  std::string values_message_;
  std::string stopped_;  // why the values were not compared

  std::uint64_t seed() const { return session().seed + static_cast<std::uint64_t>(trial_.index); }

  // Sampling suits functions of one launch: where a second one reads what the blocks left out of
  // the first would have written, the whole grids have to run, and if that takes long nothing is
  // known. So it is where part of the blocks tells nothing to begin with.
  Judgement attempt(const backend::Schedule& schedule, int run, Grid grid) {
    const Outcome before = outcome_;
    const std::string halted = session().halted;
    const auto forget = [&] {
      outcome_ = before;
      session().halted = halted;
      stopped_.clear();
      values_message_.clear();
      run_.clear();
    };
    double seconds = seconds_of_a_quick_one;
    if (grid != Grid::until_cut) {
      if (execute(schedule, run, grid)) return Judgement::right;
      if (grid != Grid::sampled || launches_ < 2) return Judgement::wrong;
      forget();
      seconds = 2 * seconds_before_cut;
    }
    const bool right = execute(schedule, run, Grid::until_cut, seconds);
    if (!cut_) return right ? Judgement::right : Judgement::wrong;
    forget();
    return Judgement::unknown;
  }

  // One run and its checks. False when something is wrong, which ends the trial.
  bool execute(const backend::Schedule& schedule, int run, Grid grid,
               double seconds = seconds_before_cut) {
    const Layout layout = counts_ == nullptr ? Layout(trial_.index, run) : Layout(0, 0);
    prepare(schedule, layout);
    const std::size_t above = grid == Grid::whole     ? 0
                              : grid == Grid::sampled ? trial_.sample_above
                                                      : std::numeric_limits<std::size_t>::max();
    const bool sampled =
        backend::sample_blocks(above, schedule.seed, seconds) && grid == Grid::sampled;
    call();
    cut_ = backend::launch_was_cut();
    launches_ = backend::launches();
    backend::sample_blocks(0, 0, 0);
    if (stopped_.empty()) read_back();
    if (stopped_.empty()) {
      check_memory();
      compare(schedule.poison, sampled || cut_);
    }
    if (outcome_.passed) return true;
    describe_run(run, schedule, layout);
    return false;
  }

  bool few_to_write() const {
    return std::ranges::all_of(trial_.expectations, [](const auto& claim) {
      return claim.array->role == Role::output && claim.array->count < 250'000;
    });
  }

  std::size_t written_elements(std::uint32_t fill) const {
    std::size_t count = 0;
    for (const auto& claim : trial_.expectations) {
      const Got result = got(claim.array, fill);
      for (std::size_t i = 0; i < result.words.size(); ++i) count += written(result, i);
    }
    return count;
  }

  Outcome endless(std::size_t written) {
    Diagnostic diagnostic;
    diagnostic.kind = "endless_loop";
    diagnostic.message = fmt::format(
        "the kernel writes {} in its first {} s of work, and no more in as long again",
        written == 1 ? "one element" : fmt::format("{} elements", written), seconds_before_cut);
    add(std::move(diagnostic));
    stop("the kernel does not get on");
    return finish();
  }

  void prepare(const backend::Schedule& schedule, const Layout& layout) {
    backend::apply(schedule);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      devices_[i]->prepare(layout.shift(i), schedule.poison);
    }
  }

  void call() {
    backend::take_diagnostics();  // of the harness's own copies
    cudaGetLastError();
    const bool captured = trial_.stream == Trial::Stream::capturing;
    const cudaStream_t stream = trial_.stream == Trial::Stream::null ? nullptr : harness_stream();
    // A small copy from ordinary host memory may still be on its way when cudaMemcpy returns, and
    // the harness's stream does not wait for it.
    cudaDeviceSynchronize();
    if (captured) cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    {
      const backend::LessonScope scope(stream);
      if (counts_ != nullptr) backend::begin_counting(session().traced);
      try {
        function_(stream);
      } catch (const std::exception& error) {
        stop(fmt::format("the function threw an exception: {}", error.what()));
      } catch (...) {
        stop("the function threw an exception that is no std::exception");
      }
      if (counts_ != nullptr) *counts_ = backend::end_counting();
    }
    if (captured) launch_captured(stream);
    const cudaError_t launch = cudaGetLastError();
    cudaError_t device = cudaStreamSynchronize(stream);
    if (device == cudaSuccess) device = cudaDeviceSynchronize();
    merge(backend::take_diagnostics());
    if (device != cudaSuccess) {
      report_error(device, "The kernel was stopped by an error of the device");
      stop("the kernel was stopped");
      recover();
    } else if (launch != cudaSuccess) {
      report_error(launch, "An error was left in cudaGetLastError");
      stop("a launch or another CUDA call failed");
    }
  }

  // What the function queued on the stream that was capturing.
  void launch_captured(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t graph_exec = nullptr;
    cudaError_t error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&graph_exec, graph, 0);
    if (error == cudaSuccess) error = cudaGraphLaunch(graph_exec, stream);
    cudaStreamSynchronize(stream);
    if (graph_exec != nullptr) cudaGraphExecDestroy(graph_exec);
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (error == cudaSuccess) return;
    report_error(error, "The stream that the function was given was capturing, which failed");
    stop("what the function queued could not be captured into a graph");
  }

  void stop(std::string why) {
    outcome_.passed = false;
    if (stopped_.empty()) stopped_ = std::move(why);
  }

  void recover() {
    if (has_error("endless_loop")) {
      session().halted = "a kernel of an earlier case did not come to an end.";
    }
    if (!reset_device()) {
      session().halted = "an earlier case left the GPU in a state that only a new process mends.";
    }
  }

  // Unless a check already said more about it.
  void report_error(cudaError_t error, const char* what) {
    if (std::ranges::any_of(outcome_.diagnostics, &Diagnostic::error)) return;
    Diagnostic diagnostic;
    diagnostic.kind = kind_of(error);
    diagnostic.message =
        fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
    add(std::move(diagnostic));
  }

  void add(Diagnostic diagnostic) {
    for (Diagnostic& known : outcome_.diagnostics) {
      if (known.kind == diagnostic.kind && known.kernel == diagnostic.kernel &&
          known.file == diagnostic.file && known.line == diagnostic.line &&
          known.other_line == diagnostic.other_line) {
        known.count += diagnostic.count;
        known.error = known.error || diagnostic.error;
        if (known.error) outcome_.passed = false;
        return;
      }
    }
    if (diagnostic.error) outcome_.passed = false;
    outcome_.diagnostics.push_back(std::move(diagnostic));
  }

  void merge(std::vector<Diagnostic> diagnostics) {
    for (Diagnostic& diagnostic : diagnostics) add(std::move(diagnostic));
  }

  bool has_error(const std::string& kind) const {
    return std::ranges::any_of(outcome_.diagnostics,
                               [&](const Diagnostic& d) { return d.error && d.kind == kind; });
  }

  bool noted(const std::string& kind) const {
    return std::ranges::any_of(outcome_.diagnostics,
                               [&](const Diagnostic& d) { return !d.error && d.kind == kind; });
  }

  // A function that frees what it was given was reported; the harness can't reach it any more.
  void read_back() {
    try {
      for (const auto& device : devices_) device->collect();
    } catch (const std::runtime_error&) {
      if (!has_error("forbidden_call")) throw;
      stop("the arrays cannot be read back after what the function called");
      recover();
    }
  }

  void check_memory() {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const detail::ArrayState& array = trial_.arrays[i];
      if (const auto damage = devices_[i]->damage(); damage && !has_error("out_of_bounds")) {
        Diagnostic diagnostic;
        diagnostic.kind = "out_of_bounds";
        diagnostic.message = *damage;
        add(std::move(diagnostic));
      }
      if (array.role != Role::input) continue;
      const auto [now, before] = std::ranges::mismatch(devices_[i]->words(), array.content);
      if (now == devices_[i]->words().end()) continue;
      const auto flat = static_cast<std::size_t>(before - array.content.begin());
      Diagnostic diagnostic;
      diagnostic.kind = "input_written";
      diagnostic.message =
          fmt::format("{} is an input, but the call changed it: {} was {}, and is {} now",
                      array.name, element_name(array.name, array.axes, flat),
                      number(*before, array.integer), number(*now, array.integer));
      // The runtime may have seen the store: one report, with its line.
      const auto seen = std::ranges::find_if(outcome_.diagnostics, [&](const Diagnostic& d) {
        return d.is("input_written") && d.array == array.name;
      });
      if (seen != outcome_.diagnostics.end()) {
        seen->message = diagnostic.message + "\n    " + seen->message;
        continue;
      }
      add(std::move(diagnostic));
    }
  }

  const DeviceArray& device_of(const detail::ArrayState* array) const {
    std::size_t i = 0;
    while (&trial_.arrays[i] != array) ++i;
    return *devices_[i];
  }

  Got got(const detail::ArrayState* array, std::uint32_t fill) const {
    Got result;
    result.array = array;
    result.words = device_of(array).words();
    result.filled = array->role == Role::output;
    result.fill = fill;
    return result;
  }

  const std::vector<Expected>& expected(std::size_t e) {
    if (expected_[e].empty()) expected_[e] = trial_.expectations[e].values();
    return expected_[e];
  }

  // In a sampled run: no element that was written is wrong. What nobody wrote may be the work of a
  // block that did not run, and needs no oracle.
  static bool written_are_right(const Trial::State::Claim& claim, const Got& result) {
    for (std::size_t i = 0; i < result.words.size(); ++i) {
      if (written(result, i) && !claim.value(i).admits(result.at(i))) return false;
    }
    return true;
  }

  static bool written(const Got& result, std::size_t i) {
    return result.filled ? !result.unwritten(i) : result.words[i] != result.array->content[i];
  }

  // What only this run's results tell.
  void judge() {
    if (!trial_.judge) return;
    trial_.expectations.erase(
        trial_.expectations.begin() + static_cast<std::ptrdiff_t>(fixed_expectations_),
        trial_.expectations.end());
    trial_.mistakes.erase(trial_.mistakes.begin() + static_cast<std::ptrdiff_t>(fixed_mistakes_),
                          trial_.mistakes.end());
    trial_.judge(Results([this](const detail::ArrayState& array) {
      return std::span<const std::uint32_t>(device_of(&array).words());
    }));
    expected_.resize(fixed_expectations_);
    expected_.resize(trial_.expectations.size());
  }

  void compare(std::uint32_t fill, bool sampled) {
    judge();
    for (std::size_t e = 0; e < expected_.size(); ++e) {
      const detail::ArrayState* array = trial_.expectations[e].array;
      const Got result = got(array, fill);
      if (sampled && written_are_right(trial_.expectations[e], result)) continue;
      std::vector<char> wrong = wrong_elements(result, expected(e));
      if (sampled) {
        for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = wrong[i] && written(result, i);
      }
      if (std::ranges::find(wrong, 1) == wrong.end()) continue;
      outcome_.passed = false;
      if (!values_message_.empty()) {
        values_message_ += fmt::format("\nAlso wrong: {} ({}).", array->name,
                                       describe_pattern(array->axes, wrong));
        continue;
      }
      std::vector<const detail::ArrayState*> inputs;
      for (const detail::ArrayState& other : trial_.arrays) {
        if (other.role == Role::input) inputs.push_back(&other);
      }
      values_message_ = describe_mismatch(result, expected(e), wrong, inputs, unwritten_reads());
    }
    if (values_message_.empty()) return;
    blame_uninitialized("The outputs are wrong, so it is an error.");
    name_mistake(fill);
  }

  // A word that takes part in a race is not told as unwritten as well.
  UnwrittenReads unwritten_reads() const {
    std::optional<UnwrittenReads> seen;
    for (const Diagnostic& diagnostic : outcome_.diagnostics) {
      if (diagnostic.kind != uninitialized) continue;
      const UnwrittenReads from = diagnostic.shared_memory   ? UnwrittenReads::in_shared_memory
                                  : diagnostic.array.empty() ? UnwrittenReads::by_shuffle
                                                             : UnwrittenReads::in_arrays;
      seen = seen.value_or(from) == from ? from : UnwrittenReads::mixed;
    }
    if (seen) return *seen;
    if (!backend::sees_unwritten_reads() || has_error("race") || noted("race") ||
        has_error("barrier_divergence")) {
      return UnwrittenReads::unknown;
    }
    return UnwrittenReads::none;
  }

  void name_mistake(std::uint32_t fill) {
    // Threads that run out of step read what nothing wrote yet, and then an output full of NaN is
    // no sign of a mistake of another kind.
    const bool out_of_step = has_error("race") || has_error("barrier_divergence");
    for (const auto& mistake : trial_.mistakes) {
      if (mistake.array->count > 300'000) continue;  // smaller cases name it
      const Got result = got(mistake.array, fill);
      if (!fits(mistake, result)) continue;
      const auto nan = [](const Expected& e) { return !e.never_written && std::isnan(e.value); };
      if (out_of_step && std::ranges::all_of(mistake.values(), nan)) continue;
      // An array that the mistake leaves right says nothing.
      for (std::size_t e = 0; e < expected_.size(); ++e) {
        if (trial_.expectations[e].array != mistake.array) continue;
        if (explains(result, expected(e))) continue;
        outcome_.mistake = mistake.slug;
        return;
      }
    }
  }

  // Up to the first element that does not fit: what a mistake leaves may be slow to work out.
  static bool fits(const Trial::State::Claim& mistake, const Got& result) {
    for (std::size_t i = 0; i < result.words.size(); ++i) {
      if (!explains(result, i, mistake.value(i))) return false;
    }
    return true;
  }

  // Did a sampled run write both ends of every output?
  bool ends_written(std::uint32_t fill) const {
    return std::ranges::all_of(trial_.expectations, [&](const auto& claim) {
      const Got result = got(claim.array, fill);
      return claim.array->count == 0 ||
             (written(result, 0) && written(result, claim.array->count - 1));
    });
  }

  std::vector<std::vector<std::uint32_t>> results() const {
    std::vector<std::vector<std::uint32_t>> all;
    for (const auto& claim : trial_.expectations) all.push_back(device_of(claim.array).words());
    return all;
  }

  // The same order of threads with another fill: where the outputs differ in a single bit, what was
  // read of nothing mattered.
  void confirm_uninitialized() {
    for (const int other : {1, 2}) {
      backend::Schedule schedule = backend::schedule(0, seed());
      schedule.poison = backend::schedule(other, seed()).poison;
      if (!execute(schedule, 0, Grid::whole)) return;
      if (results() == first_results_) continue;
      blame_uninitialized("The outputs change with what the memory holds, so it is an error.");
      outcome_.passed = false;
      stop("the outputs change with the content of memory that nothing wrote");
      return;
    }
  }

  void blame_uninitialized(const char* why) {
    for (Diagnostic& diagnostic : outcome_.diagnostics) {
      if (diagnostic.kind != uninitialized || diagnostic.error) continue;
      diagnostic.error = true;
      diagnostic.message += fmt::format("\n{}", why);
    }
  }

  void describe_run(int run, const backend::Schedule& schedule, const Layout& layout) {
    if (run == 0) return;
    run_ = fmt::format("\nThis was run {} of {}: {}, {}.", run + 1, runs_, schedule.description,
                       layout.description());
  }

  std::string run_;

  Outcome finish() {
    if (outcome_.passed) return outcome_;
    std::string kinds;
    for (const Diagnostic& diagnostic : outcome_.diagnostics) {
      if (!diagnostic.error || kinds.find(diagnostic.kind) != std::string::npos) continue;
      kinds += (kinds.empty() ? "" : ", ") + diagnostic.kind;
    }
    if (outcome_.mistake.empty()) {
      for (const auto& telling : trial_.telling_diagnostics) {
        const bool match = std::ranges::any_of(outcome_.diagnostics, [&](const Diagnostic& d) {
          return d.error && telling.second(d);
        });
        if (match) {
          outcome_.mistake = telling.first;
          break;
        }
      }
    }
    std::string& text = outcome_.message;
    if (const std::string sizes = trial_.sizes_text(); !sizes.empty())
      text = "With " + sizes + ": ";
    if (!values_message_.empty()) {
      text += values_message_;
      if (!kinds.empty()) text += fmt::format("\nThe checks report: {}.", kinds);
    } else if (!stopped_.empty()) {
      text += stopped_ + (kinds.empty() ? "." : fmt::format(" ({}).", kinds));
    } else {
      text += fmt::format("the values are right, but the checks report: {}.", kinds);
    }
    text += run_;
    return outcome_;
  }
};

}  // namespace

Outcome evaluate(Trial::State& trial, const Trial::Call& function, CallCounts* counts) {
  return Evaluation(trial, function, counts).outcome();
}

CallCounts count(Trial::State& trial, const Trial::Call& function) {
  CallCounts counts;
  Evaluation(trial, function, &counts).run_only();
  return counts;
}

}  // namespace testing
