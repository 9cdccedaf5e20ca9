#include "verify/mutant.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "system/files.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFewest = 4;

// A wrong output, and the kinds of diagnostics of `grade --json`.
constexpr std::array kReasons = {
    "value",
    "race",
    "out_of_bounds",
    "use_after_free",
    "uninitialized_read",
    "misaligned",
    "leak",
    "wrong_stream",
    "forbidden_call",
    "input_written",
    "launch_error",
    "host_access",
    "device_assert",
    "deadlock",
    "endless_loop",
    "barrier_divergence",
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The number of letters to change, add or drop to turn one word into the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row.back();
}

Mutant read_mutant(const fs::path& file, const std::string& lesson, Findings& findings) {
  Mutant mutant;
  mutant.file = file;
  mutant.name = file.stem().string();
  std::string on;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    const auto value = [&](const char* key) -> std::string {
      const std::string start = fmt::format("// {}:", key);
      return line.starts_with(start) ? trimmed(line.substr(start.size())) : std::string();
    };
    if (auto text = value("mistake"); !text.empty()) mutant.mistake = text;
    if (auto text = value("why"); !text.empty()) mutant.why = text;
    if (auto text = value("rejected-on"); !text.empty()) on = text;
    std::istringstream reasons(value("rejected-for"));
    for (std::string reason; std::getline(reasons, reason, ',');) {
      mutant.rejected_for.push_back(trimmed(reason));
    }
  }
  mutant.cpu_only = on == "cpu";
  const auto bad = [&](const std::string& detail) {
    findings.push_back({lesson, "mutant header", mutant.name, Verdict::bad, detail});
  };
  if (mutant.mistake.empty()) bad("no `// mistake:` line");
  if (mutant.why.empty()) bad("no `// why:` line");
  if (mutant.rejected_for.empty()) bad("no `// rejected-for:` line");
  if (on != "cpu" && on != "both") bad("`// rejected-on:` says neither both nor cpu");
  for (const std::string& reason : mutant.rejected_for) {
    if (std::find(kReasons.begin(), kReasons.end(), reason) == kReasons.end()) {
      bad(fmt::format("\"{}\" is no reason to be rejected for", reason));
    }
  }
  return mutant;
}

}  // namespace

std::vector<Mutant> read_mutants(const fs::path& folder, const Lesson& lesson, Findings& findings) {
  std::vector<Mutant> mutants;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".cu") {
      mutants.push_back(read_mutant(entry.path(), lesson.directory(), findings));
    }
  }
  std::sort(mutants.begin(), mutants.end(),
            [](const Mutant& a, const Mutant& b) { return a.name < b.name; });
  return mutants;
}

void check_mutant_names(const Lesson& lesson, const std::vector<Mutant>& mutants,
                        Findings& findings) {
  const auto add = [&](Verdict verdict, const std::string& what, const std::string& detail) {
    findings.push_back({lesson.directory(), "mistakes and mutants", what, verdict, detail});
  };
  const std::size_t before = findings.size();
  if (mutants.size() < kFewest) {
    add(Verdict::bad, "",
        fmt::format("{}; at least {} are due",
                    terminal::counted(std::ssize(mutants), "mutant", "mutants"), kFewest));
  }
  for (const Mistake& mistake : lesson.mistakes) {
    if (std::none_of(mutants.begin(), mutants.end(),
                     [&](const Mutant& mutant) { return mutant.mistake == mistake.slug; })) {
      add(Verdict::bad, mistake.slug, "no mutant makes this mistake");
    }
  }
  for (const Mutant& mutant : mutants) {
    for (const Mistake& mistake : lesson.mistakes) {
      if (mutant.mistake != mistake.slug && distance(mutant.mistake, mistake.slug) <= 2) {
        add(Verdict::bad, mutant.name,
            fmt::format("its mistake \"{}\" is almost \"{}\"", mutant.mistake, mistake.slug));
      }
    }
  }
  if (findings.size() == before) {
    add(Verdict::good, "", terminal::counted(std::ssize(mutants), "mutant", "mutants"));
  }
}

}  // namespace grade
