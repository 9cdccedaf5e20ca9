// How a command declares its arguments: the part of CLI11 that the commands use. CLI11's header
// takes seconds to compile, so that only cli/application.cpp includes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace grade {

// Names are written as CLI11 takes them: "--seed", or "-n,--lines". The variables must live until
// the command has run; they keep their value when the option is not given. An empty value is a
// usage error, whatever the option or argument.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  void flag(const std::string& names, bool& value, const std::string& help);

  // `shown` stands for the value in the help text ("N", "PATH").
  void option(const std::string& names, std::string& value, const std::string& shown,
              const std::string& help);
  void option(const std::string& names, int& value, const std::string& shown,
              const std::string& help);
  void option(const std::string& names, double& value, const std::string& shown,
              const std::string& help);
  void option(const std::string& names, std::optional<int>& value, const std::string& shown,
              const std::string& help);
  // 0 to 2^64 - 1, without a sign.
  void option(const std::string& names, std::optional<std::uint64_t>& value,
              const std::string& shown, const std::string& help);
  void option(const std::string& names, std::optional<double>& value, const std::string& shown,
              const std::string& help);
  // May be given more than once.
  void option(const std::string& names, std::vector<std::string>& value, const std::string& shown,
              const std::string& help);
  // One of the allowed words.
  void choice(const std::string& names, std::string& value, const std::vector<std::string>& allowed,
              const std::string& help);

  // Without dashes, by position.
  enum class Need { required, optional };
  void argument(const std::string& shown, std::string& value, const std::string& help,
                Need need = Need::required);
  void arguments(const std::string& shown, std::vector<std::string>& values,
                 const std::string& help, Need need = Need::optional);

  // The two options cannot be given together.
  void excludes(const std::string& name, const std::string& other);
  // A paragraph after the list of options.
  void footer(const std::string& text);

 private:
  CLI::App& app_;
};

}  // namespace grade
