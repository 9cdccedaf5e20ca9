#include "machine/packages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>

#include "cli/error.h"
#include "system/files.h"
#include "system/process.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// The first thing in the text that looks like a version: "g++ (Debian 12.2.0-14) 12.2.0" gives
// 12.2.0.
std::string first_version(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                        (i == 0 || text[i - 1] == ' ' || text[i - 1] == 'v' || text[i - 1] == 'V');
    if (!starts) continue;
    std::size_t end = i;
    while (end < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) {
      ++end;
    }
    if (text.substr(i, end - i).find('.') != std::string::npos) return text.substr(i, end - i);
  }
  return {};
}

std::string program_version(const std::string& program) {
  if (program == "g++") {
    const auto result = capture({program, "-dumpfullversion", "-dumpversion"});
    return result ? result->output.substr(0, result->output.find('\n')) : "";
  }
  const auto result = capture({program, "--version"});
  if (!result) return {};
  if (program != "nvcc") return first_version(result->output);
  const std::size_t release = result->output.find("release ");
  return release == std::string::npos ? "" : first_version(result->output.substr(release + 7));
}

// Which of the headers the compiler finds, in one go.
std::set<std::string> find_headers(const std::set<std::string>& headers) {
  std::string source;
  for (const std::string& header : headers) {
    source += fmt::format("#if __has_include(<{0}>)\n\"{0}\"\n#endif\n", header);
  }
  std::set<std::string> found;
  const auto result = capture({"g++", "-E", "-P", "-x", "c++", "-"}, source);
  if (!result || result->exit != 0) return found;
  for (const std::string& line : split(result->output, '\n')) {
    if (line.size() > 2 && line.front() == '"') found.insert(line.substr(1, line.size() - 2));
  }
  return found;
}

bool has_library(const std::string& name) {
  const auto result = capture({"g++", "-print-file-name=lib" + name + ".so"});
  return result && result->output.starts_with('/');
}

// Judges one probe: "program:g++>=12", "header:fmt/core.h" or "library:fmt".
void probe(Package& package, const std::string& text, const std::set<std::string>& headers) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string what = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "header") {
    if (headers.contains(what)) return;
    package.found = fmt::format("no header <{}>", what);
  } else if (kind == "library") {
    if (has_library(what)) return;
    package.found = fmt::format("no library lib{}.so", what);
  } else {
    const std::size_t least = what.find(">=");
    const std::string program = what.substr(0, least);
    if (!find_program(program).empty()) {
      package.found = program_version(program);
      if (least == std::string::npos || version_at_least(package.found, what.substr(least + 2)))
        return;
      package.found =
          fmt::format("{} is too old, {} is needed", package.found, what.substr(least + 2));
    } else {
      package.found = fmt::format("no program {}", program);
    }
  }
  package.there = false;
}

}  // namespace

std::vector<Package> find_packages(const fs::path& list) {
  std::vector<Package> packages;
  std::vector<std::vector<std::string>> probes;
  std::set<std::string> headers;
  for (const std::string& line : split(read_file(list), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(line, '\t');
    if (fields.size() != 7) {
      throw Error(
          Exit::unavailable,
          fmt::format("{}: a line has {} fields, not 7: {}", list.string(), fields.size(), line),
          "This file belongs to the workbook. Put it back (git checkout -- FILE).");
    }
    packages.push_back(
        {fields[0], fields[1], fields[3], fields[4], fields[5], fields[6], true, {}});
    probes.push_back(split(fields[2], ','));
    for (const std::string& each : probes.back()) {
      if (each.starts_with("header:")) headers.insert(each.substr(7));
    }
  }
  const std::set<std::string> found = find_headers(headers);
  for (std::size_t i = 0; i < packages.size(); ++i) {
    for (const std::string& each : probes[i]) {
      if (packages[i].there) probe(packages[i], each, found);
    }
  }
  return packages;
}

bool version_at_least(const std::string& have, const std::string& want) {
  const auto numbers = [](const std::string& version) {
    std::vector<int> parts;
    for (const std::string& part : split(version, '.')) {
      int number = 0;
      std::from_chars(part.data(), part.data() + part.size(), number);
      parts.push_back(number);
    }
    return parts;
  };
  std::vector<int> a = numbers(have);
  std::vector<int> b = numbers(want);
  a.resize(std::max(a.size(), b.size()));
  b.resize(a.size());
  return a >= b;
}

std::vector<std::string> install_commands(const std::vector<const Package*>& packages,
                                          const fs::path& os_release) {
  const auto joined = [&](std::string Package::*field) {
    std::set<std::string> names;
    for (const Package* package : packages) names.insert(package->*field);
    return fmt::format("{}", fmt::join(names, " "));
  };
  const std::string sudo = geteuid() == 0 ? "" : "sudo ";
  const std::string debian = sudo + "apt-get install " + joined(&Package::debian);
  const std::string fedora = sudo + "dnf install " + joined(&Package::fedora);
  const std::string arch = sudo + "pacman -S --needed " + joined(&Package::arch);

  std::set<std::string> like;
  std::istringstream lines(read_file_if_there(os_release).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("ID=") && !line.starts_with("ID_LIKE=")) continue;
    std::string value = line.substr(line.find('=') + 1);
    std::erase(value, '"');
    for (const std::string& name : split(value, ' ')) like.insert(name);
  }
  if (like.contains("debian") || like.contains("ubuntu")) return {debian};
  if (like.contains("fedora") || like.contains("rhel")) return {fedora};
  if (like.contains("arch")) return {arch};
  return {"Debian, Ubuntu:  " + debian, "Fedora:  " + fedora, "Arch:  " + arch,
          "Elsewhere: tools/Dockerfile has them all"};
}

}  // namespace grade
