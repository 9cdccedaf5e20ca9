#include "cases.h"

#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // a crash is the parent's to report
#include <doctest/doctest.h>

#include <sstream>

#include "session.h"
#include "verdict.h"

namespace testing {
namespace {

constexpr const char* bench_suite = "bench";  // as in BENCH_CASE

std::vector<std::string>* listing = nullptr;

// Collects names when doctest is asked for its list.
class NameCollector : public doctest::IReporter {
 public:
  explicit NameCollector(const doctest::ContextOptions&) {}

  void report_query(const doctest::QueryData& query) override {
    for (unsigned i = 0; i < query.num_data && listing != nullptr; ++i) {
      listing->emplace_back(query.data[i]->m_name);
    }
  }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_REPORTER("names", 0, NameCollector);

// Follows the running case for the session, and reports it to the parent.
class CaseListener : public NameCollector {
 public:
  using NameCollector::NameCollector;

  void report_query(const doctest::QueryData&) override {}

  void test_case_start(const doctest::TestCaseData& data) override {
    name_ = data.m_name;
    message_.clear();
    session().begin_case(name_);
    if (session().verdict != nullptr) session().verdict->case_start(name_);
  }

  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    Session& run = session();
    const bool passed = stats.failure_flags == doctest::TestCaseFailureReason::None;
    if (!passed) ++run.failed_cases;
    if (run.verdict == nullptr) return;
    const char* const status = passed ? "passed" : run.skipped ? "skipped" : "failed";
    run.verdict->case_end(name_, status, message_, run.mistake, stats.seconds);
  }

  void test_case_exception(const doctest::TestCaseException& exception) override {
    add(std::string("The grader itself failed: ") + exception.error_string.c_str());
  }

  void log_assert(const doctest::AssertData& data) override {
    if (!data.m_failed) return;
    add(std::string("The grader expected ") + data.m_expr + ", got " + data.m_decomp.c_str());
  }

  void log_message(const doctest::MessageData& data) override {
    if (data.m_severity != doctest::assertType::is_warn) add(data.m_string.c_str());
  }

 private:
  std::string name_;
  std::string message_;

  void add(const std::string& text) { message_ += (message_.empty() ? "" : "\n") + text; }
};
DOCTEST_REGISTER_LISTENER("cases", 1, CaseListener);

std::string filter(const std::string& name) {
  std::string escaped;
  for (const char c : name) {
    if (c == ',' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void choose(doctest::Context& context, CaseKind kind) {
  context.addFilter(kind == CaseKind::bench ? "test-suite" : "test-suite-exclude", bench_suite);
}

}  // namespace

std::vector<std::string> all_cases(CaseKind kind) {
  std::vector<std::string> names;
  listing = &names;
  const char* const query[] = {"grader", "--list-test-cases", "--reporters=names"};
  doctest::Context context(3, query);
  std::ostringstream nowhere;
  context.setCout(&nowhere);
  choose(context, kind);
  context.run();
  listing = nullptr;
  return names;
}

bool run_cases(CaseKind kind, const std::vector<std::string>& names) {
  if (names.empty()) return true;  // a shard may have none
  doctest::Context context;
  choose(context, kind);
  for (const std::string& name : names) context.addFilter("test-case", filter(name).c_str());
  context.setOption("case-sensitive", true);
  if (session().verdict != nullptr) context.addFilter("reporters", "none");
  return context.run() == 0;
}

}  // namespace testing
