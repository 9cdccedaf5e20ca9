#include "commands/bench_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "commands/quiz_view.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

using Values = CaseCounts::Values;

constexpr int kNameWidth = 27;
constexpr int kValueWidth = 13;
constexpr double kWorse = 1.1;  // than the best, before a row is marked

double at(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

// above / below, or nothing where there is nothing to divide.
std::optional<double> ratio(const Values& values, const std::string& above,
                            const std::string& below) {
  const double divisor = at(values, below);
  if (divisor == 0) return std::nullopt;
  return at(values, above) / divisor;
}

struct Row {
  std::string name;
  std::string meaning;  // one line
  std::function<std::optional<double>(const Values&)> value;
  std::function<std::optional<double>(const Values&)> best;  // may be empty
  bool more_is_better = false;
};

Row count(const std::string& name, const std::string& field, const std::string& meaning) {
  return {name,
          meaning,
          [field](const Values& v) -> std::optional<double> {
            const double value = at(v, field);
            if (value == 0) return std::nullopt;
            return value;
          },
          {},
          false};
}

Row quotient(const std::string& name, const std::string& above, const std::string& below,
             const std::string& best, const std::string& meaning) {
  Row row{name, meaning, [=](const Values& v) { return ratio(v, above, below); }, {}, false};
  if (!best.empty()) row.best = [=](const Values& v) { return ratio(v, best, below); };
  return row;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> list;
    list.push_back(count("launches", "launches", "kernel launches of one call"));
    list.push_back(count("load requests", "load_requests",
                         "instructions that load from global memory, one a warp"));
    list.push_back(quotient("sectors per load request", "load_sectors", "load_requests",
                            "load_best_sectors",
                            "32-byte pieces it fetches; best: with its lanes side by side"));
    list.push_back(count("store requests", "store_requests",
                         "instructions that store to global memory, one a warp"));
    list.push_back(quotient("sectors per store request", "store_sectors", "store_requests",
                            "store_best_sectors", "32-byte pieces it writes to"));
    list.push_back(count("atomic requests", "atomic_requests",
                         "atomic instructions on global memory, one a warp"));
    list.push_back(quotient("lanes at one address", "atomic_crowd", "atomic_requests", "",
                            "of an atomic request: they wait for each other"));
    list.push_back(count("bytes asked for", "bytes_asked",
                         "what the threads load and store, each for itself"));
    list.push_back(count("bytes moved", "bytes_moved",
                         "32 for each sector of each request: nothing is cached here"));
    list.push_back(count("bytes at least", "bytes_least",
                         "32 for each different sector: with a perfect cache"));
    list.push_back({"shared requests",
                    "loads, stores, atomics of shared memory, one a warp",
                    [](const Values& v) -> std::optional<double> {
                      const double sum = at(v, "shared_load_requests") +
                                         at(v, "shared_store_requests") +
                                         at(v, "shared_atomic_requests");
                      if (sum == 0) return std::nullopt;
                      return sum;
                    },
                    {},
                    false});
    const auto per_shared = [](std::initializer_list<const char*> fields) {
      return [fields = std::vector<std::string>(fields.begin(), fields.end())](
                 const Values& v) -> std::optional<double> {
        const double requests = at(v, "shared_load_requests") + at(v, "shared_store_requests") +
                                at(v, "shared_atomic_requests");
        if (requests == 0) return std::nullopt;
        double sum = 0;
        for (const std::string& field : fields) sum += at(v, field);
        return sum / requests;
      };
    };
    list.push_back(
        {"passes per shared request", "more than the best are bank conflicts",
         per_shared({"shared_load_passes", "shared_store_passes", "shared_atomic_passes"}),
         per_shared(
             {"shared_load_best_passes", "shared_store_best_passes", "shared_atomic_best_passes"}),
         false});
    list.push_back({"active lanes of 32",
                    "that run together; fewer: they took different ways",
                    [](const Values& v) { return ratio(v, "step_lanes", "steps"); },
                    {},
                    true});
    list.push_back(count("barriers", "barriers", "__syncthreads(), once a block"));
    list.push_back(count("warp operations", "warp_operations",
                         "shuffles, votes and __syncwarp(), once a warp"));
    list.push_back(count("floating-point operations", "flops", "+ - * / and roots; an fma is two"));
    list.push_back(quotient("operations per byte moved", "flops", "bytes_moved", "",
                            "a GPU balances at some 10 to 80"));
    return list;
  }();
  return all;
}

// A dash for what a side does not do.
std::string cell(std::optional<double> value) {
  return terminal::pad_left(value ? count_in_words(*value) : "-", kValueWidth);
}

class Table {
 public:
  Table(Terminal& out, const std::vector<BenchColumn>& columns) : out_(out), columns_(columns) {}

  void print() {
    std::size_t kernels = 0;
    for (const BenchColumn& column : columns_) {
      kernels = std::max(kernels, column.counts->kernels.size());
    }
    for (std::size_t i = 0; i < kernels; ++i) {
      std::vector<const Values*> values;
      for (const BenchColumn& column : columns_) {
        const auto& list = column.counts->kernels;
        values.push_back(i < list.size() ? &list[i].values : nullptr);
      }
      print_kernel(names(i), values);
    }
    if (kernels > 1) {
      std::vector<const Values*> values;
      for (const BenchColumn& column : columns_) values.push_back(&column.counts->total);
      print_kernel("all kernels", values);
    }
    print_meanings();
  }

