#include "settings.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

namespace train {
namespace {

constexpr int kMostRanks = 64;  // of one host

template <class Number>
Number number(const std::string& option, const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw std::invalid_argument(option + " takes a number, not '" + text + "'");
  }
  return value;
}

Activation activation(const std::string& option, const std::string& text) {
  if (text == "relu") return Activation::relu;
  if (text == "gelu") return Activation::gelu;
  throw std::invalid_argument(option + " takes relu or gelu, not '" + text + "'");
}

Settings::Exchange exchange(const std::string& option, const std::string& text) {
  if (text == "best") return Settings::Exchange::best;
  if (text == "nccl") return Settings::Exchange::nccl;
  if (text == "sockets") return Settings::Exchange::sockets;
  throw std::invalid_argument(option + " takes best, nccl or sockets, not '" + text + "'");
}

// The only value so far; a word, so that every option has one.
bool launched(const std::string& option, const std::string& text) {
  if (text == "env") return true;
  throw std::invalid_argument(option + " takes env, not '" + text + "'");
}

std::string_view name(Activation activation) {
  return activation == Activation::relu ? "relu" : "gelu";
}

}  // namespace

Settings parse_settings(const std::vector<std::string>& arguments) {
  Settings settings;
  MoeConfig& config = settings.config;
  using Setter = std::function<void(const std::string& option, const std::string& text)>;
  const auto integer = [](int& target) -> Setter {
    return [&target](auto& option, auto& text) { target = number<int>(option, text); };
  };
  const auto real = [](float& target) -> Setter {
    return [&target](auto& option, auto& text) { target = number<float>(option, text); };
  };
  const auto string = [](std::string& target) -> Setter {
    return [&target](auto&, auto& text) { target = text; };
  };
  const std::map<std::string, Setter> setters{
      {"--tokens", integer(config.T)},
      {"--width", integer(config.D)},
      {"--hidden", integer(config.H)},
      {"--experts", integer(config.E)},
      {"--top", integer(config.K)},
      {"--alpha", real(config.aux_alpha)},
      {"--activation", [&](auto& o, auto& text) { config.activation = activation(o, text); }},
      {"--lr", real(settings.lr)},
      {"--steps", integer(settings.steps)},
      {"--seed", [&](auto& o, auto& t) { settings.seed = number<std::uint64_t>(o, t); }},
      {"--report-every", integer(settings.report_every)},
      {"--object", [&](auto&, auto& text) { settings.objects.push_back(text); }},
      {"--checkpoint", string(settings.checkpoint)},
      {"--resume", string(settings.resume)},
      {"--ranks", integer(settings.ranks)},
      {"--world", [&](auto& o, auto& text) { settings.world = launched(o, text); }},
      {"--exchange", [&](auto& o, auto& text) { settings.exchange = exchange(o, text); }},
      {"--bench", integer(settings.bench)},
  };
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const auto setter = setters.find(arguments[i]);
    if (setter == setters.end()) {
      throw std::invalid_argument("there is no option '" + arguments[i] + "'");
    }
    if (i + 1 == arguments.size()) throw std::invalid_argument(arguments[i] + " takes a value");
    setter->second(arguments[i], arguments[i + 1]);
    settings.given.insert(arguments[i]);
  }
  if (settings.ranks < 1 || settings.ranks > kMostRanks) {
    throw std::invalid_argument(
        fmt::format("--ranks takes 1 to {}, not {}", kMostRanks, settings.ranks));
  }
  if (settings.world && settings.ranks > 1) {
    throw std::invalid_argument(
        "--world env takes the ranks that were started; --ranks starts them");
  }
  return settings;
}

void check_same(const Settings& given, const Settings& checkpoint) {
  const auto same = [&](const char* option, const auto& asked, const auto& kept) {
    if (!given.given.contains(option) || asked == kept) return;
    throw std::invalid_argument(fmt::format(
        "{} {} contradicts the checkpoint, which was begun with {}", option, asked, kept));
  };
  const MoeConfig &asked = given.config, &kept = checkpoint.config;
  same("--tokens", asked.T, kept.T);
  same("--width", asked.D, kept.D);
  same("--hidden", asked.H, kept.H);
  same("--experts", asked.E, kept.E);
  same("--top", asked.K, kept.K);
  same("--activation", name(asked.activation), name(kept.activation));
  same("--alpha", asked.aux_alpha, kept.aux_alpha);
  same("--lr", given.lr, checkpoint.lr);
  same("--seed", given.seed, checkpoint.seed);
}

}  // namespace train
