// `grade train`: trains the whole layer and shows what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "build/build_tree.h"
#include "build/fast_kernel.h"
#include "build/kernel_compiler.h"
#include "cli/command.h"
#include "course/course.h"
#include "machine/machine.h"
#include "progress/store.h"
#include "sandbox/sandbox.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/shell.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "train/chart.h"
#include "train/summary.h"
#include "train/svg.h"
#include "train/training.h"
#include "workspace/own_kernel.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

// Where a loss counts as trained: a tenth of where it began.
constexpr double kTrained = 0.1;
// What is trained where nobody says otherwise.
constexpr int kTokens = 256, kWidth = 8, kHidden = 16, kExperts = 8, kTop = 2;
constexpr double kLr = 0.3, kAlpha = 0.01;
constexpr int kNoFile = 5;  // the trainer's exit code when a file cannot be read or written

std::atomic<bool> interrupted{false};

void on_interrupt(int) {
  interrupted = true;
}

// Ctrl-C ends the run, not the tool: the trainer keeps its checkpoint first.
class InterruptsCaught {
 public:
  InterruptsCaught() {
    interrupted = false;  // first: a Ctrl-C from here on counts
    before_ = std::signal(SIGINT, on_interrupt);
  }
  ~InterruptsCaught() { std::signal(SIGINT, before_); }
  InterruptsCaught(const InterruptsCaught&) = delete;
  InterruptsCaught& operator=(const InterruptsCaught&) = delete;

 private:
  void (*before_)(int) = nullptr;
};

class TrainCommand final : public Command {
 public:
  const char* name() const override { return "train"; }
  const char* summary() const override {
    return "Train the whole layer, with the reference kernels, the fast ones or your own";
  }
  int order() const override { return 40; }

  void configure(Options& options) override {
    options.flag("--mine", mine_, "With your kernel of every lesson that you passed");
    options.flag("--fast", fast_, "With the workbook's fast kernels");
    options.option("--steps", steps_, "N", fmt::format("Steps in all ({})", steps_));
    options.option("--lr", lr_, "RATE", fmt::format("Learning rate ({:g})", kLr));
    options.option("--alpha", alpha_, "A",
                   fmt::format("Weight of the load-balancing loss ({:g})", kAlpha));
    options.option("--seed", seed_, "N", "Of the data and the first parameters (1)");
    options.option("--tokens", tokens_, "T", fmt::format("Tokens ({})", kTokens));
    options.option("--width", width_, "D", fmt::format("Width of a token ({})", kWidth));
    options.option("--hidden", hidden_, "H",
                   fmt::format("Hidden width of an expert ({})", kHidden));
    options.option("--experts", experts_, "E", fmt::format("Experts ({})", kExperts));
    options.option("--top", top_, "K", fmt::format("Experts of a token ({})", kTop));
    options.choice("--activation", activation_, {"relu", "gelu"}, "relu (default) or gelu");
    options.choice("--backend", backend_, {"cpu", "cuda"}, "cpu (default) or cuda");
    options.option("--gpus", gpus_, "N", "As N processes, each with a GPU and its own experts (1)");
    options.choice("--exchange", exchange_, {"nccl", "sockets"},
                   "How they exchange rows: nccl (default where it is), or sockets, by which they "
                   "may also share a GPU");
    options.option("--out", out_, "DIR", "Where checkpoint and picture go (training)");
    options.flag("--resume", resume_, "Go on from the checkpoint in that folder");
    options.flag("--no-compare", no_compare_, "With --mine: without the reference's curve");
    options.flag("--json", json_, "Print one JSON object and nothing else");
    options.footer(
        "On the CPU the kernels run without checks here. The data are made up: four regions of "
        "unequal size, each with its own affine target.\n\n"
        "A checkpoint is written about every two seconds and at the end. --resume takes the sizes, "
        "rates and seed from it; --steps includes the steps already done. A run may go on with "
        "another number of --gpus; on the CPU these are processes that share it. More hosts: "
        "docs/parallel.md.\n\n"
        "In the object of --json, kernels is reference, fast or mine: which kernels trained.");
  }

