#include "run/last_run.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "run/json.h"
#include "system/clock.h"
#include "system/files.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLinesRound = 2;
constexpr std::size_t kMostDiagnostics = 20;
constexpr std::size_t kMostText = 20'000;  // bytes of output and of the compiler's messages

fs::path file_of(const Paths& paths, std::string_view directory) {
  return paths.state() / "runs" / (std::string(directory) + ".json");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Below the root, paths are relative to it: the pages may leave this machine.
std::string below_root(const Paths& paths, const std::string& file) {
  const std::string root = paths.root.string() + "/";
  return file.starts_with(root) ? file.substr(root.size()) : file;
}

void shorten(json& report, const char* field) {
  if (std::string text = report.value(field, ""); text.size() > kMostText) {
    report[field] = text.substr(0, kMostText) + "\n…";
  }
}

// The lines round a place of the kernel.
void add_source(json& diagnostic, const char* file_field, const char* line_field,
                const char* source_field, const std::string& kernel,
                const std::vector<std::string>& source, const Paths& paths) {
  if (!diagnostic.contains(file_field)) return;
  const std::string file = below_root(paths, diagnostic.value(file_field, ""));
  diagnostic[file_field] = file;
  const std::size_t line = diagnostic.value(line_field, std::size_t{0});
  if (file != kernel || line == 0 || line > source.size()) return;
  const std::size_t first = line > kLinesRound ? line - kLinesRound : 1;
  const std::size_t last = std::min(line + kLinesRound, source.size());
  json excerpt = json::array();
  for (std::size_t i = first; i <= last; ++i) excerpt.push_back(source[i - 1]);
  diagnostic[source_field] = {{"first", first}, {"lines", std::move(excerpt)}};
}

}  // namespace

void keep_last_run(const ReportInput& input, int xp) {
  const Paths& paths = *input.paths;
  json report = json::parse(json_report(input, xp));
  report["time"] = utc_time(now_seconds());
  report["kernel"] = below_root(paths, report.value("kernel", ""));
  for (const char* field : {"output", "compiler_messages"}) shorten(report, field);
  json& diagnostics = report["diagnostics"];
  if (diagnostics.size() > kMostDiagnostics) {
    diagnostics.erase(diagnostics.begin() + kMostDiagnostics, diagnostics.end());
  }
  const std::vector<std::string> source =
      lines_of(read_file_if_there(input.file).value_or(std::string()));
  const std::string kernel = report["kernel"];
  for (json& each : diagnostics) {
    add_source(each, "file", "line", "source", kernel, source, paths);
    add_source(each, "other_file", "other_line", "other_source", kernel, source, paths);
  }
  // Renamed, so that a reader sees it whole; not synced, since the next run writes it anew.
  const fs::path file = file_of(paths, input.lesson->directory());
  const fs::path temporary = file.string() + "." + std::to_string(getpid());
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(temporary);
  out << report.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  out.close();
  if (out) {
    fs::rename(temporary, file, ignored);
  } else {  // no space: what was kept before stays
    fs::remove(temporary, ignored);
  }
}

std::optional<std::string> last_run(const Paths& paths, std::string_view directory) {
  return read_file_if_there(file_of(paths, directory));
}

}  // namespace grade
