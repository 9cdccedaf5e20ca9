#include "verify/bench_case.h"

#include <fmt/core.h>

#include <cmath>

#include "cli/error.h"
#include "run/grader_process.h"

namespace grade {
namespace {

constexpr std::chrono::seconds kLimit(20);
constexpr double kSlow = 4;  // seconds of a bench case, before it is worth a remark

// What is wrong with a question that predicts a count; empty: nothing.
std::string wrong_prediction(const Question& question, const CaseCounts& counts) {
  const auto count = counts.total.find(question.bench);
  if (count == counts.total.end()) {
    return fmt::format("nothing that is counted is called \"{}\"", question.bench);
  }
  if (std::abs(question.number - count->second) <= question.tolerance) return {};
  return fmt::format("the answer is {:g}, but the reference's {} is {:g} with {}", question.number,
                     question.bench, count->second, counts.shape);
}

}  // namespace

void check_bench_case(const Grading& grading, const Lesson& lesson,
                      const std::filesystem::path& reference, Findings& findings) {
  const auto found = [&](const std::string& what, Verdict verdict, const std::string& detail) {
    findings.push_back({lesson.directory(), "bench", what, verdict, detail});
  };
  RunResult run;
  try {
    run = grading.count(lesson, reference, fresh_seed(), kLimit);
  } catch (const Error& error) {
    return found("", Verdict::bad, error.what());
  }
  if (run.status != Status::passed) {
    return found("", Verdict::bad,
                 fmt::format("the reference's bench case: {} {}", name(run.status), run.reason));
  }
  if (run.counts.empty()) {
    return found("", Verdict::remark,
                 "grader.cpp has no BENCH_CASE: `grade bench` has nothing to count");
  }
  const CaseCounts& counts = run.counts.front();
  if (run.run_seconds > kSlow) {
    found(counts.shape, Verdict::remark, fmt::format("takes {:.1f} s", run.run_seconds));
  } else {
    found(counts.shape, Verdict::good, "");
  }
  for (const Question& question : lesson.quiz) {
    if (question.bench.empty()) continue;
    const std::string wrong = wrong_prediction(question, counts);
    found(question.id, wrong.empty() ? Verdict::good : Verdict::bad, wrong);
  }
}

}  // namespace grade
