#include "cli/application.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/command.h"
#include "cli/edit_distance.h"
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

// Help in 80 columns, or fewer where the terminal has fewer.
class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return app->get_parent() == nullptr ? overview() : one_command(*app);
  }

 private:
  static int columns() { return std::min(terminal::out().columns(), 80); }

  static std::string paragraph(const std::string& text, int indent = 0) {
    std::string lines;
    for (const std::string& line : terminal::wrap(text, columns(), indent)) lines += line + "\n";
    return lines;
  }

  // A name and what it does, the latter in a column of its own.
  static std::string entry(const std::string& name, const std::string& what, int name_columns) {
    return paragraph("  " + terminal::pad_right(name, name_columns) + "  " + what,
                     name_columns + 4);
  }

  static std::string overview() {
    const terminal::Terminal& out = terminal::out();
    std::string text =
        paragraph(out.style(Style::bold, "grade") +
                  ": write a mixture-of-experts layer, one graded CUDA kernel at a time") +
        "\n";
    constexpr int name_columns = 15;
    text += entry("grade LESSON", "grade a lesson: by number (7), name, or a unique part of it",
                  name_columns);
    text += entry("grade", "where you are and what comes next", name_columns);
    for (const auto& command : commands()) {
      text += entry(std::string("grade ") + command->name(), command->summary(), name_columns);
    }
    text += "\n" + paragraph("Each command explains itself: grade COMMAND --help");
    text += paragraph(
        "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 does not compile, 4 crashed or timed "
        "out, "
        "5 this machine lacks something.");
    return text;
  }

  static std::string one_command(const CLI::App& app) {
    std::string usage = "grade " + app.get_name();
    std::vector<std::pair<std::string, std::string>> entries;
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_positional()) continue;
      std::string name = option->get_name(true);
      entries.emplace_back(name, option->get_description());
      if (option->get_expected_max() > 1) name += "...";
      usage += option->get_required() ? " " + name : " [" + name + "]";
    }
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option == app.get_help_ptr()) continue;
      std::string name = option->get_name(false, true);
      if (!option->get_type_name().empty()) name += " " + option->get_type_name();
      entries.emplace_back(name, option->get_description());
    }
    int name_columns = 0;
    for (const auto& [name, what] : entries) {
      name_columns = std::max(name_columns, terminal::width(name));
    }
    name_columns = std::min(name_columns, 28);
    std::string text = paragraph(terminal::out().style(Style::bold, usage) + " [options]", 4) +
                       "\n" + paragraph(app.get_description() + ".") + "\n";
    for (const auto& [name, what] : entries) text += entry(name, what, name_columns);
    if (!app.get_footer().empty()) text += "\n" + paragraph(app.get_footer());
    return text;
  }
};

bool is_command(const std::string& name) {
  return std::any_of(commands().begin(), commands().end(),
                     [&](const auto& command) { return name == command->name(); });
}

// The first argument that looks like an option and is none: CLI11 would first ask for what else is
// missing.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const std::string& each : arguments) {
    if (each == "--") break;
    std::string name = each.substr(0, each.find('='));
    const bool option = name.size() > 1 && name[0] == '-' && !(name[1] >= '0' && name[1] <= '9');
    if (option && command.get_option_no_throw(name) == nullptr) return name;
  }
  return {};
}

[[noreturn]] void misused(const CLI::App& command, const std::string& what) {
  throw Error(Exit::usage, what,
              fmt::format("`grade {} --help` explains how to use it.", command.get_name()));
}

// Every value passes here, before it is read: what is empty is no path, no name and no number, but
// a shell variable that is not set.
CLI::Option* never_empty(const CLI::App& command, CLI::Option* option) {
  return option->check([&command, name = option->get_name()](const std::string& text) {
    if (text.empty()) misused(command, fmt::format("{} is given without a value", name));
    return std::string();
  });
}