  Exit run(Context& context) override {
    if (mine_ && fast_) {
      throw Error(Exit::usage, "--mine and --fast exclude each other",
                  "--mine trains with your kernels, --fast with the workbook's.");
    }
    if (no_compare_ && !mine_) {
      throw Error(Exit::usage, "--no-compare goes with --mine",
                  "Without --mine there is no other curve to compare with.");
    }
    check_options();
    const Backend backend = backend_ == "cuda" ? Backend::cuda : Backend::cpu;
    if (backend == Backend::cuda) require_gpus();
    check_lessons(context);
    BuildTree tree(context.paths(), backend);
    if (fast_) check_gpu(context, backend);
    std::vector<std::string> targets{"trainer", "train_kernels"};
    for (const Lesson* lesson : fast_lessons(context, backend)) {
      targets.push_back((backend == Backend::cuda ? "fast_" : "train_fast_") + lesson->directory());
    }
    tree.ensure(targets);
    if (backend == Backend::cuda) BuildTree(context.paths(), Backend::cpu).ensure({"simt-cc"});

    folder_ = fs::absolute(out_.empty() ? context.paths().root / "training" : fs::path(out_));
    make_folder();
    if (resume_ && !fs::exists(checkpoint())) {
      throw Error(Exit::usage,
                  fmt::format("there is no checkpoint {} to resume", checkpoint().string()),
                  "Without --resume a training begins anew.");
    }
    const std::vector<fs::path> references = reference_objects(context.course(), tree);
    std::vector<fs::path> chosen = references;
    std::size_t own = 0;
    if (mine_) {
      own = take_own(context, tree, chosen);
      if (!json_) introduce(own, references.size());
    }
    for (const Lesson* lesson : fast_lessons(context, backend)) {
      chosen[static_cast<std::size_t>(lesson - context.course().lessons.data())] =
          fast_object(tree, *lesson);
    }

    const InterruptsCaught caught;
    Training training;
    const sandbox::Outcome outcome = train(tree, chosen, true, training);
    if (training.status == "refused") {
      if (!resume_) throw Error(Exit::usage, training.message);
      throw Error(Exit::usage, training.message,
                  "--resume goes on with what the checkpoint has; without it a training begins "
                  "anew, and --out names another folder for it.");
    }
    keep_to_checkpoint(training, outcome);
    if (training.status.empty() || training.status == "failed") return failed(training, outcome);

    Training reference;
    const bool compare =
        own > 0 && !no_compare_ && training.status == "done" && training.first_step == 0;
    if (compare) train(tree, references, false, reference);
    const bool both = compare && reference.status == "done";
    const Exit exit = conclude(training, both ? &reference : nullptr);
    if (own == references.size() && training.status == "done" && trained(training))
      complete(context, training);
    return exit;
  }

 private:
  void check_options() const {
    const auto whole = [](const char* name, int value, int least, int most) {
      if (value >= least && value <= most) return;
      throw Error(Exit::usage, fmt::format("{} takes {} to {}, not {}", name, least, most, value));
    };
    const int tokens = tokens_.value_or(kTokens), width = width_.value_or(kWidth),
              hidden = hidden_.value_or(kHidden), top = top_.value_or(kTop);
    // Without a word of the experts, a checkpoint has its own number of them.
    const int experts = experts_.value_or(resume_ ? 1024 : kExperts);
    whole("--steps", steps_, 1, 10'000'000);
    whole("--gpus", gpus_, 1, 64);
    whole("--tokens", tokens, 1, 1 << 20);
    whole("--width", width, 1, 1 << 14);
    whole("--hidden", hidden, 1, 1 << 16);
    whole("--experts", experts, 1, 1024);
    if (top_ || !resume_) whole("--top", top, 1, std::min(experts, 16));
    if (const double lr = lr_.value_or(kLr); !(lr > 0) || !std::isfinite(lr)) {
      throw Error(Exit::usage, fmt::format("--lr takes a number above 0, not {}", lr));
    }
    if (const double alpha = alpha_.value_or(kAlpha); !(alpha >= 0) || !std::isfinite(alpha)) {
      throw Error(Exit::usage, fmt::format("--alpha takes 0 or more, not {}", alpha));
    }
    if (resume_) return;  // the checkpoint's sizes are the ones that count
    const std::uint64_t largest =
        std::max({std::uint64_t(tokens) * unsigned(top) * unsigned(std::max(width, hidden)),
                  std::uint64_t(experts) * unsigned(width) * unsigned(hidden),
                  std::uint64_t(tokens) * unsigned(experts)});
    if (largest > (std::uint64_t{1} << 31) - 4096) {
      throw Error(Exit::usage, "these sizes make an array of more than 2^31 - 4096 elements",
                  "Every array of the layer must stay below that.");
    }
  }

