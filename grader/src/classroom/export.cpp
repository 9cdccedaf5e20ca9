// `grade export`: what a learner's own kernels, or those that a class handed in, come to; in a
// table and in the formats of others. Records nothing in the progress.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <thread>

#include "classroom/formats.h"
#include "classroom/hidden_seed.h"
#include "classroom/marking.h"
#include "classroom/results.h"
#include "classroom/submissions.h"
#include "cli/command.h"
#include "cli/time_limit.h"
#include "course/course.h"
#include "run/grading.h"
#include "run/pool.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "workspace/workspace.h"

namespace grade::classroom {
namespace {

namespace fs = std::filesystem;

// A number from 1; 0 when the text is none.
int counting_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > 0 ? value : 0;
}

// "2/3" or "4-8": both numbers, 0 for what is none.
std::pair<int, int> two_numbers(std::string_view text, char between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return {0, 0};
  return {counting_number(text.substr(0, at)), counting_number(text.substr(at + 1))};
}

class ExportCommand final : public Command {
 public:
  const char* name() const override { return "export"; }
  const char* summary() const override {
    return "Results for an instructor: yours, or a whole class's";
  }
  int order() const override { return 40; }

  void configure(Options& options) override {
    options.arguments("LESSON", lessons_,
                      "The lessons that count (7, 1-8, a name); default: all, of a class those "
                      "that anybody handed in");
    options.option("--dir", dir_, "DIR", "Grade a class: a folder for each student");
    options.option("--file", file_, "PATH", "Grade one submission: a .cu file or a folder");
    options.option("--from", from_, "JSON", "Grade nothing; read (and join) earlier results");
    options.choice("--format", format_, {"table", "csv", "json", "junit", "gradescope"},
                   "table (default), csv, json, junit or gradescope");
    options.option("--output", output_, "PATH",
                   "Write the format there, and print the table besides");
    options.option("--hidden-seed", hidden_, "N|FILE",
                   "A secret: a pass also needs inputs that come from it");
    options.flag("--show-seeds", show_seeds_, "Print the hidden seed of each lesson, and stop");
    options.option("--seed", seed_, "N", "Seed of the public inputs (submissions: 1)");
    options.option("--shard", shard_, "I/N", "Only every N-th student, beginning with the I-th");
    options.option("--jobs", jobs_, "N", "Submissions graded at the same time (default: cores)");
    options.choice("--backend", backend_, {"auto", "cpu", "cuda"},
                   "auto, cpu (all checks) or cuda (GPU alone)");
    options.option("--timeout", timeout_, "SECONDS", "Seconds that a grader may run");
    options.flag("--fresh", fresh_, "Run even what has not changed since its last verdict");
    options.flag("--strict", strict_, "Exit code 1 unless every lesson that counts was passed");
    options.excludes("--dir", "--file");
    options.excludes("--dir", "--from");
    options.excludes("--file", "--from");
    options.footer(
        "Without --dir, --file and --from: your own kernels. Nothing is recorded in the progress. "
        "The environment variable GRADE_HIDDEN_SEED may hold the secret itself, which then shows "
        "in "
        "no list of processes. Exit code 0 means that all was graded, whatever the "
        "marks; 5 that something could not be graded here. docs/teaching.md tells the rest.");
  }

  Exit run(Context& context) override {
    time_limit(timeout_);  // before anything is done
    if (jobs_ && *jobs_ < 1) {
      throw Error(Exit::usage, fmt::format("--jobs takes a number from 1, not {}", *jobs_));
    }
    read_shard();
    check_output();
    const auto secret = HiddenSeed::find(hidden_);
    const std::vector<const Lesson*> chosen = choose_lessons(context.course());
    if (show_seeds_) return print_seeds(context, chosen, secret);
    const Results results = from_.empty() ? grade_all(context, chosen, secret) : read_results();
    write(results);
    return exit_for(results);
  }

 private:
  void read_shard() {
    if (shard_.empty()) return;
    const auto [part, parts] = two_numbers(shard_, '/');
    if (part == 0 || part > parts) {
      throw Error(Exit::usage, fmt::format("--shard takes I/N with 1 <= I <= N, not {}", shard_));
    }
    part_ = static_cast<std::size_t>(part);
    parts_ = static_cast<std::size_t>(parts);
  }

  // Before the long part, not after it.
  void check_output() const {
    if (format_ == "table" && !output_.empty()) {
      throw Error(Exit::usage, "--output needs a --format: csv, json, junit or gradescope");
    }
    if (format_ == "gradescope" && output_.empty() && !dir_.empty()) {
      throw Error(Exit::usage, "the gradescope format is one document for each student",
                  "Name a folder for them: --output DIR.");
    }
    if (!from_.empty() && !lessons_.empty()) {
      throw Error(Exit::usage, "lessons cannot be chosen from earlier results");
    }
  }

