// trainer: trains the layer that the given kernel objects make up, and reports as it goes.
//
// Exit codes: 0 trained to the end or stopped on request with its checkpoint kept, 1 the loss is no
// number any more, 2 usage, 4 a CUDA call or a kernel failed, 5 a file could not be read or
// written.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "checkpoint.h"
#include "device_layer.h"
#include "kernel_objects.h"
#include "pace.h"
#include "parameters.h"
#include "reporter.h"
#include "settings.h"
#include "task.h"

namespace {

using namespace train;

constexpr int kDone = 0, kDiverged = 1, kUsage = 2, kFailed = 4, kNoFile = 5;
constexpr std::chrono::seconds kBetweenCheckpoints(2);
constexpr int kCheckpointShare = 9;  // a large one takes a tenth of the time at most

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int) {
  stop_requested = 1;
}

// The file's trouble, told apart from CUDA's.
struct FileTrouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int run(Settings settings, const Reporter& reporter, int& step) {
  Checkpoint state;
  if (!settings.resume.empty()) {
    try {
      state = load(settings.resume);
    } catch (const std::runtime_error& error) {
      throw FileTrouble(error.what());
    }
    check_same(settings, state.settings);
    if (settings.steps <= state.step) {
      throw std::invalid_argument(
          fmt::format("the checkpoint has {} steps already, and --steps {} asks for no more: it "
                      "counts all of them",
                      state.step, settings.steps));
    }
    settings.config = state.settings.config;
    settings.lr = state.settings.lr;
    settings.seed = state.settings.seed;
  } else {
    state.parameters = initial_parameters(settings.config, settings.seed);
  }
  state.settings = settings;
  step = state.step;
  open_objects(settings.objects);

  DeviceLayer layer(settings.config, make_task(settings.config, settings.seed), state.parameters);
  reporter.start(settings, state.step, state.losses);
  reporter.load("before", layer.load());

  const auto keep = [&] {
    if (settings.checkpoint.empty()) return;
    state.parameters = layer.parameters();
    try {
      save(settings.checkpoint, state);
    } catch (const std::runtime_error& error) {
      throw FileTrouble(error.what());
    }
    reporter.checkpoint(state.step);
  };
  using Clock = std::chrono::steady_clock;
  Clock::time_point kept = Clock::now();
  Clock::duration between = kBetweenCheckpoints;
  Pace pace(settings.report_every);
  while (state.step < settings.steps && stop_requested == 0) {
    const int count = std::min(pace.steps(), settings.steps - state.step);
    const Clock::time_point begin = Clock::now();
    const std::vector<float> losses = layer.train(count, settings.lr);
    if (count == pace.steps()) pace.took(Clock::now() - begin);
    reporter.losses(state.step, losses);
    // The last checkpoint stays: from here on all parameters may be NaN.
    if (!std::all_of(losses.begin(), losses.end(), [](float x) { return std::isfinite(x); })) {
      reporter.end("diverged", state.step + count);
      return kDiverged;
    }
    state.step += count;
    step = state.step;
    state.losses.insert(state.losses.end(), losses.begin(), losses.end());
    if (const Clock::time_point start = Clock::now(); start - kept >= between) {
      keep();
      kept = Clock::now();
      between = std::max<Clock::duration>(kBetweenCheckpoints, kCheckpointShare * (kept - start));
    }
  }
  keep();
  reporter.load("after", layer.load());
  reporter.end(stop_requested != 0 ? "interrupted" : "done", state.step);
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  const Reporter reporter;
  int step = 0;
  struct sigaction action {};
  action.sa_handler = request_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  try {
    return run(parse_settings(std::vector<std::string>(argv + 1, argv + argc)), reporter, step);
  } catch (const std::invalid_argument& error) {
    reporter.end("refused", step, error.what());
    return kUsage;
  } catch (const FileTrouble& error) {
    reporter.end("failed", step, error.what());
    return kNoFile;
  } catch (const std::exception& error) {
    reporter.end("failed", step, error.what());
    return kFailed;
  }
}
