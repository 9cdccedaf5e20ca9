#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <utility>

#include "sandbox/sandbox.h"
#include "system/clock.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using sandbox::Ending;

constexpr int kNoFile = 5;  // the trainer's exit code when a file cannot be read or written

std::atomic<bool> interrupted{false};

void on_interrupt(int) {
  interrupted = true;
}

// When a file was made, as it is shown.
std::string made(const fs::path& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return local_time(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
}

// The step and its losses.
class ProgressLine {
 public:
  // `prefix`: which run it is, where there are two. `print`: where no line can be rewritten, one is
  // printed every tenth of the way.
  ProgressLine(const char* prefix, bool print) : prefix_(prefix), print_(print) {}

  void show(const Training& training) {
    if (training.mse.empty() || training.steps == 0) return;
    const auto step = static_cast<int>(training.mse.size());
    const std::string text = fmt::format("{}step {} of {}  mse {:.4g}  aux {:.4g}", prefix_, step,
                                         training.steps, training.mse.back(), training.aux.back());
    if (!print_ || terminal::err().can().is_terminal) return status_.show(text);
    const int tenth = step * 10 / training.steps;
    if (tenth > told_) {
      told_ = tenth;
      terminal::out().line(text);
      terminal::out().flush();
    }
  }

 private:
  const char* prefix_;
  bool print_;
  terminal::StatusLine status_;
  int told_ = 0;
};

// A step that takes longer than the grace after Ctrl-C was cut short: what the checkpoint has
// counts.
void keep_to_checkpoint(Training& training, const sandbox::Outcome& outcome) {
  if (!training.status.empty() || outcome.ending != Ending::cancelled) return;
  if (training.kept_step < 1) return;
  training.status = "interrupted";
  for (auto* losses : {&training.mse, &training.aux}) {
    losses->resize(std::min(losses->size(), static_cast<std::size_t>(training.kept_step)));
  }
}

// Of a run that did not say so itself.
std::string why_it_ended(const sandbox::Outcome& outcome, std::uint64_t memory_limit) {
  switch (outcome.ending) {
    case Ending::signalled:
      return "it " + sandbox::signal_in_words(outcome.code);
    case Ending::memory:
      return fmt::format("it used more than {} GiB of memory", memory_limit >> 30);
    case Ending::forbidden:
      return "a kernel made a call that is refused: " + outcome.detail;
    case Ending::cancelled:
      return "it was interrupted before its first checkpoint";
    default:
      return outcome.output.empty() ? outcome.detail : outcome.output;
  }
}

}  // namespace

fs::path checkpoint_in(const fs::path& folder) {
  return folder / "checkpoint.moe";
}

Trainer::Trainer(const TrainOptions& options, const BuildTree& tree, fs::path folder)
    : options_(options),
      program_(tree.folder() / "bin" / "trainer"),
      backend_(tree.backend()),
      folder_(std::move(folder)) {
  interrupted = false;  // first: a Ctrl-C from here on counts
  interrupt_before_ = std::signal(SIGINT, on_interrupt);
}

Trainer::~Trainer() {
  std::signal(SIGINT, interrupt_before_);
}

TrainerRun Trainer::run(const std::vector<fs::path>& kernels, Checkpoint checkpoint) const {
  const bool keep = checkpoint == Checkpoint::kept;
  const fs::path kept = checkpoint_in(folder_);
  sandbox::Command command;
  command.program = program_;
  command.arguments = trainer_arguments(options_);
  const auto add = [&](const char* name, const fs::path& value) {
    command.arguments.insert(command.arguments.end(), {name, value.string()});
  };
  if (keep) add("--checkpoint", kept);
  if (keep && options_.resume) add("--resume", kept);
  for (const fs::path& object : kernels) add("--object", object);
  command.environment = own_environment();
  // Writing is for its own folder alone; Ctrl-C gives it time to keep its checkpoint. Processes
  // that talk to each other are what the filter refuses.
  command.confinement = backend_ == Backend::cpu && options_.gpus == 1
                            ? sandbox::Confinement::filtered
                            : sandbox::Confinement::process;
  command.folder = folder_;
  command.grace = std::chrono::seconds(10);
  command.limits.timeout = {};
  command.limits.memory = memory_limit();
  command.limits.file_size = std::uint64_t{2} << 30;
  command.cancelled = &interrupted;

  TrainerRun result;
  Training& training = result.training;
  ProgressLine line(keep ? "" : "the reference: ", keep && !options_.json);
  std::string going_on = keep && options_.resume && !options_.json ? made(kept) : std::string();
  command.on_verdict = [&](std::string_view message) {
    read_training_line(training, message);
    if (!going_on.empty() && training.first_step > 0) {
      terminal::out().line(fmt::format("Going on from the checkpoint of step {}, made {}.",
                                       training.first_step, std::exchange(going_on, {})));
      if (training.diverged > 0) {
        terminal::out().paragraph(fmt::format(
            "A run that went on from it diverged at step {}, at the same learning rate {:g}, which "
            "--resume keeps. With the same kernels this one will too: begin anew without --resume, "
            "with a smaller --lr.",
            training.diverged, training.lr));
      }
      terminal::out().flush();
    }
    line.show(training);
  };
  const sandbox::Outcome outcome = sandbox::run(command);

  keep_to_checkpoint(training, outcome);
  if (training.status.empty() || training.status == "failed") {
    if (training.message.empty()) training.message = why_it_ended(outcome, memory_limit());
    training.status = "failed";
    training.message = terminal::printable(training.message);
    result.file_trouble = outcome.ending == Ending::exited && outcome.code == kNoFile;
  }
  return result;
}

std::uint64_t Trainer::memory_limit() const {
  return (std::uint64_t{8} << 30) * static_cast<std::uint64_t>(options_.gpus);
}

}  // namespace grade
