#include "site/last_run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "site/html.h"
#include "site/state.h"

namespace grade::site {
namespace {

using nlohmann::json;

constexpr std::size_t kDiagnosticsShown = 5;

std::string text_of(const json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string position(const json& place) {
  return place.is_array() && place.size() == 3
             ? fmt::format("({},{},{})", place[0].get<unsigned>(), place[1].get<unsigned>(),
                           place[2].get<unsigned>())
             : "?";
}

std::string headline(const json& report) {
  const std::string status = text_of(report, "status");
  const json& cases = report.at("cases");
  const auto passed = std::count_if(cases.begin(), cases.end(), [](const json& each) {
    return text_of(each, "status") == "passed";
  });
  std::string facts;
  if (!cases.empty()) facts += fmt::format("<span>{} of {} cases</span>", passed, cases.size());
  facts += fmt::format("<span>{}</span>", escaped(text_of(report, "backend")));
  if (report.at("seed").is_number()) {
    facts += fmt::format("<span>seed {}</span>", report.at("seed").get<std::uint64_t>());
  }
  const std::string time = text_of(report, "time");
  facts += fmt::format("<time datetime=\"{}\">{}</time>", escaped(time), escaped(shown_time(time)));
  return fmt::format("<p class=\"verdict {}\"><strong>{}</strong>{}</p>\n",
                     status == "passed" ? "good" : "bad", escaped(in_words(status)), facts);
}

std::string excerpt(const json& diagnostic, const char* field, const char* line_field,
                    const LinkOfName& link) {
  const auto source = diagnostic.find(field);
  if (source == diagnostic.end()) return {};
  const std::size_t here = diagnostic.at(line_field);
  std::size_t number = source->at("first");
  std::string html;
  for (const json& line : source->at("lines")) {
    std::string code = cpp_html(line.get<std::string>(), link);
    if (code.ends_with('\n')) code.pop_back();
    html += fmt::format("<span class=\"line{}\"><span class=\"at\">{}</span>{}</span>",
                        number == here ? " here" : "", number, code);
    ++number;
  }
  return "<pre class=\"cpp source\"><code>" + html + "</code></pre>\n";
}

std::string diagnostic(const json& each, std::size_t cases, const LinkOfName& link) {
  const bool error = text_of(each, "severity") == "error";
  std::string where;
  if (each.at("line").get<int>() > 0) {
    where = fmt::format("<span>{}:{}</span>", escaped(text_of(each, "file")),
                        each.at("line").get<int>());
  }
  if (const std::string kernel = text_of(each, "kernel"); !kernel.empty()) {
    where += fmt::format("<span>block {}, thread {} of {}</span>", position(each.at("block")),
                         position(each.at("thread")), escaped(kernel));
  }
  if (cases > 1) where += fmt::format("<span>in {} cases</span>", cases);
  std::string source = excerpt(each, "source", "line", link);
  // The other access of a race, unless the first excerpt shows it already.
  const int apart = each.value("other_line", 0) - each.at("line").get<int>();
  if (apart < -2 || apart > 2) source += excerpt(each, "other_source", "other_line", link);
  return fmt::format(
      "<article class=\"finding {}\"><h3>{}</h3>\n<p class=\"where\">{}</p>\n<pre "
      "class=\"message\">{}</pre>\n{}</article>\n",
      error ? "bad" : "", escaped(in_words(text_of(each, "kind"))), where,
      escaped(text_of(each, "message")), source);
}

// One diagnostic for each kind and place: most come again in every case.
std::string diagnostics(const json& report, const LinkOfName& link) {
  std::vector<std::pair<const json*, std::size_t>> distinct;
  for (const json& each : report.at("diagnostics")) {
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const auto& known) {
      const json& other = *known.first;
      return other.at("kind") == each.at("kind") && other.at("line") == each.at("line") &&
             other.at("file") == each.at("file");
    });
    if (same == distinct.end()) {
      distinct.emplace_back(&each, 1);
    } else {
      ++same->second;
    }
  }
  std::string html;
  for (std::size_t i = 0; i < std::min(distinct.size(), kDiagnosticsShown); ++i) {
    html += diagnostic(*distinct[i].first, distinct[i].second, link);
  }
  if (distinct.size() > kDiagnosticsShown) {
    html += fmt::format("<p>{} more diagnostics.</p>\n", distinct.size() - kDiagnosticsShown);
  }
  return html;
}

std::string mistake_link(const std::string& slug, const Lesson& lesson) {
  for (const Mistake& each : lesson.mistakes) {
    if (each.slug != slug) continue;
    return fmt::format("<p>This looks like <a href=\"#mistake-{}\">{}</a>.</p>\n", each.slug,
                       escaped(each.title));
  }
  return {};
}

std::string failed_case(const json& each, const Lesson& lesson) {
  return fmt::format(
      "<article class=\"finding bad\"><h3>{}</h3>\n<pre class=\"message\">{}</pre>\n{}</article>\n",
      escaped(text_of(each, "name")), escaped(text_of(each, "message")),
      mistake_link(text_of(each, "mistake"), lesson));
}

// The first failure says most; the others can be opened. Cases left out until these pass are no
// failures.
std::string failures(const json& report, const Lesson& lesson, const LinkOfName& link) {
  std::vector<const json*> failed;
  for (const json& each : report.at("cases")) {
    if (text_of(each, "status") == "failed") failed.push_back(&each);
  }
  std::string html;
  if (!failed.empty()) html += failed_case(*failed.front(), lesson);
  html += diagnostics(report, link);
  if (failed.size() < 2) return html;
  html += fmt::format(
      "<details class=\"others\"><summary>{}</summary>\n",
      count_of(static_cast<int>(failed.size() - 1), "other case fails", "other cases fail"));
  for (std::size_t i = 1; i < failed.size(); ++i) html += failed_case(*failed[i], lesson);
  return html + "</details>\n";
}

std::string view(const json& report, const Lesson& lesson, const LinkOfName& link) {
  std::string html = headline(report);
  if (const std::string reason = text_of(report, "reason"); !reason.empty()) {
    html += "<p>" + escaped(reason) + "</p>\n";
  }
  if (const std::string messages = text_of(report, "compiler_messages");
      !messages.empty() && text_of(report, "status") != "passed") {
    html += "<pre class=\"message\">" + escaped(messages) + "</pre>\n";
  }
  html += failures(report, lesson, link);
  for (const json& note : report.at("notes")) {
    html += "<p class=\"note\">" + escaped(note.get<std::string>()) + "</p>\n";
  }
  return html;
}

}  // namespace

std::string last_run_html(std::string_view text, const Lesson& lesson, const LinkOfName& link) {
  const json report = json::parse(text, nullptr, false);
  try {
    return view(report, lesson, link);
  } catch (const json::exception&) {
    return {};
  }
}

}  // namespace grade::site
