#include "options.h"

#include <fmt/core.h>

#include <charconv>
#include <stdexcept>

namespace bench {
namespace {

template <class Number>
Number number(const std::string& option, const std::string& text, Number least) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= least)) {
    throw std::invalid_argument(
        fmt::format("{} takes a number of at least {}, not '{}'", option, least, text));
  }
  return value;
}

}  // namespace

const char* const usage =
    "usage: bench_NNN_slug --kernel LABEL=K.so [--kernel LABEL=K.so ...] [options]\n"
    "  --kernel LABEL=K.so  a kernel object to time; the first is what the others are checked "
    "against\n"
    "  --with REF.so        loaded before them; may be given several times\n"
    "  --ceilings C.so      measures what the machine can do, for the roofline\n"
    "  --seconds S          about how long each is timed; 0.5 by default\n"
    "  --seed N             the inputs' seed; 1 by default\n"
    "  --smoke              small sizes, two samples: shows that everything runs\n"
    "  --list               what would be timed; needs no GPU and no kernel\n"
    "  --help               this text\n"
    "Prints one JSON object a benchmark and line, or sends it on the verdict channel.\n";

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--smoke" || option == "--list") {
      (option == "--smoke" ? options.smoke : options.list) = true;
      continue;
    }
    const auto value = [&]() -> const std::string& {
      if (++i == arguments.size()) throw std::invalid_argument(option + " needs a value");
      return arguments[i];
    };
    if (option == "--kernel") {
      const std::string& text = value();
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw std::invalid_argument("--kernel takes LABEL=K.so, not '" + text + "'");
      }
      options.kernels.push_back({text.substr(0, equals), text.substr(equals + 1)});
    } else if (option == "--with") {
      options.with.push_back(value());
    } else if (option == "--ceilings") {
      options.ceilings = value();
    } else if (option == "--seconds") {
      options.seconds = number<double>(option, value(), 1e-3);
    } else if (option == "--seed") {
      options.seed = number<std::uint64_t>(option, value(), 0);
    } else {
      throw std::invalid_argument("unknown option '" + option + "'");
    }
  }
  if (options.kernels.empty() && !options.list) throw std::invalid_argument("--kernel is missing");
  return options;
}

}  // namespace bench
