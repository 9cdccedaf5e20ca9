// trainer: trains the layer that the given kernel objects make up, and reports as it goes: alone,
// as ranks of its own (--ranks N), or as one of those that a launcher started (--world env).
//
// Exit codes: 0 trained to the end or stopped on request with its checkpoint kept, 1 the loss is no
// number any more, 2 usage, 4 a CUDA call or a kernel failed, 5 a file could not be read or
// written.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "checkpoint.h"
#include "kernel_objects.h"
#include "pace.h"
#include "parallel/group.h"
#include "parallel/launch.h"
#include "parallel/share.h"
#include "parallel/world.h"
#include "parameters.h"
#include "rank_layer.h"
#include "ranks.h"
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

// What failed, and where the training stood. Numbers that grow without bounds end in NaN, which no
// lesson's kernel has to bear.
std::string failure_text(const std::string& what, const Checkpoint& state, int count) {
  std::string text =
      fmt::format("{} (in steps {} to {})", what, state.step + 1, state.step + count);
  if (state.losses.empty()) return text;
  const float first = state.losses.front();
  const float last = state.losses[state.losses.size() - 2];
  if (last > 1000 * first) {
    text +=
        fmt::format("; the loss had grown from {:g} to {:g}: a smaller --lr may do", first, last);
  }
  return text;
}

void mark_diverged(const std::string& path, int step) {
  try {
    Checkpoint kept = load(path);
    kept.diverged = step;
    save(path, kept);
  } catch (const std::runtime_error&) {
    // It is as good as before.
  }
}

