// `grade try FILE.cu`: compiles a whole program and runs it, under the limits of a lesson's kernel.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "build/build_tree.h"
#include "cli/command.h"
#include "cli/time_limit.h"
#include "machine/machine.h"
#include "run/grading.h"
#include "sandbox/sandbox.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

class TryCommand final : public Command {
 public:
  const char* name() const override { return "try"; }
  const char* summary() const override { return "Compile and run a program of your own, unscored"; }
  int order() const override { return 40; }

  void configure(Options& options) override {
    options.argument("FILE", file_, "A .cu file with a main()");
    options.choice("--backend", backend_, {"cpu", "cuda"}, "cpu (default, all checks) or cuda");
    options.option("--timeout", timeout_, "SECONDS", "Seconds that the program may run");
  }

  Exit run(Context& context) override {
    const fs::path source = fs::absolute(file_).lexically_normal();
    if (!fs::is_regular_file(source)) {
      throw Error(Exit::usage, fmt::format("there is no file {}", file_),
                  "grade try takes the path of a .cu file, such as docs/examples/hello.cu.");
    }
    time_limit(timeout_);  // before anything is done
    const Backend backend = backend_ == "cuda" ? Backend::cuda : Backend::cpu;
    if (backend == Backend::cuda) require_gpu();
    BuildTree tree(context.paths(), Backend::cpu);
    tree.ensure({"simt-cc", "simt"});
    const fs::path program = context.paths().state() / "try" / source.stem();
    const Exit compiled = compile(context, tree, source, program, backend);
    return compiled == Exit::passed ? execute(context, program, backend) : compiled;
  }

 private:
  static Exit compile(Context& context, const BuildTree& tree, const fs::path& source,
                      const fs::path& program, Backend backend) {
    terminal::Terminal& out = terminal::out();
    fs::create_directories(program.parent_path());
    terminal::StatusLine status;
    status.show(fmt::format("compiling {} …", context.paths().shown(source)));
    sandbox::Command command;
    command.program = tree.kernel_compiler();
    command.arguments = {"--program", "--backend",      grade::name(backend),
                         "-o",        program.string(), context.paths().typed(source)};
    if (out.can().colour) command.arguments.insert(command.arguments.begin(), "--color");
    command.environment = own_environment();
    command.folder = fs::current_path();
    command.grace = std::chrono::milliseconds(200);
    command.limits.timeout = std::chrono::seconds(60);
    command.limits.memory = std::uint64_t{4} << 30;
    command.limits.file_size = std::uint64_t{256} << 20;
    const sandbox::Outcome outcome = sandbox::run(command);
    status.clear();
    out.print(out.can().colour ? terminal::with_colours(outcome.output)
                               : terminal::printable(outcome.output));
    using sandbox::Ending;
    if (outcome.ending == Ending::exited && outcome.code == 0) return Exit::passed;
    if (outcome.ending == Ending::exited && outcome.code == 3) return Exit::compile_error;
    if (outcome.ending == Ending::timed_out || outcome.ending == Ending::starved) {
      out.line(fmt::format("The compiler {}.", sandbox::time_in_words(outcome, command.limits)));
      return outcome.ending == Ending::timed_out ? Exit::compile_error : Exit::unavailable;
    }
    if (outcome.ending != Ending::exited) out.line("The compiler failed: " + outcome.detail);
    return Exit::unavailable;
  }

  Exit execute(Context& context, const fs::path& program, Backend backend) const {
    terminal::Terminal& out = terminal::out();
    sandbox::Command command;
    command.program = program;
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
    if (backend == Backend::cuda) command.environment = own_environment();
    command.confinement =
        backend == Backend::cpu ? sandbox::Confinement::filtered : sandbox::Confinement::process;
    command.scratch_base = context.paths().state() / "scratch";
    command.limits.timeout = time_limit(timeout_);
    std::size_t left = command.limits.output;
    command.on_output = [&](std::string_view text) {
      // As it comes; a program may well print for a while.
      out.print(terminal::printable(text.substr(0, left)));
      out.flush();
      left -= std::min(left, text.size());
    };
    const sandbox::Outcome outcome = sandbox::run(command);
    if (outcome.output_cut) out.line("… (the rest of the output is left out)");
    using sandbox::Ending;
    switch (outcome.ending) {
      case Ending::exited:
        return outcome.code == 0 ? Exit::passed : ended(outcome.code);
      case Ending::timed_out:
        return complain(sandbox::time_in_words(outcome, command.limits) + ", so it was ended");
      case Ending::starved:
        complain(sandbox::time_in_words(outcome, command.limits) + ", so it was ended");
        return Exit::unavailable;
      case Ending::memory:
        return complain("used more memory than a kernel may (2 GiB)");
      case Ending::forbidden:
        return complain(fmt::format("made a call that is refused here: {}", outcome.detail));
      case Ending::stopped:
      case Ending::signalled:
        return complain(sandbox::signal_in_words(outcome.code));
      default:
        break;
    }
    throw Error(Exit::unavailable, "the program could not be started: " + outcome.detail);
  }

  static Exit ended(int code) {
    terminal::out().line(fmt::format("The program ended with exit code {}.", code));
    return Exit::failed;
  }

  static Exit complain(const std::string& what) {
    terminal::Terminal& out = terminal::out();
    out.paragraph(out.style(Style::bad, out.symbol(Symbol::failed)) + " The program " + what + ".",
                  2);
    return Exit::crashed;
  }

  std::string file_;
  std::string backend_ = "cpu";
  double timeout_ = 20;
};

const Registration<TryCommand> try_command;

}  // namespace
}  // namespace grade
