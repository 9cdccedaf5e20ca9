// `grade train`: trains the whole layer and shows what came of it.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "cli/command.h"
#include "course/course.h"
#include "machine/machine.h"
#include "progress/store.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "train/conclusion.h"
#include "train/kernels.h"
#include "train/options.h"
#include "train/summary.h"
#include "train/trainer.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

class TrainCommand final : public Command {
 public:
  const char* name() const override { return "train"; }
  const char* summary() const override {
    return "Train the whole layer, with the reference kernels, the fast ones or your own";
  }
  int order() const override { return 40; }

  void configure(Options& options) override {
    options.flag("--mine", options_.mine, "With your kernel of every lesson that you passed");
    options.flag("--fast", options_.fast, "With the workbook's fast kernels");
    options.option("--steps", options_.steps, "N",
                   fmt::format("Steps in all ({})", options_.steps));
    options.option("--lr", options_.lr, "RATE",
                   fmt::format("Learning rate ({:g})", TrainOptions::kLr));
    options.option("--alpha", options_.alpha, "A",
                   fmt::format("Weight of the load-balancing loss ({:g})", TrainOptions::kAlpha));
    options.option("--seed", options_.seed, "N",
                   fmt::format("Of the data and the first parameters ({})", TrainOptions::kSeed));
    options.option("--tokens", options_.tokens, "T",
                   fmt::format("Tokens ({})", TrainOptions::kTokens));
    options.option("--width", options_.width, "D",
                   fmt::format("Width of a token ({})", TrainOptions::kWidth));
    options.option("--hidden", options_.hidden, "H",
                   fmt::format("Hidden width of an expert ({})", TrainOptions::kHidden));
    options.option("--experts", options_.experts, "E",
                   fmt::format("Experts ({})", TrainOptions::kExperts));
    options.option("--top", options_.top, "K",
                   fmt::format("Experts of a token ({})", TrainOptions::kTop));
    options.choice("--activation", options_.activation, {"relu", "gelu"}, "relu (default) or gelu");
    options.choice("--backend", options_.backend, {"cpu", "cuda"}, "cpu (default) or cuda");
    options.option("--gpus", options_.gpus, "N",
                   "As N processes, each with a GPU and its own experts (1)");
    options.choice("--exchange", options_.exchange, {"nccl", "sockets"},
                   "How they exchange rows: nccl (default where it is), or sockets, by which they "
                   "may also share a GPU");
    options.option("--out", options_.out, "DIR", "Where checkpoint and picture go (training)");
    options.flag("--resume", options_.resume, "Go on from the checkpoint in that folder");
    options.flag("--no-compare", options_.no_compare, "With --mine: without the reference's curve");
    options.flag("--json", options_.json, "Print one JSON object and nothing else");
    options.footer(
        "On the CPU the kernels run without checks here. The data are made up: four regions of "
        "unequal size, each with its own affine target.\n\n"
        "A checkpoint is written about every two seconds and at the end, unless the numbers have "
        "grown past all bounds. --resume takes the sizes, rates and seed from it, and says so if "
        "a run that went on from it diverged; --steps includes the steps already done. A run may "
        "go on with another number of --gpus; on the CPU these are processes that share it. More "
        "hosts: docs/parallel.md.\n\n"
        "In the object of --json, kernels is reference, fast or mine: which kernels trained.");
  }

  Exit run(Context& context) override {
    check_options(options_);
    const Paths& paths = context.paths();
    const Backend backend = options_.backend == "cuda" ? Backend::cuda : Backend::cpu;
    if (backend == Backend::cuda) require_gpus();
    const Course& course = context.course();
    require_every_lesson(course);
    BuildTree tree(paths, backend);
    std::vector<const Lesson*> fast;
    if (options_.fast) fast = fast_lessons(paths, course, backend, options_.gpus);
    if (options_.fast && backend == Backend::cuda) require_gpu_for_fast(paths, course, fast);
    tree.ensure(training_targets(backend, fast));
    if (backend == Backend::cuda) BuildTree(paths, Backend::cpu).ensure({"simt-cc"});

    folder_ = fs::absolute(options_.out.empty() ? paths.root / "training" : fs::path(options_.out));
    make_folder();
    if (const fs::path file = checkpoint_in(folder_); options_.resume && !fs::exists(file)) {
      throw Error(Exit::usage, fmt::format("there is no checkpoint {} to resume", file.string()),
                  "Without --resume a training begins anew.");
    }
    const std::vector<fs::path> references = reference_objects(course, tree);
    std::vector<fs::path> chosen = references;
    std::size_t own = 0;
    if (options_.mine) {
      own = take_own(paths, course, context.progress().read(), tree, chosen);
      if (!options_.json) introduce(own, references.size());
    }
    take_fast(course, tree, fast, chosen);

    const Trainer trainer(options_, tree, folder_);
    const TrainerRun run = trainer.run(chosen, Trainer::Checkpoint::kept);
    const Training& training = run.training;
    if (training.status == "refused") {
      if (!options_.resume) throw Error(Exit::usage, training.message);
      throw Error(Exit::usage, training.message,
                  "--resume goes on with what the checkpoint has; without it a training begins "
                  "anew, and --out names another folder for it.");
    }
    if (training.status == "failed") return conclude_failed(options_, run);

    Training reference;
    const bool whole = training.status == "done" && training.first_step == 0;
    if (own > 0 && whole && !options_.no_compare) {
      reference = trainer.run(references, Trainer::Checkpoint::none).training;
    }
    const bool both = reference.status == "done";
    const Exit exit = conclude(options_, training, both ? &reference : nullptr, folder_);
    if (own == references.size() && training.status == "done" && trained(training))
      complete(context, training);
    return exit;
  }

 private:
  void require_gpus() const {
    require_gpu();
    const int there = find_gpu()->count;
    if (options_.gpus <= there || options_.exchange == "sockets") return;
    throw Error(
        Exit::unavailable, fmt::format("--gpus {}, and this machine has {}", options_.gpus, there),
        "--exchange sockets lets processes share a GPU, which shows that it works and is slow.");
  }

  void make_folder() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      throw Error(Exit::unavailable,
                  fmt::format("cannot make the folder {}: {}", folder_.string(), error.message()),
                  "--out names another one.");
    }
  }

  static void introduce(std::size_t own, std::size_t all) {
    terminal::Terminal& out = terminal::out();
    if (own == all) {
      out.line(fmt::format("All {} kernels are yours.", all));
    } else {
      out.paragraph(fmt::format(
          "{} of {} kernels are yours; the reference stands in for lessons that have not passed or "
          "have changed since.",
          own, all));
    }
  }

  // All fifty-two kernels are the learner's, and the layer that they make learns.
  void complete(Context& context, const Training& training) const {
    terminal::Terminal& out = terminal::out();
    const Course& course = context.course();
    const Progress progress = context.progress().update([&](Progress& each) {
      each.set_completion(static_cast<int>(training.mse.size()), training.mse.front(),
                          training.mse.back());
    });
    const fs::path summary = folder_ / "summary.md";
    write_file_atomically(summary, completion_summary(course, progress, training));
    if (options_.json) return;
    out.line();
    out.paragraph(out.style(Style::good, out.symbol(Symbol::passed)) +
                      fmt::format(" The course is complete: {} of {} XP, and a layer of your own "
                                  "that trains. To show it: {}",
                                  xp(course, progress), course.total_xp(),
                                  terminal::printable(summary.string())),
                  2);
  }

  TrainOptions options_;
  fs::path folder_;
};

const Registration<TrainCommand> train_command;

}  // namespace
}  // namespace grade
