#include "options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <stdexcept>

namespace testing {
namespace {

template <class Number>
Number to_number(const std::string& option, const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < Number{}) {
    throw std::invalid_argument(option + " takes a number, not '" + text + "'");
  }
  return value;
}

}  // namespace

const char* const usage =
    "usage: grader_NNN_slug --kernel K.so [options]\n"
    "  --kernel K.so    the kernel object to grade\n"
    "  --with REF.so    loaded before it; may be given several times\n"
    "  --seed N         replays a run's inputs; a random seed by default\n"
    "  --schedules N    runs of each call, each with another order of threads\n"
    "  --bench          runs the bench cases instead and counts what they do\n"
    "  --trace          writes down what one case does, step by step: --case, or the first\n"
    "  --list           prints the cases' names\n"
    "  --case NAME      runs this case alone; may be given several times\n"
    "  --shard I/N      runs every N-th case, beginning with the I-th\n"
    "  --budget S       seconds that the whole run may work; a launch may take half of it\n";

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  const std::map<std::string, std::function<void(const std::string&, const std::string&)>> values{
      {"--kernel", [&](auto&, auto& text) { options.kernel = text; }},
      {"--with", [&](auto&, auto& text) { options.with.push_back(text); }},
      {"--case", [&](auto&, auto& text) { options.cases.push_back(text); }},
      {"--seed", [&](auto& o, auto& text) { options.seed = to_number<std::uint64_t>(o, text); }},
      {"--schedules", [&](auto& o, auto& text) { options.runs = to_number<int>(o, text); }},
      {"--budget", [&](auto& o, auto& text) { options.budget = to_number<double>(o, text); }},
      {"--shard",
       [&](auto& o, auto& text) {
         const std::size_t slash = text.find('/');
         if (slash == std::string::npos) throw std::invalid_argument(o + " takes I/N");
         options.shard = to_number<int>(o, text.substr(0, slash));
         options.shards = to_number<int>(o, text.substr(slash + 1));
         if (options.shard < 1 || options.shard > options.shards) {
           throw std::invalid_argument(o + " I/N needs 1 <= I <= N, not '" + text + "'");
         }
       }},
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--list") {
      options.list = true;
    } else if (argument == "--bench") {
      options.bench = true;
    } else if (argument == "--trace") {
      options.trace = true;
    } else if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (const auto found = values.find(argument); found != values.end()) {
      if (++i == arguments.size()) throw std::invalid_argument(argument + " needs a value");
      found->second(argument, arguments[i]);
    } else {
      throw std::invalid_argument("unknown option '" + argument + "'");
    }
  }
  if (options.kernel.empty() && !options.list && !options.help) {
    throw std::invalid_argument("--kernel is missing");
  }
  if (options.trace && options.bench) {
    throw std::invalid_argument("--trace and --bench exclude each other");
  }
  return options;
}

std::vector<std::string> select_cases(const std::vector<std::string>& all, const Options& options) {
  std::vector<std::string> named;
  if (options.cases.empty()) named = all;
  for (const std::string& name : options.cases) {
    if (std::ranges::find(all, name) == all.end()) {
      throw std::invalid_argument("there is no case '" + name + "'");
    }
    named.push_back(name);
  }
  std::vector<std::string> selected;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (i % static_cast<std::size_t>(options.shards) ==
        static_cast<std::size_t>(options.shard - 1)) {
      selected.push_back(named[i]);
    }
  }
  return selected;
}

}  // namespace testing
