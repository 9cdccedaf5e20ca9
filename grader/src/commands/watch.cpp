// `grade watch [LESSON]`: grades on each save, with a key for whatever comes next.
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "cli/command.h"
#include "cli/time_limit.h"
#include "commands/graded_run.h"
#include "commands/lesson_view.h"
#include "commands/replay.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/last_run.h"
#include "run/report.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "watch/file_watch.h"
#include "watch/grading_thread.h"
#include "watch/keyboard.h"
#include "watch/lent_terminal.h"
#include "watch/prompt.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

constexpr double kSeconds = 20;  // that a grader may run

struct WatchOptions {
  BackendChoice choice = BackendChoice::automatic;
  std::string backend;        // as given
  double seconds = kSeconds;  // as given
  std::chrono::milliseconds timeout{};
};

class Session {
 public:
  Session(Context& context, WatchOptions options)
      : context_(context),
        options_(std::move(options)),
        course_(context.course()),
        grading_(context.paths(), course_, &Keyboard::wake),
        prompt_(keyboard_.is_terminal()) {}

  // Returns the signal that ended it, or 0.
  int run(const Lesson& first) {
    open(first);
    while (!over_) {
      draw();
      wait();
      take_signals();
      if (over_) break;
      if (keys_ready_) {
        for (const char key : keyboard_.keys()) press(key);
      }
      notice_saves();
      if (const auto graded = grading_.take()) present(*graded);
      if (std::ferror(stdout) != 0) over_ = true;  // nobody reads any more
    }
    grading_.stop();
    prompt_.hide();
    return ended_by_;
  }

 private:
  // ---- The loop ----