 private:
  std::string names(std::size_t i) const {
    std::vector<std::string> found;
    for (const BenchColumn& column : columns_) {
      const auto& list = column.counts->kernels;
      const std::string name = i < list.size() ? terminal::printable(list[i].name) : "-";
      if (found.empty() || found.back() != name) found.push_back(name);
    }
    return found.size() == 1 ? found[0] : fmt::format("{} | {}", found[0], found[1]);
  }

  void print_kernel(const std::string& name, const std::vector<const Values*>& sides) {
    out_.line();
    std::string head = terminal::pad_right(terminal::truncate(name, kNameWidth), kNameWidth);
    head = out_.style(Style::bold, head);
    for (const BenchColumn& column : columns_)
      head += terminal::pad_left(column.title, kValueWidth);
    out_.line(head);
    for (const Row& row : rows()) print_row(row, sides);
  }

  void print_row(const Row& row, const std::vector<const Values*>& sides) {
    std::string line = "  " + terminal::pad_right(row.name, kNameWidth - 2);
    bool any = false;
    for (const Values* side : sides) {
      const std::optional<double> value = side == nullptr ? std::nullopt : row.value(*side);
      any = any || value;
      line += cell(value);
    }
    if (!any) return;
    shown_.push_back(&row);
    if (row.best && sides.front() != nullptr) {
      const std::optional<double> best = row.best(*sides.front());
      const std::optional<double> own = row.value(*sides.front());
      if (best && own) {
        const bool worse = *own > *best * kWorse;
        const std::string text = fmt::format("best {}", count_in_words(*best));
        line +=
            "  " + (worse ? out_.style(Style::warning, out_.symbol(Symbol::warning) + " " + text)
                          : out_.style(Style::dim, "  " + text));
      }
    }
    if (row.more_is_better && sides.front() != nullptr) {
      const std::optional<double> own = row.value(*sides.front());
      if (own && *own * kWorse < 32) {
        line += "  " + out_.style(Style::warning, out_.symbol(Symbol::warning) + " best 32");
      }
    }
    out_.line(terminal::truncate(line, out_.columns()));
  }

  void print_meanings() {
    out_.line();
    for (const Row& row : rows()) {
      if (std::find(shown_.begin(), shown_.end(), &row) == shown_.end()) continue;
      out_.paragraph(out_.style(Style::dim, fmt::format("{}: {}", row.name, row.meaning)), 2);
    }
  }

  Terminal& out_;
  const std::vector<BenchColumn>& columns_;
  std::vector<const Row*> shown_;
};

}  // namespace

std::string count_in_words(double value) {
  if (value != std::floor(value)) return fmt::format("{:.2f}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

void print_counts(Terminal& out, const std::vector<BenchColumn>& columns) {
  Table(out, columns).print();
}

std::vector<std::string> count_differences(const Terminal& out, const BenchColumn& left,
                                           const BenchColumn& right) {
  std::vector<std::string> lines;
  for (const Row& row : rows()) {
    const std::string one = cell(row.value(left.counts->total));
    const std::string other = cell(row.value(right.counts->total));
    if (one == other) continue;
    lines.push_back("  " + terminal::pad_right(row.name, kNameWidth - 2) + one + other);
  }
  if (lines.empty()) return lines;
  lines.insert(lines.begin(),
               std::string(kNameWidth, ' ') +
                   out.style(Style::bold, terminal::pad_left(left.title, kValueWidth) +
                                              terminal::pad_left(right.title, kValueWidth)));
  for (std::string& line : lines) line = terminal::truncate(line, out.columns());
  return lines;
}

std::vector<Prediction> compare_predictions(const Lesson& lesson, const LessonProgress& progress,
                                            const CaseCounts& counts) {
  std::vector<Prediction> predictions;
  for (const Question& question : lesson.quiz) {
    if (question.bench.empty()) continue;
    Prediction prediction;
    prediction.question = &question;
    const auto count = counts.total.find(question.bench);
    prediction.known = count != counts.total.end();
    if (prediction.known) prediction.counted = count->second;
    if (const auto given = progress.quiz.find(question.id); given != progress.quiz.end()) {
      if (const auto value = parse_number(given->second.answer)) {
        prediction.answer = given->second.answer;
        prediction.predicted = *value;
        const double allowed = question.number == 0 ? question.tolerance
                                                    : prediction.counted * question.tolerance /
                                                          std::abs(question.number);
        prediction.within =
            prediction.known && std::abs(*value - prediction.counted) <= allowed * (1 + 1e-9);
      }
    }
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

void print_predictions(Terminal& out, const Lesson& lesson,
                       const std::vector<Prediction>& predictions) {
  for (const Prediction& each : predictions) {
    out.line();
    if (!each.known) {
      out.paragraph(fmt::format("question {} predicts \"{}\", which nobody counts",
                                each.question->id, each.question->bench));
      continue;
    }
    const std::string counted =
        fmt::format("{} {}", each.question->bench, count_in_words(each.counted));
    if (each.answer.empty()) {
      out.paragraph(fmt::format("{} counted: {}. You have predicted nothing yet: `grade quiz {}`.",
                                out.symbol(Symbol::todo), counted, lesson.number));
      continue;
    }
    const Style style = each.within ? Style::good : Style::bad;
    const Symbol symbol = each.within ? Symbol::passed : Symbol::failed;
    out.paragraph(fmt::format(
        "{} your prediction: {}; counted: {} ({}{})", out.style(style, out.symbol(symbol)),
        terminal::printable(each.answer), counted,
        each.counted == 0
            ? std::string()
            : fmt::format("off by {:.0f} %, ", 100 * std::abs(each.predicted / each.counted - 1)),
        each.within ? "near enough" : "not near enough"));
  }
}

}  // namespace grade