  void require_gpus() const {
    require_gpu();
    const int there = find_gpu()->count;
    if (gpus_ <= there || exchange_ == "sockets") return;
    throw Error(
        Exit::unavailable, fmt::format("--gpus {}, and this machine has {}", gpus_, there),
        "--exchange sockets lets processes share a GPU, which shows that it works and is slow.");
  }

  static void check_lessons(Context& context) {
    const Course& course = context.course();
    for (int number = 1; number <= course.lesson_count(); ++number) {
      if (course.by_number(number) != nullptr) continue;
      throw Error(Exit::unavailable,
                  fmt::format("training takes all {} lessons, and lesson {} is not in this copy",
                              course.lesson_count(), number),
                  "An update may bring it.");
    }
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

  fs::path checkpoint() const { return folder_ / "checkpoint.moe"; }

  static fs::path reference_object(const BuildTree& tree, const Lesson& lesson) {
    return tree.backend() == Backend::cpu
               ? tree.folder() / "kernels" / "train" / (lesson.directory() + ".so")
               : tree.reference(lesson.directory());
  }

  // The fifty-two, callees first.
  static std::vector<fs::path> reference_objects(const Course& course, const BuildTree& tree) {
    std::vector<fs::path> objects;
    for (const Lesson& lesson : course.lessons) objects.push_back(reference_object(tree, lesson));
    return objects;
  }

  static fs::path fast_object(const BuildTree& tree, const Lesson& lesson) {
    if (tree.backend() == Backend::cuda) return tree.fast(lesson.directory());
    return tree.folder() / "kernels" / "train" / ("fast_" + lesson.directory() + ".so");
  }

  // With one process the last lesson's, which has the whole step in it; the references are there
  // for what is asked before and after. Several processes call lesson by lesson, as rows travel
  // between.
  std::vector<const Lesson*> fast_lessons(Context& context, Backend backend) const {
    std::vector<const Lesson*> lessons;
    if (!fast_) return lessons;
    const Course& course = context.course();
    if (gpus_ == 1) return {&course.lessons.back()};
    for (const Lesson& lesson : course.lessons) {
      const FastKernel kernel = fast_kernel(context.paths(), lesson.directory());
      if (kernel.exists && (backend == Backend::cuda || kernel.needs_gpu.empty())) {
        lessons.push_back(&lesson);
      }
    }
    return lessons;
  }

  // Of fast kernels that take a newer GPU than this one. On the CPU, where they cannot run, their
  // references take their places.
  void check_gpu(Context& context, Backend backend) const {
    if (backend == Backend::cpu) return;
    const std::optional<Gpu> gpu = find_gpu();
    const std::string last = context.course().lessons.back().directory();
    std::vector<std::string> lessons = fast_parts(context.paths(), last, backend);
    for (const Lesson* each : fast_lessons(context, backend)) lessons.push_back(each->directory());
    for (const std::string& lesson : lessons) {
      const std::string needed = fast_kernel(context.paths(), lesson).needs_gpu;
      if (needed.empty() || !gpu || gpu->major + gpu->minor / 10.0 >= std::stod(needed)) continue;
      throw Error(
          Exit::unavailable,
          fmt::format("the fast kernel of {} needs a GPU of compute capability {}, and this "
                      "one has {}.{}",
                      lesson, needed, gpu->major, gpu->minor),
          "Without --fast the reference kernels train here.");
    }
  }

  // Puts the learner's own kernels in the references' places, where the file is the one that
  // passed. Returns how many.
  static std::size_t take_own(Context& context, const BuildTree& tree,
                              std::vector<fs::path>& objects) {
    const Course& course = context.course();
    const Progress progress = context.progress().read();
    const KernelCompiler compiler(context.paths(), tree);
    terminal::StatusLine status;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Lesson& lesson = course.lessons[i];
      status.show("your kernels", i + 1, objects.size());
      if (own_kernel(progress, lesson) != OwnKernel::passed) continue;
      KernelSource source{lesson.kernel(), lesson.directory(), {}, KernelSource::Purpose::training};
      for (const std::string& call : lesson.calls) {
        source.may_call.push_back(reference_object(tree, course.find(call)));
      }
      const CompiledKernel kernel = compiler.compile(source);
      if (kernel.outcome != CompiledKernel::Outcome::compiled) continue;
      if (kernel.source_hash != passed_hash(progress, lesson)) continue;  // saved since
      objects[i] = kernel.object;
      ++taken;
    }
    return taken;
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

  sandbox::Outcome train(const BuildTree& tree, const std::vector<fs::path>& kernels, bool keep,
                         Training& training) const {
    sandbox::Command command;
    command.program = tree.folder() / "bin" / "trainer";
    const auto option = [&](const char* name, const std::string& value) {
      command.arguments.insert(command.arguments.end(), {name, value});
    };
    // Those that were not given are the checkpoint's, with --resume.
    const auto setting = [&](const char* name, const auto& given, const auto& otherwise) {
      if (given) {
        option(name, fmt::format("{}", *given));
      } else if (!resume_) {
        option(name, fmt::format("{}", otherwise));
      }
    };
    setting("--tokens", tokens_, kTokens);
    setting("--width", width_, kWidth);
    setting("--hidden", hidden_, kHidden);
    setting("--experts", experts_, kExperts);
    setting("--top", top_, kTop);
    setting("--activation",
            activation_.empty() ? std::optional<std::string>() : std::optional(activation_),
            "relu");
    setting("--alpha", alpha_, kAlpha);
    setting("--lr", lr_, kLr);
    setting("--seed", seed_, std::uint64_t{1});
    option("--steps", std::to_string(steps_));
    option("--report-every", std::to_string(std::clamp(steps_ / 100, 1, 100)));
    if (keep) option("--checkpoint", checkpoint().string());
    if (keep && resume_) option("--resume", checkpoint().string());
    for (const fs::path& object : kernels) option("--object", object.string());
    if (gpus_ > 1) option("--ranks", std::to_string(gpus_));
    if (!exchange_.empty()) option("--exchange", exchange_);
    command.environment = own_environment();
    // Writing is for its own folder alone; Ctrl-C gives it time to keep its checkpoint. Processes
    // that talk to each other are what the filter refuses.
    command.confinement = tree.backend() == Backend::cpu && gpus_ == 1
                              ? sandbox::Confinement::filtered
                              : sandbox::Confinement::process;
    command.folder = folder_;
    command.grace = std::chrono::seconds(10);
    command.limits.timeout = {};
    command.limits.memory = memory_limit();
    command.limits.file_size = std::uint64_t{2} << 30;
    command.cancelled = &interrupted;

    terminal::StatusLine status;
    int told = 0;
    std::string going_on = keep && resume_ && !json_ ? made(checkpoint()) : std::string();
    command.on_verdict = [&](std::string_view line) {
      read_training_line(training, line);
      if (!going_on.empty() && training.first_step > 0) {
        terminal::out().line(fmt::format("Going on from the checkpoint of step {}, made {}.",
                                         training.first_step, std::exchange(going_on, {})));
        terminal::out().flush();
      }
      if (training.mse.empty() || training.steps == 0) return;
      const auto step = static_cast<int>(training.mse.size());
      const std::string text = fmt::format("{}step {} of {}  mse {:.4g}  aux {:.4g}",
                                           keep ? "" : "the reference: ", step, training.steps,
                                           training.mse.back(), training.aux.back());
      if (!keep || json_ || terminal::err().can().is_terminal) return status.show(text);
      // Where no line can be rewritten, one is printed every tenth of the way.
      const int tenth = step * 10 / training.steps;
      if (tenth > told) {
        told = tenth;
        terminal::out().line(text);
        terminal::out().flush();
      }
    };
    return sandbox::run(command);
  }

  // When, as it is shown.
  static std::string made(const fs::path& file) {
    const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
    return local_time(std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
  }

  // A step that takes longer than the grace after Ctrl-C was cut short: what the checkpoint has
  // counts.
  static void keep_to_checkpoint(Training& training, const sandbox::Outcome& outcome) {
    if (!training.status.empty() || outcome.ending != sandbox::Ending::cancelled) return;
    if (training.kept_step < 1) return;
    training.status = "interrupted";
    for (auto* losses : {&training.mse, &training.aux}) {
      losses->resize(std::min(losses->size(), static_cast<std::size_t>(training.kept_step)));
    }
  }

  std::uint64_t memory_limit() const {
    return (std::uint64_t{8} << 30) * static_cast<std::uint64_t>(gpus_);
  }

  // The command that goes on with this run.
  std::string resuming() const {
    std::string text = fmt::format("{} train --resume --steps {}", terminal::command(), steps_);
    if (mine_) text += " --mine";
    if (fast_) text += " --fast";
    if (backend_ != "cpu") text += " --backend " + backend_;
    if (gpus_ > 1) text += fmt::format(" --gpus {}", gpus_);
    if (!exchange_.empty()) text += " --exchange " + exchange_;
    if (!out_.empty())
      text += " --out " + terminal::shell_quoted((out_[0] == '-' ? "./" : "") + out_);
    return text;
  }

  Exit failed(Training& training, const sandbox::Outcome& outcome) const {
    terminal::Terminal& out = terminal::out();
    std::string why = training.message;
    if (why.empty()) {
      using sandbox::Ending;
      why = outcome.ending == Ending::signalled ? "it " + sandbox::signal_in_words(outcome.code)
            : outcome.ending == Ending::memory
                ? fmt::format("it used more than {} GiB of memory", memory_limit() >> 30)
            : outcome.ending == Ending::forbidden
                ? "a kernel made a call that is refused: " + outcome.detail
            : outcome.ending == Ending::cancelled ? "it was interrupted before its first checkpoint"
            : outcome.output.empty()              ? outcome.detail
                                                  : terminal::printable(outcome.output);
    }
    const Exit exit = outcome.ending == sandbox::Ending::exited && outcome.code == kNoFile
                          ? Exit::unavailable
                          : Exit::crashed;
    if (json_) {
      training.status = "failed";
      training.message = terminal::printable(why);
      out.line(json_of(training, kernels()).dump());
      return exit;
    }
    out.paragraph(out.style(Style::bad, out.symbol(Symbol::failed)) +
                      " The training ended: " + terminal::printable(why),
                  2);
    if (training.kept_step >= 0) {
      out.paragraph(fmt::format("The checkpoint of step {} is kept. To go on from there:",
                                training.kept_step));
      out.line("  " + resuming());
    }
    return exit;
  }

  Exit conclude(const Training& training, const Training* reference) const {
    terminal::Terminal& out = terminal::out();
    if (json_) {
      nlohmann::json object = json_of(training, kernels());
      if (reference != nullptr) object["reference"] = json_of(*reference, "reference");
      out.line(object.dump());
      draw(training, reference);
      return training.status == "diverged" ? Exit::failed : Exit::passed;
    }
    const int columns = std::min(out.columns(), 100);
    out.line(out.style(Style::bold, heading(training)));
    out.line();
    for (const std::string& line : loss_chart(training, reference, columns, out)) out.line(line);
    if (reference != nullptr) compare(training, *reference, out);
    out.line();
    if (!training.load_after.empty()) {
      for (const std::string& line : load_chart(training, columns, out)) out.line(line);
      out.line();
    }
    if (const std::string why = draw(training, reference); why.empty()) {
      out.line("picture: " + out.path(picture().string(), fs::current_path().string()));
    } else {
      out.paragraph("The picture could not be written: " + terminal::printable(why));
    }
    if (training.status == "diverged") {
      out.paragraph(
          out.style(Style::bad, out.symbol(Symbol::failed)) +
              fmt::format(" The loss is no number any more, at step {}: the learning rate "
                          "{:g} is too large here. A smaller --lr, say {:g}, may do.",
                          training.mse.size(), training.lr, std::min(training.lr / 3, 0.1)),
          2);
      if (training.kept_step >= 0) {
        out.line(fmt::format("The checkpoint of step {} is kept.", training.kept_step));
      }
      return Exit::failed;
    }
    if (training.status == "interrupted") {
      out.paragraph(
          fmt::format("Interrupted at step {}. To go on from there:", training.mse.size()));
      out.line("  " + resuming());
      return Exit::passed;
    }
    const double first = training.mse.front();
    const double last = training.mse.back();
    const bool good = trained(training);
    out.paragraph(fmt::format("{} The task's loss went from {:.4g} to {:.4g}{}.",
                              out.style(good ? Style::good : Style::warning,
                                        out.symbol(good ? Symbol::passed : Symbol::warning)),
                              first, last, good ? "" : ", not to a tenth of where it began"));
    return Exit::passed;
  }

  fs::path picture() const { return folder_ / "training.svg"; }

  // Writes the picture. Returns why it could not.
  std::string draw(const Training& training, const Training* reference) const {
    try {
      write_file_atomically(picture(), training_svg(training, reference, heading(training)));
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }

  const char* kernels() const { return mine_ ? "mine" : fast_ ? "fast" : "reference"; }

  static nlohmann::json json_of(const Training& training, const char* kernels) {
    return {{"status", training.status},
            {"message", training.message},
            {"kernels", kernels},
            {"tokens", training.tokens},
            {"width", training.width},
            {"hidden", training.hidden},
            {"experts", training.experts},
            {"top", training.top},
            {"activation", training.activation},
            {"alpha", training.alpha},
            {"lr", training.lr},
            {"seed", training.seed},
            {"steps", training.steps},
            {"first_step", training.first_step},
            {"ranks", training.ranks},
            {"exchange", training.exchange},
            {"mse", training.mse},
            {"aux", training.aux},
            {"load_before", training.load_before},
            {"load_after", training.load_after}};
  }

  static bool trained(const Training& training) {
    return !training.mse.empty() && training.mse.back() < kTrained * training.mse.front();
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
    if (json_) return;
    out.line();
    out.paragraph(out.style(Style::good, out.symbol(Symbol::passed)) +
                      fmt::format(" The course is complete: {} of {} XP, and a layer of your own "
                                  "that trains. To show it: {}",
                                  xp(course, progress), course.total_xp(),
                                  terminal::printable(summary.string())),
                  2);
  }

  std::string heading(const Training& training) const {
    std::string text =
        fmt::format("{} experts, {} a token, {} tokens, alpha {:g}, rate {:g}, {}",
                    training.experts, training.top, training.tokens, training.alpha, training.lr,
                    mine_ ? "your kernels" : fmt::format("the {} kernels", kernels()));
    if (training.ranks == 1) return text;
    return text + fmt::format(", {} processes by {}", training.ranks,
                              training.exchange == "nccl" ? "NCCL" : training.exchange);
  }

  static void compare(const Training& own, const Training& reference, terminal::Terminal& out) {
    double most = 0;
    const std::size_t steps = std::min(own.mse.size(), reference.mse.size());
    for (std::size_t i = 0; i < steps; ++i) {
      const double scale = std::max(std::abs(reference.mse[i]), 1e-30);
      most = std::max(most, std::abs(own.mse[i] - reference.mse[i]) / scale);
    }
    out.paragraph(fmt::format(
        "The dots in the background are the reference's curve. It ends at {:.4g}, yours at {:.4g}; "
        "the two are never further apart than {:.2g} % (sums in another order round otherwise, and "
        "a choice between experts may tip).",
        reference.mse.back(), own.mse.back(), 100 * most));
  }

  bool mine_ = false;
  bool fast_ = false;
  bool resume_ = false;
  bool no_compare_ = false;
  bool json_ = false;
  int steps_ = 300;
  // Not given: the defaults, or with --resume what the checkpoint has.
  std::optional<int> tokens_, width_, hidden_, experts_, top_;
  std::optional<double> lr_, alpha_;
  std::optional<std::uint64_t> seed_;
  std::string activation_;
  std::string backend_ = "cpu";
  int gpus_ = 1;
  std::string exchange_;
  std::string out_;
  fs::path folder_;
};

const Registration<TrainCommand> train_command;

}  // namespace
}  // namespace grade