  void wait() {
    std::array<pollfd, 3> watched{{{keyboard_.signals_descriptor(), POLLIN, 0},
                                   {keyboard_.keys_descriptor(), POLLIN, 0},
                                   {files_.descriptor(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), static_cast<int>(files_.pause().count()));
    keys_ready_ = watched[1].revents != 0;
  }

  void take_signals() {
    const Keyboard::Signals seen = keyboard_.signals();
    if (seen.end != 0) {
      ended_by_ = seen.end;
      over_ = true;
    } else if (seen.stop) {
      prompt_.hide();
      keyboard_.stop();
      terminal::refresh();
    } else if (seen.resized) {
      terminal::refresh();
      prompt_.resized();
    }
  }

  void draw() {
    std::string status = fmt::format("{:03} ", lesson_->number);
    if (reset_asked_) return prompt_.ask(status + "replace it by the stub? y n");
    if (grading_.busy()) {
      prompt_.show(status + grading_.step(), false);
    } else {
      prompt_.show(status + standing_, true);
    }
  }

  // ---- Grading ----

  void open(const Lesson& lesson) {
    lesson_ = &lesson;
    sources_.clear();
    skip_asked_ = false;
    reset_asked_ = false;
    prompt_.hide();
    terminal::Terminal& out = terminal::out();
    const fs::path kernel = context_.workspace().kernel(lesson);  // made from the stub if need be
    out.line();
    out.paragraph(lesson_title(lesson, out), 5);
    out.paragraph("Edit " + context_.paths().shown(kernel) + ": each save is graded.", 2);
    watch_files();
    begin(false);
  }

  // The kernel, what it includes, and the headers that every kernel may include.
  void watch_files() {
    std::vector<fs::path> files{lesson_->kernel()};
    files.insert(files.end(), sources_.begin(), sources_.end());
    for (const fs::path& folder : {context_.paths().root / "common" / "moe" / "include",
                                   context_.paths().root / "common" / "simt" / "include"}) {
      std::error_code ignored;
      for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        if (entry.is_regular_file(ignored)) files.push_back(entry.path());
      }
    }
    files_.watch(files);
  }

  void begin(bool fresh) {
    GradingThread::Order order;
    order.lesson = lesson_;
    order.choice = options_.choice;
    order.fresh = fresh;
    order.timeout = options_.timeout;
    grading_.start(order);
  }

  void notice_saves() {
    const std::vector<fs::path> saved = files_.look();
    if (saved.empty()) return;
    const bool kernel_alone = saved.size() == 1 && saved.front() == lesson_->kernel();
    if (kernel_alone) {
      std::error_code ignored;
      if (!fs::exists(lesson_->kernel(), ignored)) {
        grading_.stop();
        standing_ = "file is gone";
        say(fmt::format("{} {} is gone: waiting for it; x makes it anew from the stub.",
                        terminal::out().symbol(Symbol::warning),
                        context_.paths().shown(lesson_->kernel())));
        return;
      }
      // Not read yet, or read as it is now: what goes on grades this save.
      const std::string taken = grading_.taken_up();
      if (grading_.busy() && taken.empty()) return;
      if (!taken.empty() && taken == hash_now()) return;
    }
    begin(false);
  }

  // Of the kernel; empty where it cannot be read, which its grading says.
  std::string hash_now() const {
    try {
      return content_hash(read_file(lesson_->kernel()));
    } catch (const Error&) {
      return {};
    }
  }

  void present(const GradedKernel& graded) {
    prompt_.hide();
    terminal::Terminal& out = terminal::out();
    headline(out);
    if (graded.error) {
      standing_ = "not graded";
      out.paragraph(
          out.style(Style::bad, "error:") + " " + terminal::printable(graded.error->what()), 2);
      out.paragraph(terminal::printable(graded.error->next()));
      return;
    }
    const GradeOutcome& outcome = *graded.outcome;
    for (const RunResult& run : outcome.runs) {
      if (!run.sources.empty()) sources_.assign(run.sources.begin(), run.sources.end());
    }
    watch_files();
    standing_ = outcome.status == Status::passed ? "passed" : in_a_word(outcome.status);
    ReportInput input;
    input.paths = &context_.paths();
    input.lesson = lesson_;
    input.file = lesson_->kernel();
    input.learners_own = true;
    input.untouched_stub = graded.untouched;
    Replay again{.lesson = lesson_->number, .backend = options_.backend};
    if (options_.seconds != kSeconds) again.timeout = options_.seconds;
    input.replay = replay(again);
    input.outcome = &outcome;
    print_report(out, input);
    out.line();
    const int earned = advise(out, graded);
    if (outcome.status != Status::unavailable && !graded.untouched) keep_last_run(input, earned);
  }

  static const char* in_a_word(Status status) {
    switch (status) {
      case Status::compile_error:
        return "no compile";
      case Status::timed_out:
        return "timed out";
      case Status::crashed:
        return "crashed";
      case Status::unavailable:
        return "not graded";
      default:
        return "failed";
    }
  }

  void headline(terminal::Terminal& out) const {
    const std::string time = local_time(now_seconds());
    const std::string rule = out.can().unicode ? "─" : "-";
    std::string line = rule + rule + " " + time.substr(time.find(' ') + 1) + " ";
    while (terminal::width(line) < std::min(out.columns(), 80) - 1) line += rule;
    out.line();
    out.line(out.style(Style::dim, line));
  }

  // Records the run, says what comes next, and returns the XP earned.
  int advise(terminal::Terminal& out, const GradedKernel& graded) {
    const GradeOutcome& outcome = *graded.outcome;
    if (outcome.status == Status::unavailable) {
      out.paragraph("`grade doctor` says what this machine has and what it lacks.");
      return 0;
    }
    if (graded.untouched) {  // graded without the learner's doing: no attempt
      out.paragraph(
          "This is still the stub as it came: s shows the notes; then fill in its TODOs.");
      return 0;
    }
    int earned = 0;
    Progress after = context_.progress().read();
    try {
      earned = record_run(context_.progress(), *lesson_, outcome, after, after);
    } catch (const Error& error) {
      out.paragraph(fmt::format("{} not recorded: {}", out.symbol(Symbol::warning),
                                terminal::printable(error.what())),
                    2);
      out.paragraph(terminal::printable(error.next()));
    }
    if (outcome.status != Status::passed) {
      out.paragraph("Stuck? h gives a hint, s the notes.");
      return 0;
    }
    out.line(xp_line(out, course_, after, earned));
    if (!lesson_->quiz.empty()) {
      out.paragraph(fmt::format("The checkpoint: `grade quiz {}`. d compares with the reference.",
                                lesson_->number));
    }
    const Lesson* next = following(after);
    out.paragraph(next == nullptr ? "Every lesson that this copy holds is passed."
                                  : fmt::format("n goes on: {:03} {}", next->number, next->title));
    return earned;
  }

  // ---- Keys ----

  void press(char key) {
    if (over_) return;
    if (reset_asked_ && key != '\n' && answer(key)) return;
    const bool skip = std::exchange(skip_asked_, false);
    switch (key) {
      case 'n':
        return next(skip);
      case 'h':
        return show({"hint", number()});
      case 'l':
        return show({"list"});
      case 's':
        return show({"show", number()});
      case 'd':
        return show({"diff", number()});
      case 'x':
        return reset();
      case 'r':
        return begin(true);
      case 'q':
        over_ = true;
        return;
      case '\n':
        prompt_.resized();
        return;
      default:
        say("n next lesson, h hint, l list, s notes, d diff with the reference, x reset to the "
            "stub, "
            "r run with other inputs, q quit");
    }
  }

  std::string number() const { return std::to_string(lesson_->number); }

  // The next one that is not passed, after this one or else from the start.
  const Lesson* following(const Progress& progress) const {
    for (const Lesson& each : course_.lessons) {
      if (each.number > lesson_->number && !progress.passed(each.directory())) return &each;
    }
    for (const Lesson& each : course_.lessons) {
      if (&each != lesson_ && !progress.passed(each.directory())) return &each;
    }
    return nullptr;
  }

  void next(bool skip) {
    const Progress progress = context_.progress().read();
    const Lesson* lesson = following(progress);
    if (lesson == nullptr) return say("There is no other lesson left to pass.");
    if (!progress.passed(lesson_->directory()) && !skip) {
      skip_asked_ = true;
      return say(fmt::format("Lesson {} has not passed yet. n once more leaves it for lesson {}.",
                             lesson_->number, lesson->number));
    }
    open(*lesson);
  }

  // One key answers: y replaces the kernel, every other leaves it. n is a no and nothing else; a
  // key that means something does that as well.
  void reset() {
    if (context_.workspace().untouched(*lesson_)) return show({"reset", number()});
    reset_asked_ = true;
    say(fmt::format("Replace {} by the stub? A backup is kept. y does, any other key does not.",
                    context_.paths().shown(lesson_->kernel())));
  }

  // Returns whether the key was the answer alone.
  bool answer(char key) {
    reset_asked_ = false;
    if (key == 'y') {
      show({"reset", number(), "--yes"});
      return true;
    }
    say("Nothing was changed.");
    return key == 'n' || key == 'x';
  }

  void say(const std::string& text) {
    prompt_.hide();
    terminal::out().paragraph(text, 2);
  }

  // Another command of this tool, which has the terminal until it ends.
  void show(const std::vector<std::string>& arguments) {
    prompt_.hide();
    terminal::out().line();
    terminal::out().flush();
    const fs::path& program = context_.paths().executable;
    if (const auto signal = lend_terminal(keyboard_, program, arguments); !signal) {
      say(fmt::format("{} cannot be started", program.string()));
    } else if (*signal != 0) {
      ended_by_ = *signal;
      over_ = true;
    }
    terminal::refresh();
    terminal::out().line();
  }

  Context& context_;
  WatchOptions options_;
  const Course& course_;
  Keyboard keyboard_;
  GradingThread grading_;
  FileWatch files_;
  Prompt prompt_;

  const Lesson* lesson_ = nullptr;
  std::vector<fs::path> sources_;  // what the kernel's compilation read
  std::string standing_ = "waiting";
  bool skip_asked_ = false;   // n was pressed before the pass
  bool reset_asked_ = false;  // x was pressed; the next key answers
  bool keys_ready_ = false;
  bool over_ = false;
  int ended_by_ = 0;
};

class WatchCommand final : public Command {
 public:
  const char* name() const override { return "watch"; }
  const char* summary() const override { return "Grade a lesson each time you save it"; }
  int order() const override { return 10; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_,
                     "Number, name, or a unique part of the name; without it the next one",
                     Options::Need::optional);
    options.choice("--backend", backend_, {"auto", "cpu", "cuda"},
                   "auto, cpu (all checks) or cuda (GPU alone)");
    options.option("--timeout", timeout_, "SECONDS", "Seconds that the grader may run");
    options.footer(
        "Keys: n next lesson, h hint, l list, s notes, d diff with the reference, x reset to the "
        "stub, r run with other inputs, q quit. A save that leaves the content as it was is no "
        "save; r runs it again.");
  }

  Exit run(Context& context) override {
    time_limit(timeout_);  // before anything is done
    const Course& course = context.course();
    const Lesson* lesson =
        lesson_.empty() ? next_lesson(course, context.progress().read()) : &course.find(lesson_);
    if (lesson == nullptr) {
      terminal::out().paragraph(
          "Every lesson that this copy holds is passed. `grade watch LESSON` watches one of them.");
      return Exit::passed;
    }
    WatchOptions options;
    options.backend = backend_;
    options.choice = backend_choice(backend_);
    options.seconds = timeout_;
    options.timeout = time_limit(timeout_);
    const int ended_by = Session(context, options).run(*lesson);
    if (ended_by == 0 || ended_by == SIGPIPE) return Exit::passed;
    std::fflush(stdout);
    raise(ended_by);  // whoever started this learns how it ended
    return Exit::passed;
  }

 private:
  std::string lesson_;
  std::string backend_ = "auto";
  double timeout_ = kSeconds;
};

const Registration<WatchCommand> watch_command;

}  // namespace
}  // namespace grade