// "--file=": CLI11 would take the next argument for its value.
void refuse_missing_values(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto commands = app.get_subcommands([&](const CLI::App* each) {
    return !arguments.empty() && each->get_name() == arguments.front();
  });
  if (commands.empty()) return;
  for (const std::string& each : arguments) {
    if (each == "--") return;
    if (each.size() < 4 || !each.starts_with("--") || each.find('=') + 1 != each.size()) continue;
    const std::string name = each.substr(0, each.size() - 1);
    if (commands.front()->get_option_no_throw(name) == nullptr) continue;
    misused(*commands.front(), fmt::format("{} is given without a value", name));
  }
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
    sub->callback([&chosen, &command] { chosen = command.get(); });
    Options options(*sub);
    command->configure(options);
  }
  refuse_missing_values(app, arguments);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    terminal::out().print(app.help());
    return Exit::passed;
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    const std::string command = parsed.empty() ? "" : " " + parsed.front()->get_name();
    const std::string unknown = parsed.empty() ? "" : unknown_option(*parsed.front(), arguments);
    throw Error(Exit::usage,
                unknown.empty() ? error.what()
                                : fmt::format("`grade{}` has no option {}", command, unknown),
                fmt::format("`grade{} --help` explains how to use it.", command));
  }
  const Paths paths = find_paths();
  Context context(paths);
  return chosen->run(context);
}

template <class T>
void add_option(CLI::App& app, const std::string& names, T& value, const std::string& shown,
                const std::string& help) {
  never_empty(app, app.add_option(names, value, help)->type_name(shown));
}

// Digits alone: a sign or 2^64 would wrap round to another number.
std::uint64_t whole_number(const CLI::App& command, const std::string& name,
                           const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    misused(command, fmt::format("{} takes a whole number from 0 to 2^64 - 1, not {}", name, text));
  }
  return value;
}

}  // namespace

void Options::flag(const std::string& names, bool& value, const std::string& help) {
  app_.add_flag(names, value, help)->type_name("");
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
  CLI::Option* const option = app_.add_option_function<std::string>(
      names,
      [app = &app_, &value, names](const std::string& text) {
        value = whole_number(*app, names, text);
      },
      help);
  never_empty(app_, option->type_name(shown));
}

void Options::option(const std::string& names, std::optional<int>& value, const std::string& shown,
                     const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, std::optional<double>& value,
                     const std::string& shown, const std::string& help) {
  add_option(app_, names, value, shown, help);
}

void Options::option(const std::string& names, std::vector<std::string>& value,
                     const std::string& shown, const std::string& help) {
  // One value each time, so that what follows is not swallowed.
  CLI::Option* const option = app_.add_option(names, value, help);
  never_empty(app_, option->type_name(shown)->allow_extra_args(false));
}

void Options::choice(const std::string& names, std::string& value,
                     const std::vector<std::string>& allowed, const std::string& help) {
  app_.add_option(names, value, help)
      ->type_name(fmt::format("{}", fmt::join(allowed, "|")))
      ->check(CLI::IsMember(allowed).description(""));
}

void Options::argument(const std::string& shown, std::string& value, const std::string& help,
                       Need need) {
  CLI::Option* const option = app_.add_option(shown, value, help);
  never_empty(app_, option->type_name("")->required(need == Need::required));
}

void Options::arguments(const std::string& shown, std::vector<std::string>& values,
                        const std::string& help, Need need) {
  CLI::Option* const option = app_.add_option(shown, values, help);
  never_empty(app_, option->type_name("")->required(need == Need::required));
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
  // Where whoever started this ignores it, the system forgets how a program that this one ran
  // ended.
  std::signal(SIGCHLD, SIG_DFL);
  Exit exit = Exit::unavailable;
  try {
    exit = dispatch(with_command(arguments));
  } catch (const Error& error) {
    print_error(error.what(), error.next());
    exit = error.exit();
    // Was it a command's name, mistyped, rather than a lesson's?
    const bool taken_as_lesson = !arguments.empty() && !is_command(arguments[0]);
    for (const auto& command : commands()) {
      if (exit == Exit::usage && taken_as_lesson &&
          edit_distance(arguments[0], command->name()) <= 2) {
        terminal::err().line(fmt::format("Did you mean `grade {}`?", command->name()));
        break;
      }
    }
  } catch (const std::exception& error) {
    print_error(error.what(),
                "This is a fault of the tool itself. Please report it with the command you typed.");
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    print_error(fmt::format("cannot write the output: {}", std::strerror(errno)), "");
    if (exit == Exit::passed) exit = Exit::unavailable;
  }
  return static_cast<int>(exit);
}

}  // namespace grade
