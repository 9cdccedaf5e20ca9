// What the workbook needs from the system: tools/packages.tsv, the one list, and which of it is
// here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grade {

struct Package {
  std::string name;
  std::string need;  // required, recommended, test, optional
  std::string debian, fedora, arch;
  std::string why;

  bool there = false;
  std::string found;  // a program's version, or what is missing
};

// Throws Error(unavailable) when the list is not there or not readable.
std::vector<Package> find_packages(const std::filesystem::path& list);

// True when version `have` is at least `want`, number by number.
bool version_at_least(const std::string& have, const std::string& want);

// The command that installs the packages on this machine's distribution, or the commands for
// Debian/Ubuntu, Fedora and Arch when that is another one. One command a line.
std::vector<std::string> install_commands(const std::vector<const Package*>& packages,
                                          const std::filesystem::path& os_release);

}  // namespace grade
