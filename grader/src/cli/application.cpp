#include "cli/application.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "cli/command.h"
#include "cli/error.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;

// An error: what happened, then what to do next. Each further line is indented.
void print_error(const std::string& what, const std::string& next) {
  terminal::out().flush();
  terminal::Terminal& err = terminal::err();
  err.paragraph(err.style(Style::bad, "error:") + " " + terminal::printable(what), 2);
  if (!next.empty()) err.paragraph(terminal::printable(next));
}

class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (app->get_parent() != nullptr) return CLI::Formatter::make_help(app, name, mode);
    terminal::Terminal& out = terminal::out();
    std::string text = out.style(Style::bold, "grade") +
                       ": write a mixture-of-experts layer, one graded CUDA kernel at a time\n\n";
    text +=
        "  grade LESSON            grade a lesson: by number (7), name, or a unique part of it\n";
    text += "  grade                   where you are and what comes next\n";
    for (const auto& command : commands()) {
      const std::string indent =
          "  " + terminal::pad_right(std::string("grade ") + command->name(), 22) + "  ";
      for (const std::string& line :
           terminal::wrap(indent + command->summary(), out.columns(), 26)) {
        text += line + "\n";
      }
    }
    text += "\nEach command explains itself: grade COMMAND --help\n";
    text +=
        "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 does not compile,\n"
        "4 crashed or timed out, 5 this machine lacks something.\n";
    return text;
  }
};

bool is_command(const std::string& name) {
  return std::any_of(commands().begin(), commands().end(),
                     [&](const auto& command) { return name == command->name(); });
}

Exit dispatch(const std::vector<std::string>& arguments) {
  CLI::App app("grade");
  app.name("grade");
  app.formatter(std::make_shared<Help>());
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.fallthrough(false);
  Command* chosen = nullptr;
  for (const auto& command : commands()) {
    CLI::App* sub = app.add_subcommand(command->name(), command->summary());
    sub->formatter(std::make_shared<CLI::Formatter>());
    sub->callback([&chosen, &command] { chosen = command.get(); });
    Options options(*sub);
    command->configure(options);
  }
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    terminal::out().print(app.help());
    return Exit::passed;
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    const std::string command = parsed.empty() ? "" : " " + parsed.front()->get_name();
    throw Error(Exit::usage, error.what(),
                fmt::format("`grade{} --help` explains how to use it.", command));
  }
  const Paths paths = find_paths();
  Context context(paths);
  return chosen->run(context);
}

template <class T>
void add_option(CLI::App& app, const std::string& names, T& value, const std::string& shown,
                const std::string& help) {
  app.add_option(names, value, help)->type_name(shown);
}

}  // namespace

void Options::flag(const std::string& names, bool& value, const std::string& help) {
  app_.add_flag(names, value, help);
}

void Options::option(const std::string& names, std::string& value, const std::string& shown,
                     const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, int& value, const std::string& shown,
                     const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, double& value, const std::string& shown,
                     const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, std::optional<std::uint64_t>& value,
                     const std::string& shown, const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, std::optional<double>& value,
                     const std::string& shown, const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, std::vector<std::string>& value,
                     const std::string& shown, const std::string& help) {
  // One value each time, so that what follows is not swallowed.
  app_.add_option(names, value, help)->type_name(shown)->allow_extra_args(false);
}

void Options::choice(const std::string& names, std::string& value,
                     const std::vector<std::string>& allowed, const std::string& help) {
  app_.add_option(names, value, help)->check(CLI::IsMember(allowed));
}

void Options::argument(const std::string& shown, std::string& value, const std::string& help,
                       Need need) {
  app_.add_option(shown, value, help)->type_name("")->required(need == Need::required);
}

void Options::arguments(const std::string& shown, std::vector<std::string>& values,
                        const std::string& help, Need need) {
  app_.add_option(shown, values, help)->type_name("")->required(need == Need::required);
}

void Options::excludes(const std::string& name, const std::string& other) {
  app_.get_option(name)->excludes(app_.get_option(other));
}

void Options::footer(const std::string& text) {
  app_.footer(text);
}

std::vector<std::string> with_command(std::vector<std::string> arguments) {
  if (arguments.empty()) return {"dashboard"};
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help") return arguments;
  if (first == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
    return arguments;
  }
  if (!is_command(first)) arguments.insert(arguments.begin(), "run");
  return arguments;
}

int run_application(const std::vector<std::string>& arguments) {
  Exit exit = Exit::unavailable;
  try {
    exit = dispatch(with_command(arguments));
  } catch (const Error& error) {
    print_error(error.what(), error.next());
    exit = error.exit();
  } catch (const std::exception& error) {
    print_error(error.what(),
                "This is a fault of the tool itself. Please report it with the command you typed.");
  }
  terminal::out().flush();
  return static_cast<int>(exit);
}

}  // namespace grade
