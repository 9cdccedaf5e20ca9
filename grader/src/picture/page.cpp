#include "picture/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "picture/assets.h"
#include "picture/sentences.h"
#include "render/markup.h"
#include "terminal/text.h"

namespace grade {
namespace {

using nlohmann::json;

// Inside a script element nothing may look like its end, or like a comment's begin.
std::string for_script(const json& data) {
  std::string result;
  for (const char c : data.dump(-1, ' ', false, json::error_handler_t::replace)) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

// ---- What the script draws from: short names, since there may be a thousand steps ----

json drawn(const Trace::Launch& launch) {
  return {{"name", launch.kernel},
          {"line", launch.line},
          {"grid", launch.grid},
          {"block", launch.block},
          {"shown", launch.shown}};
}

json drawn(const Trace::Array& array) {
  return {{"name", array.name},     {"shared", array.shared},   {"bytes", array.element_bytes},
          {"length", array.length}, {"extents", array.extents}, {"axes", array.axes},
          {"offset", array.offset}};
}

json drawn(const Trace::Step& step) {
  json result{{"k", step.kind}, {"b", step.block}, {"p", step.place}};
  if (step.launch != 0) result["l"] = step.launch;
  if (step.is_barrier()) {
    if (step.missing != 0 || step.mismatch) result["bad"] = true;
    return result;
  }
  result["w"] = step.warp;
  result["m"] = step.lanes;
  if (!step.is_access()) return result;
  if (step.shared) result["s"] = true;
  result["y"] = step.bytes;
  result["c"] = {step.transactions, step.best};
  result["at"] = json::array();
  for (const Trace::Part& part : step.parts) {
    result["at"].push_back({part.array, part.lanes, part.elements});
  }
  return result;
}

json drawn(const Trace::Finding& finding) {
  json result{{"e", finding.error}, {"t", finding.step}, {"a", finding.array}};
  if (finding.other_known) result["o"] = finding.other_step;
  result["h"] = json::array();
  for (const Trace::Finding::Hit& hit : finding.hits) {
    result["h"].push_back({hit.lane, hit.element, hit.other_lane});
  }
  return result;
}

template <class T>
json list(const std::vector<T>& values) {
  json result = json::array();
  for (const T& value : values) result.push_back(drawn(value));
  return result;
}

// Of each place its line's id in the page; nothing where the source isn't shown.
json line_ids(const Picture& picture) {
  json result = json::array();
  for (const Trace::Place& place : picture.trace.places) {
    std::string id;
    for (std::size_t i = 0; i < picture.sources.size(); ++i) {
      const PictureSource& source = picture.sources[i];
      if (source.file == place.file && place.line > 0 &&
          static_cast<std::size_t>(place.line) <= source.lines.size()) {
        id = fmt::format("s{}-{}", i, place.line);
      }
    }
    result.push_back(id);
  }
  return result;
}

// ---- Parts of the page ----

std::string quoted_line(const Picture& picture, const Trace::Place& place) {
  for (const PictureSource& source : picture.sources) {
    if (source.file != place.file || place.line <= 0 ||
        static_cast<std::size_t>(place.line) > source.lines.size()) {
      continue;
    }
    const std::string& line = source.lines[static_cast<std::size_t>(place.line) - 1];
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

std::string launches_text(const Trace& trace) {
  std::string text;
  for (const Trace::Launch& launch : trace.launches) {
    const auto& [gx, gy, gz] = launch.grid;
    text += fmt::format("<li><code>{}</code>: {} of {}, {}{}</li>\n", escaped(launch.kernel),
                        number_of(std::size_t{gx} * gy * gz, "block", "blocks"),
                        number_of(std::size_t{launch.block[0]} * launch.block[1] * launch.block[2],
                                  "thread", "threads"),
                        triple_in_words(launch.block),
                        launch.shown ? fmt::format(", {}", number_of(launch.steps, "step", "steps"))
                                     : ", of a lesson that this one calls: not shown");
  }
  return text;
}

// What is missing from the picture, or nothing.
std::string left_out_text(const Trace& trace) {
  std::string text;
  const auto add = [&](std::size_t count, const std::string& sentence) {
    if (count > 0) text += (text.empty() ? "" : " ") + sentence;
  };
  add(trace.steps_left_out,
      fmt::format("The picture ends after {}; the run went on for {} more.",
                  number_of(trace.steps.size(), "step", "steps"), trace.steps_left_out));
  add(trace.launches_left_out,
      fmt::format("{} came later and are not shown.",
                  number_of(trace.launches_left_out, "launch", "launches")));
  add(trace.arrays_left_out, fmt::format("There are more arrays than are drawn: {} lie in others.",
                                         number_of(trace.arrays_left_out, "access", "accesses")));
  add(trace.findings_left_out,
      fmt::format("Of what the checks found {} more could not be placed in a step shown here.",
                  trace.findings_left_out));
  return text;
}

std::size_t step_of(const Picture& picture, const ReportedDiagnostic& diagnostic) {
  const Trace& trace = picture.trace;
  const auto line_of = [&](std::size_t step) { return trace.places[trace.steps[step].place].line; };
  for (const Trace::Finding& finding : trace.findings) {
    if (finding.kind != diagnostic.kind) continue;
    const int line = line_of(finding.step);
    const int other = finding.other_known ? line_of(finding.other_step) : 0;
    if (diagnostic.other_line == 0
            ? line == diagnostic.line
            : std::minmax(line, other) == std::minmax(diagnostic.line, diagnostic.other_line)) {
      return finding.step;
    }
  }
  if (diagnostic.kind == "barrier_divergence") {
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      if (trace.steps[i].missing > 0 || trace.steps[i].mismatch) return i;
    }
  }
  return trace.steps.size();
}

// Whether a read of nothing matters is known to the grader alone.
void judge_reads(Picture& picture) {
  Trace& trace = picture.trace;
  for (Trace::Finding& finding : trace.findings) {
    const int line = trace.places[trace.steps[finding.step].place].line;
    finding.error = finding.error ||
                    std::ranges::any_of(picture.diagnostics, [&](const ReportedDiagnostic& each) {
                      return each.error && each.kind == finding.kind && each.line == line &&
                             finding.kind == "uninitialized_read";
                    });
  }
}

std::string diagnostics_html(const Picture& picture) {
  if (picture.diagnostics.empty()) return {};
  const bool error = std::ranges::any_of(picture.diagnostics, &ReportedDiagnostic::error);
  std::string html = fmt::format(
      "<section class=\"found {}\" aria-labelledby=\"found\">\n<h2 id=\"found\">The checks "
      "found</h2>\n<ul>\n",
      error ? "wrong" : "noted");
  for (const ReportedDiagnostic& diagnostic : picture.diagnostics) {
    html += fmt::format("<li><pre>{}</pre>", escaped(terminal::printable(diagnostic.message)));
    if (const std::size_t step = step_of(picture, diagnostic); step < picture.trace.steps.size()) {
      html += fmt::format("<button type=\"button\" data-step=\"{}\">Show step {}</button>", step,
                          step + 1);
    }
    html += "</li>\n";
  }
  return html + "</ul>\n</section>\n";
}

std::string sources_html(const Picture& picture) {
  std::string html;
  std::set<std::string> told;
  for (const Trace::Place& place : picture.trace.places) {
    if (place.line > 0) told.insert(fmt::format("{}:{}", place.file, place.line));
  }
  for (std::size_t i = 0; i < picture.sources.size(); ++i) {
    const PictureSource& source = picture.sources[i];
    html += fmt::format("<h3>{}</h3>\n<ol class=\"source\">\n", escaped(source.shown));
    for (std::size_t line = 0; line < source.lines.size(); ++line) {
      html += fmt::format(
          "<li id=\"s{}-{}\"{}><code>{}</code></li>\n", i, line + 1,
          told.contains(fmt::format("{}:{}", source.file, line + 1)) ? " class=\"touches\"" : "",
          escaped(terminal::printable(source.lines[line])));
    }
    html += "</ol>\n";
  }
  return html;
}

std::string steps_html(const Picture& picture) {
  const Trace& trace = picture.trace;
  std::string html = "<ol id=\"steps\">\n";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Trace::Place& place = trace.places[trace.steps[i].place];
    html += "<li>" + escaped(step_in_words(trace, i));
    if (place.line > 0) {
      html += fmt::format(" <span class=\"at\">Line {}: <code>{}</code></span>", place.line,
                          escaped(terminal::printable(quoted_line(picture, place))));
    }
    if (const std::string found = findings_in_words(trace, i); !found.empty()) {
      html += fmt::format(" <strong>{}</strong>", escaped(found));
    }
    html += "</li>\n";
  }
  return html + "</ol>\n";
}

const char* verdict_of(const Picture& picture) {
  if (picture.status == Status::passed) return "The example comes out right.";
  return std::ranges::any_of(picture.diagnostics, &ReportedDiagnostic::error)
             ? "The checks found something wrong in it."
             : "The example does not come out right.";
}

constexpr const char* controls = R"html(<section class="player" aria-label="Steps">
<div class="controls">
<button type="button" id="first" title="First step (Home)" aria-label="First step">|←</button>
<button type="button" id="back" title="Back (←)" aria-label="Back">←</button>
<button type="button" id="play" title="Play (space)" aria-label="Play">▶ play</button>
<button type="button" id="on" title="On (→)" aria-label="On">→</button>
<button type="button" id="last" title="Last step (End)" aria-label="Last step">→|</button>
<label for="slider">Step <output id="number" for="slider"></output></label>
<button type="button" id="next-finding" title="Next finding (f)" hidden>Next finding</button>
<span class="keys"><kbd>←</kbd> <kbd>→</kbd> step, <kbd>space</kbd> play, <kbd>home</kbd> <kbd>end</kbd></span>
</div>
<svg id="timeline" aria-hidden="true" preserveAspectRatio="none"></svg>
<input type="range" id="slider" min="1" value="1" aria-describedby="caption">
<p id="caption" aria-live="polite"></p>
</section>
<section id="finding" aria-label="Race" hidden></section>
)html";

constexpr const char* legend = R"html(<details class="legend">
<summary>How to read it</summary>
<ul>
<li><span class="key lane">5</span> an element that a lane touches in this step; the number is the lane, and its colour that of the thread. <span class="key lane">0–7</span> several lanes, one element.</li>
<li><span class="key moved"></span> moved along: in the same 32-byte sector of global memory, but not asked for.</li>
<li><span class="key written"></span> written in an earlier step, <span class="key read"></span> read in an earlier step.</li>
<li><span class="key wrong">3</span> takes part in a race, or lies outside the array.</li>
<li>Shared memory has 32 banks; the bars count the different words that the lanes want of each. One pass serves one word of each bank.</li>
<li>In the strip a bar is a step: the taller, the more sectors or passes; <span class="key good"></span> no more than needed, <span class="key waste"></span> more than needed, <span class="key error"></span> something found; a grey line is a barrier.</li>
<li>A warp goes on until all its lanes wait, then the next one does. A GPU mixes warps as it likes: only a barrier orders them.</li>
</ul>
</details>
)html";

}  // namespace