  // In the course's order, each once; empty: no choice was made.
  std::vector<const Lesson*> choose_lessons(const Course& course) const {
    std::set<int> numbers;
    for (const std::string& text : lessons_) {
      const auto [first, last] = two_numbers(text, '-');
      if (first == 0 || last == 0) {
        numbers.insert(course.find(text).number);
        continue;
      }
      if (first > last) throw Error(Exit::usage, fmt::format("{} names no lessons", text));
      for (int number = first; number <= last; ++number) {
        numbers.insert(course.find(std::to_string(number)).number);
      }
    }
    std::vector<const Lesson*> chosen;
    for (const int number : numbers) chosen.push_back(course.by_number(number));
    return chosen;
  }

  static Exit print_seeds(Context& context, const std::vector<const Lesson*>& chosen,
                          const std::optional<HiddenSeed>& secret) {
    if (!secret) throw Error(Exit::usage, "--show-seeds needs --hidden-seed");
    for (const Lesson& lesson : context.course().lessons) {
      const bool wanted =
          chosen.empty() || std::find(chosen.begin(), chosen.end(), &lesson) != chosen.end();
      if (wanted)
        terminal::out().line(fmt::format("{} {}", lesson.directory(), secret->of(lesson)));
    }
    return Exit::passed;
  }

  std::vector<HandedIn> collect(Context& context, const std::vector<const Lesson*>& chosen) const {
    const Course& course = context.course();
    if (!dir_.empty()) {
      std::vector<HandedIn> all = find_submissions(dir_, course, chosen);
      std::vector<HandedIn> mine;
      for (std::size_t i = part_ - 1; i < all.size(); i += parts_)
        mine.push_back(std::move(all[i]));
      return mine;
    }
    if (!file_.empty()) return {single_submission(file_, course, chosen)};
    HandedIn own{"workbook", {}, {}};
    for (const Lesson& lesson : course.lessons) {
      const bool wanted =
          chosen.empty() || std::find(chosen.begin(), chosen.end(), &lesson) != chosen.end();
      if (!wanted || context.workspace().untouched(lesson)) continue;
      own.submissions.push_back(
          {&lesson, lesson.kernel(), lesson.kernel().lexically_relative(context.paths().root)});
    }
    return {own};
  }

  // What counts: the lessons named, else of the own workbook all, else what anybody handed in.
  std::vector<const Lesson*> counting(const Course& course,
                                      const std::vector<const Lesson*>& chosen,
                                      const std::vector<HandedIn>& students) const {
    if (!chosen.empty()) return chosen;
    std::vector<const Lesson*> lessons;
    for (const Lesson& lesson : course.lessons) {
      const bool handed_in = std::any_of(students.begin(), students.end(), [&](const auto& each) {
        return std::any_of(each.submissions.begin(), each.submissions.end(),
                           [&](const Submission& one) { return one.lesson == &lesson; });
      });
      if (handed_in || own_workbook()) lessons.push_back(&lesson);
    }
    return lessons;
  }

  bool own_workbook() const { return dir_.empty() && file_.empty(); }

