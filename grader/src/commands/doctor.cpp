// `grade doctor`: what this machine has, which backend is used and why, and what to install.
#include <fmt/core.h>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "machine/machine.h"
#include "machine/packages.h"
#include "system/files.h"
#include "system/paths.h"
#include "system/process.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::pad_right;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class DoctorCommand final : public Command {
 public:
  const char* name() const override { return "doctor"; }
  const char* summary() const override {
    return "What this machine has, lacks, and how to mend it";
  }
  int order() const override { return 40; }
  void configure(Options& options) override {
    options.flag("--all", all_, "Also what only the project's own tests need");
  }

  Exit run(Context& context) override {
    Terminal& out = terminal::out();
    const std::vector<Package> packages =
        find_packages(context.paths().root / "tools" / "packages.tsv");

    out.line(out.style(Style::heading, "Backends"));
    print_backends(out);
    out.line();
    out.line(out.style(Style::heading, "Needed"));
    print_packages(packages, "required", out);
    out.line();
    out.line(out.style(Style::heading, "Of use"));
    print_packages(packages, "recommended", out);
    print_packages(packages, "optional", out);
    if (all_) {
      out.line();
      out.line(out.style(Style::heading, "For tools/test"));
      print_packages(packages, "test", out);
    }
    out.line();
    out.line(out.style(Style::heading, "Files"));
    const bool writable = print_files(context.paths(), out);
    out.line();
    return sum_up(packages, writable, out);
  }

 private:
  static void item(bool good, bool needed, const std::string& name, const std::string& text,
                   Terminal& out) {
    const std::string mark = good     ? out.style(Style::good, out.symbol(Symbol::passed))
                             : needed ? out.style(Style::bad, out.symbol(Symbol::failed))
                                      : out.style(Style::dim, out.symbol(Symbol::skipped));
    const std::string start = "  " + mark + " " + pad_right(name, 14) + " ";
    for (const std::string& line : terminal::wrap(start + text, out.columns(), 19)) out.line(line);
  }

  static void print_backends(Terminal& out) {
    item(true, true, "CPU", "grades with all checks: races, bounds, barriers, unwritten memory",
         out);
    std::string why_not;
    const auto gpu = find_gpu(&why_not);
    const std::string nvcc = find_nvcc();
    if (!gpu) {
      item(false, false, "GPU", why_not + "; the CPU is used alone, which is all a lesson needs",
           out);
      return;
    }
    const std::string description =
        fmt::format("{}, compute {}.{}, {:.0f} GiB, driver for CUDA {}", gpu->name, gpu->major,
                    gpu->minor, gpu->memory_gib, gpu->driver);
    if (nvcc.empty()) {
      item(false, false, "GPU",
           description + "; not used, because there is no nvcc (install the CUDA toolkit)", out);
    } else {
      item(true, false, "GPU",
           description + "; used at the same time as the CPU: a pass needs both", out);
    }
  }

  static void print_packages(const std::vector<Package>& packages, const std::string& need,
                             Terminal& out) {
    for (const Package& package : packages) {
      if (package.need != need) continue;
      std::string text = package.why;
      if (!package.found.empty()) text = package.found + (package.there ? "  " : ": ") + text;
      item(package.there, need == "required", package.name, text, out);
    }
  }

  // Whether progress can be saved.
  static bool print_files(const Paths& paths, Terminal& out) {
    item(true, true, "workbook", terminal::printable(paths.root.string()), out);
    const auto file = paths.progress();
    bool writable = true;
    std::string text = file.string();
    try {
      // A file of its own, so that a sound progress file is not touched.
      const auto probe = file.string() + ".doctor";
      write_file_atomically(probe, "can this folder be written?\n");
      std::error_code ignored;
      std::filesystem::remove(probe, ignored);
      if (!std::filesystem::exists(file, ignored)) text += " (made by the first graded run)";
    } catch (const Error& error) {
      writable = false;
      text = error.what();
    }
    item(writable, true, "progress", terminal::printable(text), out);
    return writable;
  }

  static Exit sum_up(const std::vector<Package>& packages, bool writable, Terminal& out) {
    std::vector<const Package*> missing;
    std::vector<const Package*> useful;
    for (const Package& package : packages) {
      if (package.there) continue;
      if (package.need == "required") missing.push_back(&package);
      if (package.need == "recommended") useful.push_back(&package);
    }
    const auto print_commands = [&](const std::vector<const Package*>& wanted) {
      for (const std::string& command : install_commands(wanted, "/etc/os-release"))
        out.line("  " + command);
    };
    if (!useful.empty()) {
      out.paragraph("Of use, and not here:");
      print_commands(useful);
    }
    if (!missing.empty()) {
      out.paragraph(out.style(Style::bad,
                              fmt::format("{} missing. To install:",
                                          terminal::counted(static_cast<long long>(missing.size()),
                                                            "thing is", "things are"))));
      print_commands(missing);
      return Exit::unavailable;
    }
    if (!writable) {
      out.paragraph(
          "Progress cannot be saved: make the folder writable, or set GRADE_PROGRESS to a file in "
          "one that is.");
      return Exit::unavailable;
    }
    out.paragraph(out.style(Style::good, "All that is needed is here."));
    return Exit::passed;
  }

  bool all_ = false;
};

const Registration<DoctorCommand> doctor_command;

}  // namespace
}  // namespace grade