int run(Settings settings, const parallel::Group& group, const Reporter& reporter, int& step) {
  if (settings.bench > 0) {
    open_objects(settings.objects);
    bench(settings, group, reporter);
    return kDone;
  }
  Checkpoint state;
  if (!settings.resume.empty()) {
    try {
      state = load(settings.resume);
    } catch (const std::runtime_error& error) {
      throw FileTrouble(error.what());
    }
    check_same(settings, state.settings);
    if (!is_finite(state.parameters)) {
      throw std::invalid_argument(
          fmt::format("the checkpoint of step {} holds parameters that are no numbers any more, so "
                      "nothing can go on from it: its learning rate {:g} was too large",
                      state.step, state.settings.lr));
    }
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

  const Task task = make_task(settings.config, settings.seed);
  const int ranks = group.size();
  if (ranks > 1) check_agreement(group, settings, state);
  const MoeConfig& config = settings.config;
  const ChosenLayer chosen = make_layer(
      settings, group, slice(task, config, parallel::share_of(config.T, ranks, group.rank())),
      slice(state.parameters, config, parallel::share_of(config.E, ranks, group.rank())));
  Layer& layer = *chosen.layer;
  reporter.start(settings, state.step, state.losses, ranks, chosen.exchange, state.diverged);
  reporter.load("before", layer.load());

  bool is_kept = !settings.resume.empty() && settings.resume == settings.checkpoint;
  // False: the parameters are no numbers any more, and an older checkpoint stays.
  const auto keep = [&] {
    if (settings.checkpoint.empty()) return true;
    Parameters parameters = layer.parameters();
    if (!is_finite(parameters)) return false;
    state.parameters = std::move(parameters);
    if (state.step >= state.diverged) state.diverged = 0;  // it has got past that
    is_kept = true;
    if (group.rank() != 0) return true;
    try {
      save(settings.checkpoint, state);
    } catch (const std::runtime_error& error) {
      throw FileTrouble(error.what());
    }
    reporter.checkpoint(state.step);
    return true;
  };
  // The run's last checkpoint stays, and is told for --resume, which would come here again.
  const auto diverged = [&](int at) {
    if (is_kept && group.rank() == 0) mark_diverged(settings.checkpoint, at);
    reporter.end("diverged", at);
    return kDiverged;
  };
  using Clock = std::chrono::steady_clock;
  Clock::time_point kept = Clock::now();
  Clock::duration between = kBetweenCheckpoints;
  Pace pace(settings.report_every);
  while (state.step < settings.steps) {
    const Clock::time_point now = Clock::now();
    const Plan plan = agree(group, {.steps = std::min(pace.steps(), settings.steps - state.step),
                                    .keep = now - kept >= between,
                                    .stop = stop_requested != 0});
    if (plan.stop) break;
    if (plan.keep) {
      if (!keep()) return diverged(state.step);
      kept = Clock::now();
      between = std::max<Clock::duration>(kBetweenCheckpoints, kCheckpointShare * (kept - now));
    }
    const int count = plan.steps;
    const Clock::time_point begin = Clock::now();
    std::vector<float> losses;
    try {
      losses = layer.train(count, settings.lr);
    } catch (const parallel::PeerGone&) {  // says so itself
      throw;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(failure_text(error.what(), state, count));
    }
    if (count == pace.steps()) pace.took(Clock::now() - begin);
    reporter.losses(state.step, losses);
    const auto bad = std::ranges::find_if_not(losses, [](float x) { return std::isfinite(x); });
    if (bad != losses.end()) {
      return diverged(state.step + static_cast<int>(bad - losses.begin()) / 2 + 1);
    }
    state.step += count;
    step = state.step;
    state.losses.insert(state.losses.end(), losses.begin(), losses.end());
  }
  if (!keep()) return diverged(state.step);
  reporter.load("after", layer.load());
  reporter.end(state.step < settings.steps ? "interrupted" : "done", state.step);
  return kDone;
}

// A rank's run, with whatever ends it put into words: as a report, and, where there are others, on
// standard error, which every launcher passes on.
int run_rank(const Settings& settings, const parallel::Group& group, const Reporter& first,
             bool report_failure) {
  const Reporter reporter = group.rank() == 0 ? first : Reporter::silent();
  int step = 0;
  const auto failed = [&](int code, const std::string& message) {
    if (group.size() > 1) fmt::print(stderr, "{}\n", message);
    if (report_failure) reporter.end(code == kUsage ? "refused" : "failed", step, message);
    return code;
  };
  try {
    return run(settings, group, reporter, step);
  } catch (const parallel::PeerGone& error) {
    if (!report_failure) return parallel::kPeerGone;
    return failed(kFailed, error.what());
  } catch (const std::invalid_argument& error) {
    return failed(kUsage, error.what());
  } catch (const FileTrouble& error) {
    return failed(kNoFile, error.what());
  } catch (const std::exception& error) {
    return failed(kFailed, error.what());
  }
}

// --ranks: what the first failure was is the report, whichever rank it befell.
int run_ranks(const Settings& settings, const Reporter& reporter) {
  const std::vector<parallel::Ended> ended = parallel::run_ranks(
      settings.ranks,
      [&](parallel::Group group) { return run_rank(settings, group, reporter, false); },
      [] { return stop_requested != 0; });
  const int rank = parallel::first_failure(ended);
  if (rank < 0) return kDone;
  const parallel::Ended& failure = ended[static_cast<std::size_t>(rank)];
  if (failure.signal == 0 && failure.code == kDiverged) return kDiverged;  // it has said so
  std::string message = failure.last;
  if (failure.signal != 0) {
    message = fmt::format("rank {} was ended by a signal: {}{}{}", rank, strsignal(failure.signal),
                          message.empty() ? "" : "; its last words: ", message);
  } else if (failure.code == parallel::kPeerGone) {
    message = fmt::format("rank {} lost the other ranks", rank);
  } else if (failure.code != kUsage) {
    message =
        fmt::format("rank {}: {}", rank,
                    message.empty() ? fmt::format("it ended with code {}", failure.code) : message);
  }
  const bool lost = failure.signal != 0 || failure.code == parallel::kPeerGone;
  const int code = lost ? kFailed : failure.code;
  reporter.end(code == kUsage ? "refused" : "failed", 0, message);
  return code;
}

int run(const Settings& settings, const Reporter& reporter) {
  if (settings.ranks > 1) return run_ranks(settings, reporter);
  return run_rank(
      settings,
      settings.world ? parallel::join(parallel::world_from(std::getenv)) : parallel::Group(),
      reporter, true);
}

}  // namespace

int main(int argc, char** argv) {
  const Reporter reporter;
  struct sigaction action {};
  action.sa_handler = request_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  try {
    return run(parse_settings(std::vector<std::string>(argv + 1, argv + argc)), reporter);
  } catch (const std::invalid_argument& error) {
    reporter.end("refused", 0, error.what());
    return kUsage;
  } catch (const std::exception& error) {
    reporter.end("failed", 0, error.what());
    return kFailed;
  }
}
