#include "serve/module.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "cli/error.h"
#include "machine/packages.h"

namespace grade::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackage = "httplib";

// Built after the last change of its sources.
bool up_to_date(const fs::path& module, const Paths& paths) {
  std::error_code error;
  const auto built = fs::last_write_time(module, error);
  if (error) return false;
  const fs::path sources = paths.root / "grader";
  const std::array files{sources / "http" / "server.cpp", sources / "http" / "connections.cpp",
                         sources / "http" / "connections.h", sources / "src" / "serve" / "http.h"};
  return std::all_of(files.begin(), files.end(), [&](const fs::path& file) {
    const auto changed = fs::last_write_time(file, error);
    return error || changed <= built;
  });
}

void require_package(const Paths& paths) {
  const std::vector<Package> packages = find_packages(paths.root / "tools" / "packages.tsv");
  const auto package = std::find_if(packages.begin(), packages.end(),
                                    [](const Package& each) { return each.name == kPackage; });
  if (package == packages.end() || package->there) return;
  std::string commands;
  for (const std::string& command : install_commands({&*package}, "/etc/os-release")) {
    commands += "\n  " + command;
  }
  throw Error(Exit::unavailable, "`grade serve` needs the library cpp-httplib, which is not here",
              "Install it, then run the same command again:" + commands +
                  "\nWithout it, `grade site DIR` writes the same pages as files.");
}

}  // namespace

std::unique_ptr<HttpServer> make_server(const Paths& paths, Handlers handlers,
                                        const Limits& limits) {
  const fs::path module = paths.executable.parent_path() / "grade-http.so";
  if (!up_to_date(module, paths)) {
    require_package(paths);
    BuildTree(paths, Backend::cpu).ensure({"grade-http"});
  }
  void* const library = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string reason = dlerror();
    require_package(paths);
    throw Error(Exit::unavailable, fmt::format("cannot load the server: {}", reason),
                fmt::format("Delete {} and run the command again.", module.string()));
  }
  const auto make = reinterpret_cast<MakeServer>(dlsym(library, make_server_name));
  if (make == nullptr) {
    throw Error(Exit::unavailable, fmt::format("{} is not the server's module", module.string()),
                "Delete it and run the command again.");
  }
  return std::unique_ptr<HttpServer>(make(std::move(handlers), limits));
}

}  // namespace grade::serve