std::string picture_page(const Picture& given) {
  Picture picture = given;
  judge_reads(picture);
  const Trace& trace = picture.trace;
  const json data{{"launches", list(trace.launches)},
                  {"arrays", list(trace.arrays)},
                  {"steps", list(trace.steps)},
                  {"findings", list(trace.findings)},
                  {"lines", line_ids(picture)}};
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}: run picture</title>\n<style>\n{1}</style>\n</head>\n<body>\n<header>\n"
      "<h1>{0}</h1>\n<p class=\"about\">What the CPU runtime saw of <code>{2}</code> in the case "
      "“{3}”{4}. {5}</p>\n<ul class=\"launches\">\n{6}</ul>\n",
      escaped(picture.title), picture_assets::style, escaped(picture.kernel),
      escaped(trace.case_name), trace.sizes.empty() ? "" : ", " + escaped(trace.sizes),
      verdict_of(picture), launches_text(trace));
  if (const std::string left_out = left_out_text(trace); !left_out.empty()) {
    html += fmt::format("<p class=\"cut\">{}</p>\n", escaped(left_out));
  }
  html += "</header>\n<main>\n" + diagnostics_html(picture);
  if (trace.steps.empty()) {
    html += fmt::format("<p class=\"cut\">{}</p>\n", nothing_in_words(trace));
  } else {
    html += controls;
    html +=
        "<div class=\"stage\">\n<div class=\"memory\">\n<section aria-labelledby=\"h-threads\">\n"
        "<h2 id=\"h-threads\">Threads of block <span id=\"block\"></span></h2>\n"
        "<div id=\"threads\"></div>\n</section>\n"
        "<section id=\"banks\" hidden aria-labelledby=\"h-banks\"><h2 id=\"h-banks\">Banks of "
        "shared memory</h2>\n<div class=\"scroll\"><svg id=\"bank-bars\"></svg></div></section>\n"
        "<section aria-labelledby=\"h-arrays\">\n<h2 id=\"h-arrays\">Arrays</h2>\n"
        "<div id=\"arrays\"></div>\n</section>\n</div>\n"
        "<section class=\"code\" aria-labelledby=\"h-code\">\n<h2 id=\"h-code\">Source</h2>\n"
        "<div id=\"code\" tabindex=\"0\" role=\"group\" aria-labelledby=\"h-code\">\n" +
        sources_html(picture) + "</div>\n</section>\n</div>\n";
    html += legend;
    html += "<details id=\"all\" open>\n<summary>All steps in words</summary>\n" +
            steps_html(picture) + "</details>\n";
  }
  html += fmt::format(
      "</main>\n<footer>Counts are those of a model, exact for it: see "
      "docs/cpu-runtime.md.</footer>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n"
      "</body>\n</html>\n",
      for_script(data), picture_assets::script);
  return html;
}

}  // namespace grade