  Results grade_all(Context& context, const std::vector<const Lesson*>& chosen,
                    const std::optional<HiddenSeed>& secret) const {
    const std::vector<HandedIn> students = collect(context, chosen);
    const std::vector<const Lesson*> lessons = counting(context.course(), chosen, students);
    MarkingOptions options;
    options.seed = seed_;
    // One seed for all: fair, and what was graded before is not graded again.
    if (!options.seed && !own_workbook()) options.seed = 1;
    options.hidden = secret;
    options.fresh = fresh_;
    options.timeout = time_limit(timeout_);

    Results results;
    results.course = context.course().title;
    results.time = utc_time(now_seconds());
    if (options.seed) results.seed = std::to_string(*options.seed);
    results.hidden = secret.has_value();
    for (const Lesson* each : lessons) {
      results.lessons.push_back({each->directory(), each->number, each->title, each->xp});
    }

    struct Task {
      const Submission* submission;
      Mark* mark;
    };
    std::vector<Task> tasks;
    results.students.resize(students.size());
    for (std::size_t i = 0; i < students.size(); ++i) {
      Student& student = results.students[i];
      student.name = students[i].name;
      student.remarks = students[i].remarks;
      for (const Lesson* lesson : lessons) {
        student.marks.push_back(missing(*lesson, own_workbook() ? "not begun" : "not handed in"));
      }
      for (const Submission& each : students[i].submissions) {
        const auto at = std::find(lessons.begin(), lessons.end(), each.lesson) - lessons.begin();
        tasks.push_back({&each, &student.marks[static_cast<std::size_t>(at)]});
      }
    }

    Grading grading(context.paths(), context.course(), backend_choice(backend_));
    for (const Backend each : grading.backends()) {
      results.backend += (results.backend.empty() ? "" : "+") + std::string(grade::name(each));
    }
    std::set<const Lesson*> needed;
    for (const Task& task : tasks) needed.insert(task.submission->lesson);
    grading.prepare({needed.begin(), needed.end()});
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t workers = jobs_ ? static_cast<std::size_t>(*jobs_) : cores;
    if (!tasks.empty()) {
      options.shards = static_cast<int>(std::clamp<std::size_t>(workers / tasks.size(), 1, 4));
    }
    terminal::StatusLine status;
    std::size_t done = 0;
    status.show("grading", done, tasks.size());
    for_each_parallel(
        tasks.size(),
        [&](std::size_t i) {
          *tasks[i].mark = mark_submission(grading, *tasks[i].submission, options);
        },
        [&](std::size_t i) { status.show(tasks[i].submission->shown, ++done, tasks.size()); },
        workers);
    return results;
  }

  Results read_results() const {
    std::vector<Results> parts;
    for (const std::string& file : from_) {
      try {
        parts.push_back(results_from_json_text(read_file(file)));
      } catch (const Error&) {
        throw;
      } catch (const std::runtime_error& error) {
        throw Error(Exit::usage, fmt::format("{}: {}", file, error.what()),
                    "--from takes what `grade export --format json` wrote.");
      }
    }
    try {
      return merge(std::move(parts));
    } catch (const std::runtime_error& error) {
      throw Error(Exit::usage, error.what());
    }
  }

  std::string text_of(const Results& results) const {
    if (format_ == "csv") return to_csv(results);
    if (format_ == "json") return to_json_text(results);
    return to_junit(results);
  }

  void write(const Results& results) const {
    terminal::Terminal& out = terminal::out();
    if (format_ == "table") {
      print_table(out, results);
    } else if (format_ == "gradescope") {
      write_gradescope(results);
    } else if (output_.empty()) {
      out.print(text_of(results));
    } else {
      write_file_atomically(output_, text_of(results));
      print_table(out, results);
    }
  }

  // One document is one student's: with a class, --output is a folder of them.
  void write_gradescope(const Results& results) const {
    const bool of_class = results.students.size() != 1 || !dir_.empty();
    if (of_class && output_.empty()) {
      throw Error(Exit::usage, "the gradescope format is one document for each student",
                  "Name a folder for them: --output DIR.");
    }
    if (!of_class && output_.empty()) {
      terminal::out().print(to_gradescope(results, results.students.front()));
      return;
    }
    for (const Student& each : results.students) {
      std::string file = each.name;
      std::replace(file.begin(), file.end(), '/', '_');
      if (file.starts_with('.')) file.insert(0, "_");
      const fs::path path = of_class ? fs::path(output_) / (file + ".json") : fs::path(output_);
      write_file_atomically(path, to_gradescope(results, each));
    }
    print_table(terminal::out(), results);
  }

  Exit exit_for(const Results& results) const {
    bool all_passed = true;
    for (const Student& student : results.students) {
      for (const Mark& mark : student.marks) {
        if (mark.status == grade::name(Status::unavailable)) {
          terminal::out().flush();
          terminal::err().paragraph(
              fmt::format("! {}, {} was not graded: {}", student.name, mark.lesson, mark.reason),
              2);
          return Exit::unavailable;
        }
        all_passed = all_passed && mark.status == "passed";
      }
    }
    return strict_ && !all_passed ? Exit::failed : Exit::passed;
  }

  std::vector<std::string> lessons_;
  std::string dir_;
  std::string file_;
  std::vector<std::string> from_;
  std::string format_ = "table";
  std::string output_;
  std::string hidden_;
  bool show_seeds_ = false;
  std::optional<std::uint64_t> seed_;
  std::string shard_;
  std::size_t part_ = 1;
  std::size_t parts_ = 1;
  std::optional<int> jobs_;
  std::string backend_ = "auto";
  double timeout_ = 20;
  bool fresh_ = false;
  bool strict_ = false;
};

const Registration<ExportCommand> export_command;

}  // namespace
}  // namespace grade::classroom
