#include "evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>

#include "backend.h"
#include "claims.h"
#include "comparison.h"
#include "device_array.h"
#include "findings.h"
#include "pattern.h"
#include "session.h"

namespace testing {
namespace {

// How long a launch of a sampled case may run in full: a slow way to do it is no mistake.
constexpr double seconds_before_cut = 1.5;
// The same where sampled blocks seem wrong and only whole grids can tell. The largest that a
// lesson's clear kernel needs is 2.7 s (020, a warp for each of 66,000 tokens); a busy machine
// takes longer.
constexpr double seconds_to_decide = 5;
// The same for a launch that is judged only if it is quick.
constexpr double seconds_of_a_quick_one = 0.75;

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
      : trial_(trial), function_(function), counts_(counts), claims_(trial_, devices_) {
    for (detail::ArrayState& array : trial_.arrays) {
      devices_.push_back(std::make_unique<DeviceArray>(array));
      if (array.role == Role::input || array.scratch || trial_.judge) continue;
      const bool known = std::ranges::any_of(
          trial_.expectations, [&](const auto& claim) { return claim.array == &array; });
      if (!known) throw std::logic_error("nothing is expected of " + array.name);
    }
    if (trial_.judge && trial_.sample_above > 0)
      throw std::logic_error("judge_each_run() needs whole grids");
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
        const std::size_t before = claims_.written_elements(schedule.poison);
        if (!execute(schedule, run, grid, 2 * seconds_before_cut)) return finish();
        if (cut_ && claims_.written_elements(schedule.poison) <= before) return endless(before);
        continue;  // slow, but it gets on; smaller cases have seen it come to its end
      }
      if (run == 0 && findings_.has_uninitialized_notes()) first_results_ = claims_.results();
      covered = covered && (grid != Grid::sampled || claims_.ends_written(schedule.poison));
    }
    // What the sampled blocks left out may be another block's work, or nobody's. Rows that only
    // just pass 65,536 get the time to be written all.
    if (!covered) {
      const double seconds = (claims_.few_to_write() ? 3 : 1) * seconds_before_cut;
      if (!execute(backend::schedule(0, seed()), 0, Grid::until_cut, seconds)) return finish();
    }
    if (!first_results_.empty()) confirm_uninitialized();
    findings_.excuse_uninitialized();
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
  Claims claims_;
  Findings findings_;
  std::vector<std::vector<std::uint32_t>> first_results_;
  int runs_ = 1;
  bool cut_ = false;  // the last run was cut short, being long
  int launches_ = 0;  // of the last run, where blocks were sampled

  std::uint64_t seed() const { return session().seed + static_cast<std::uint64_t>(trial_.index); }

  // Sampling suits functions of one launch: where a second one reads what the blocks left out of
  // the first would have written, the whole grids have to run, and if that takes long nothing is
  // known. So it is where part of the blocks tells nothing to begin with.
  Judgement attempt(const backend::Schedule& schedule, int run, Grid grid) {
    const Findings before = findings_;
    const std::string halted = session().halted;
    const auto forget = [&] {
      findings_ = before;
      session().halted = halted;
    };
    double seconds = seconds_of_a_quick_one;
    if (grid != Grid::until_cut) {
      if (execute(schedule, run, grid)) return Judgement::right;
      if (grid != Grid::sampled || launches_ < 2) return Judgement::wrong;
      forget();
      seconds = seconds_to_decide;
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
    if (!findings_.stopped()) read_back();
    if (!findings_.stopped()) {
      check_memory();
      claims_.compare(schedule.poison, sampled || cut_, findings_);
    }
    if (findings_.good()) return true;
    if (run > 0) {
      findings_.name_run(fmt::format("\nThis was run {} of {}: {}, {}.", run + 1, runs_,
                                     schedule.description, layout.description()));
    }
    return false;
  }

  Outcome endless(std::size_t written) {
    Diagnostic diagnostic;
    diagnostic.kind = "endless_loop";
    diagnostic.message = fmt::format(
        "the kernel writes {} in its first {} s of work, and no more in as long again",
        written == 1 ? "one element" : fmt::format("{} elements", written), seconds_before_cut);
    findings_.add(std::move(diagnostic));
    findings_.stop("the kernel does not get on");
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
        findings_.stop(fmt::format("the function threw an exception: {}", error.what()));
      } catch (...) {
        findings_.stop("the function threw an exception that is no std::exception");
      }
      if (counts_ != nullptr) *counts_ = backend::end_counting();
    }
    if (captured) launch_captured(stream);
    const cudaError_t launch = cudaGetLastError();
    cudaError_t device = cudaStreamSynchronize(stream);
    if (device == cudaSuccess) device = cudaDeviceSynchronize();
    findings_.add(backend::take_diagnostics());
    if (device != cudaSuccess) {
      findings_.add(device, "The kernel was stopped by an error of the device");
      findings_.stop("the kernel was stopped");
      recover();
    } else if (launch != cudaSuccess) {
      findings_.add(launch, "An error was left in cudaGetLastError");
      findings_.stop("a launch or another CUDA call failed");
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
    findings_.add(error, "The stream that the function was given was capturing, which failed");
    findings_.stop("what the function queued could not be captured into a graph");
  }

  void recover() {
    if (findings_.has_error("endless_loop")) {
      session().halted = "a kernel of an earlier case did not come to an end.";
    }
    if (!reset_device()) {
      session().halted = "an earlier case left the GPU in a state that only a new process mends.";
    }
  }

  // A function that frees what it was given was reported; the harness can't reach it any more.
  void read_back() {
    try {
      for (const auto& device : devices_) device->collect();
    } catch (const std::runtime_error&) {
      if (!findings_.has_error("forbidden_call")) throw;
      findings_.stop("the arrays cannot be read back after what the function called");
      recover();
    }
  }

  void check_memory() {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const detail::ArrayState& array = trial_.arrays[i];
      if (const auto damage = devices_[i]->damage();
          damage && !findings_.has_error("out_of_bounds")) {
        Diagnostic diagnostic;
        diagnostic.kind = "out_of_bounds";
        diagnostic.message = *damage;
        findings_.add(std::move(diagnostic));
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
      if (Diagnostic* seen = findings_.find("input_written", array.name)) {
        seen->message = diagnostic.message + "\n    " + seen->message;
        continue;
      }
      findings_.add(std::move(diagnostic));
    }
  }

  // The same order of threads with another fill: where the outputs differ in a single bit, what was
  // read of nothing mattered.
  void confirm_uninitialized() {
    for (const int other : {1, 2}) {
      backend::Schedule schedule = backend::schedule(0, seed());
      schedule.poison = backend::schedule(other, seed()).poison;
      if (!execute(schedule, 0, Grid::whole)) return;
      if (claims_.results() == first_results_) continue;
      findings_.blame_uninitialized(
          "The outputs change with what the memory holds, so it is an error.");
      findings_.stop("the outputs change with the content of memory that nothing wrote");
      return;
    }
  }

  Outcome finish() const { return findings_.outcome(trial_); }
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
