// The workbook as pages.
#include "site/site.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "course/course.h"
#include "progress/store.h"
#include "scratch.h"
#include "site/code_html.h"
#include "site/cross_links.h"
#include "site/declarations.h"
#include "site/draft.h"
#include "site/html.h"
#include "site/last_run_view.h"
#include "site/markdown_html.h"

using grade::site::MarkdownPage;
using grade::site::Site;
using nlohmann::json;

namespace {

std::string nowhere(std::string_view) {
  return {};
}

MarkdownPage plain_page() {
  MarkdownPage page;
  page.link = page.figure = page.link_of_code = page.link_of_name = page.link_of_number = nowhere;
  return page;
}

std::string html_of(std::string_view markdown) {
  MarkdownPage page = plain_page();
  return grade::site::markdown_html(markdown, page);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A site of the fixture course, with a progress of its own.
struct Fixture {
  explicit Fixture(grade::site::SiteOptions options = {}) : site(context, std::move(options)) {}
  std::string page(std::string_view path) {
    const auto page = site.render(path);
    return page ? page->bytes : std::string();
  }

  Scratch scratch;
  grade::Paths paths = scratch.course();
  grade::Context context{paths};
  Site site;
};

}  // namespace

TEST_CASE("Markdown becomes HTML") {
  CHECK(html_of("A *b* **c** `d<e` & f") ==
        "<p>A <em>b</em> <strong>c</strong> <code>d&lt;e</code> &amp; f</p>\n");
  CHECK(html_of("- one\n- two\n") == "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n");
  CHECK(has(html_of("3. three\n4. four\n"), "<ol start=\"3\">"));
  const std::string table = html_of("| a | b |\n|---|--:|\n| 1 | 2 |\n");
  CHECK(has(table, "<th scope=\"col\">a</th>"));
  CHECK(has(table, "<td class=\"right\">2</td>"));
  CHECK(has(html_of("> said\n"), "<blockquote>\n<p>said</p>\n</blockquote>"));
  CHECK(has(html_of("<script>alert(1)</script>\n"), "script") == false);
  CHECK(has(html_of("```text\na < b\n```\n"), "<code>a &lt; b\n</code>"));
}

TEST_CASE("headings have ids, each its own") {
  const std::string html = html_of("## No guard\n\n## No guard\n");
  CHECK(has(html, "<h2 id=\"no-guard\">"));
  CHECK(has(html, "<h2 id=\"no-guard-2\">"));
  CHECK(grade::site::id_of("c & d!") == "c-d");
  CHECK(grade::site::id_of("–") == "section");
}

TEST_CASE("a lesson's number leads to it; another number does not") {
  MarkdownPage page = plain_page();
  page.link_of_number = [](std::string_view number) {
    return number == "024" ? std::string("there") : std::string();
  };
  const auto link = [&](std::string_view text) {
    return has(grade::site::markdown_html(text, page), "href=\"there\"");
  };
  CHECK(link("as 024 does"));
  CHECK(link("024's order"));
  CHECK(link("in 024."));
  CHECK(link("(024)"));
  CHECK_FALSE(link("1,024 threads"));
  CHECK_FALSE(link("0.024 or 024.5"));
  CHECK_FALSE(link("10240"));
  CHECK_FALSE(link("a_024"));
  CHECK_FALSE(link("[024](elsewhere.md)"));
}

TEST_CASE("code is highlighted, escaped, and linked") {
  const std::string html = grade::site::cpp_html(
      "__global__ void f(int a) { matmul_nn(a); } // <b>\n",
      [](auto name) { return name == "matmul_nn" ? std::string("m.html") : std::string(); });
  CHECK(has(html, "<span class=\"u\">__global__</span>"));
  CHECK(has(html, "<span class=\"k\">void</span>"));
  CHECK(has(html, "<a href=\"m.html\">matmul_nn</a>"));
  CHECK(has(html, "<span class=\"c\">// &lt;b&gt;</span>"));
}

TEST_CASE("declarations tell what a function makes") {
  const auto found = grade::site::read_declarations(
      "// 029: Z = Xs W1\n"
      "void expert_up(const float* Xs, const int* offsets,\n"
      "               float* Z, int P, cudaStream_t stream);\n\n"
      "int other(float* y);\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].function == "expert_up");
  CHECK(found[0].comment == "Z = Xs W1");
  CHECK(found[0].outputs == std::vector<std::string>{"Z"});
  CHECK(found[0].text ==
        "void expert_up(const float* Xs, const int* offsets, float* Z, int P, cudaStream_t "
        "stream);");
}

TEST_CASE("an inlined picture takes the theme's colours") {
  const std::string svg = grade::site::inlined_svg(
      "<?xml version=\"1.0\"?>\n<svg xmlns=\"x\" viewBox=\"0 0 720 300\" width=\"720\" "
      "height=\"300\" class=\"mf\">\n<style>\n.mf{fill:red}\n</style>\n<rect/></svg>\n");
  CHECK(svg == "<svg viewBox=\"0 0 720 300\" class=\"mf\" width=\"720\">\n<rect/></svg>");
  CHECK(grade::site::inlined_svg("no picture").empty());
}

TEST_CASE("a site has its pages and nothing else") {
  Fixture f;
  const std::vector<std::string> paths = f.site.paths();
  CHECK(paths.front() == "index.html");
  CHECK(std::count(paths.begin(), paths.end(), "lessons/001_add_one.html") == 1);
  CHECK(std::count(paths.begin(), paths.end(), "docs/start.html") == 1);
  CHECK(std::count(paths.begin(), paths.end(), "progress.html") == 1);
  for (const char* other : {"", "/", "index", "../progress.json", "lessons/../index.html",
                            "lessons/001_add_one", "assets/../../progress.json", "/etc/passwd"}) {
    CAPTURE(other);
    CHECK_FALSE(f.site.render(other));
  }
}

TEST_CASE("a lesson's page has its sections, formulas as text without MathJax, and its quiz") {
  Fixture f;
  const std::string page = f.page("lessons/001_add_one.html");
  for (const char* section : {"intuition", "concepts", "mathematics", "implementation", "tests",
                              "mistakes", "checkpoint"}) {
    CAPTURE(section);
    CHECK(has(page, "<section id=\"" + std::string(section) + "\""));
  }
  CHECK(has(page, "id=\"mistake-adds-two\""));
  CHECK(has(page, "<span class=\"formula-text\">"));
  CHECK(has(page, "data-rung=\"3\""));
  CHECK(has(page, "data-question=\"which\""));
  CHECK(has(page, "data-right="));
  CHECK(has(page, "<code data-copy>./grade 1</code>"));
  CHECK_FALSE(has(page, "grade-live"));
  CHECK_FALSE(has(page, "\x02"));
  const auto remarks = f.site.remarks();
  REQUIRE_FALSE(remarks.empty());
  CHECK((has(remarks[0], "npm ci --prefix tools/site") || has(remarks[0], "Node.js")));
}

TEST_CASE("a live page keeps the answers to itself and says whom to ask") {
  Fixture f({.live = true, .token = "t0<", .progress = true});
  const std::string page = f.page("lessons/001_add_one.html");
  CHECK(has(page, "<meta name=\"grade-live\" content=\"t0&lt;\">"));
  CHECK_FALSE(has(page, "data-right="));
}

TEST_CASE("without progress pages show none") {
  Fixture f({.live = false, .token = {}, .progress = false});
  f.context.progress().update([](grade::Progress& progress) {
    progress.add_attempt("001_add_one", {"passed", "cpu", 1, "h"});
  });
  CHECK_FALSE(has(f.page("index.html"), "<progress"));
  CHECK_FALSE(has(f.page("index.html"), "mark passed"));
  CHECK_FALSE(f.site.render("progress.html"));
}

TEST_CASE("pages show the progress as it stands") {
  Fixture f;
  CHECK(has(f.page("index.html"), "0 of 5 complete"));
  CHECK_FALSE(has(f.page("progress.html"), "Bench results"));
  f.context.progress().update([](grade::Progress& progress) {
    progress.add_attempt("001_add_one", {"passed", "cpu", 1, "h"});
    progress.set_benchmark("001_add_one",
                           R"({"shape":"n = 9","bytes_moved":1234567,"requests":1})");
    progress.set_best_time("001_add_one", {"Test <GPU>", "n = 9", 5e-4, 1e-3, 0.95});
  });
  CHECK(has(f.page("index.html"), "1 of 5 complete"));
  CHECK(has(f.page("lessons/001_add_one.html"), "Passed"));
  const std::string progress = f.page("progress.html");
  CHECK(has(progress, "1,234,567 bytes moved, 1 request <small>"));
  CHECK(has(progress, "<h3>Test &lt;GPU&gt;</h3>"));
  CHECK(has(progress, ">500 µs</td>"));
  CHECK(has(progress, ">2.00</td>"));
  CHECK(has(progress, ">95 %</td>"));
  CHECK(has(progress, "1 attempt in the last 28 days"));
  CHECK(has(progress, "class=\"chart\""));
}

TEST_CASE("answers and hints from a page are recorded; anything else is refused") {
  Fixture f({.live = true, .token = "t", .progress = true});
  const auto reply = f.site.answer(R"({"lesson":"001_add_one","question":"sum","answer":"42"})");
  REQUIRE(reply);
  CHECK(json::parse(*reply)["correct"] == true);
  const auto vague = f.site.answer(R"({"lesson":"001_add_one","question":"sum","answer":"x"})");
  REQUIRE(vague);
  CHECK(json::parse(*vague)["understood"] == false);
  CHECK(json::parse(*f.site.hint(R"({"lesson":"001_add_one","rung":2})"))["hints"] == 2);
  const auto state = f.context.progress().read().lesson("001_add_one");
  CHECK(state.quiz.at("sum").correct);
  CHECK(state.quiz.at("sum").tries == 1);
  CHECK(state.hints == std::vector<int>{1, 2});
  CHECK(has(f.page("lessons/001_add_one.html"), "<span class=\"good\">Right</span>"));
  for (const char* body :
       {"", "no JSON", "[]", "{}", R"({"lesson":"../x","question":"sum","answer":"1"})",
        R"({"lesson":"001_add_one","question":"?","answer":"1"})", R"({"lesson":1,"rung":1})",
        R"({"lesson":"001_add_one","rung":4})", R"({"lesson":"001_add_one","rung":0.5})"}) {
    CAPTURE(body);
    CHECK_FALSE(f.site.answer(body));
    CHECK_FALSE(f.site.hint(body));
  }
}

TEST_CASE("the last run is shown with its source lines, and a damaged one is left out") {
  grade::Lesson lesson;
  lesson.mistakes = {{"no-barrier", "No barrier", {}}};
  const auto view = [&](const std::string& text) {
    return grade::site::last_run_html(text, lesson, nowhere);
  };
  const std::string html =
      view(R"({"status":"failed","backend":"cpu","seed":7,"time":"","reason":"",
    "notes":[],"cases":[{"name":"one <row>","status":"failed","message":"m","mistake":"no-barrier"},
    {"name":"long","status":"skipped","message":""}],
    "diagnostics":[
     {"kind":"race","severity":"error","message":"a & b","kernel":"k","file":"f.cu","line":2,
      "block":[0,0,0],"thread":[1,0,0],"source":{"first":1,"lines":["x","y<z"]}},
     {"kind":"race","severity":"error","message":"again","kernel":"k","file":"f.cu","line":2,
      "block":[0,0,0],"thread":[2,0,0]}]})");
  CHECK(has(html, "0 of 2 cases"));
  CHECK(has(html, "one &lt;row&gt;"));
  CHECK(has(html, "href=\"#mistake-no-barrier\""));
  CHECK(has(html, "in 2 cases"));
  CHECK(has(html, "<span class=\"line here\"><span class=\"at\">2</span>y&lt;z</span>"));
  CHECK_FALSE(has(html, "again"));
  CHECK_FALSE(has(html, "long"));
  for (const char* damaged : {"", "{}", "[1]", R"({"cases":3})"}) {
    CAPTURE(damaged);
    CHECK(view(damaged).empty());
  }
}

// ---- The course itself ----

namespace {

std::set<std::string> values_of(const std::string& html, const std::string& attribute) {
  std::set<std::string> values;
  const std::string begin = " " + attribute + "=\"";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at + 1)) {
    const std::size_t first = at + begin.size();
    values.insert(html.substr(first, html.find('"', first) - first));
  }
  return values;
}

}  // namespace

TEST_CASE("of the whole course: no broken link or anchor, no page above its weight") {
  constexpr std::size_t heaviest = 300'000;
  grade::Paths paths;
  paths.root = std::filesystem::path(GRADE_FIXTURES).parent_path().parent_path().parent_path();
  grade::Context context(paths);
  Site site(context, {.live = false, .token = {}, .progress = false});
  std::map<std::string, std::set<std::string>> ids;
  std::map<std::string, std::set<std::string>> links;
  for (const std::string& path : site.paths()) {
    const auto page = site.render(path);
    REQUIRE(page);
    ids[path];
    if (!path.ends_with(".html")) continue;
    ids[path] = values_of(page->bytes, "id");
    links[path] = values_of(page->bytes, "href");
    links[path].merge(values_of(page->bytes, "src"));
    CAPTURE(path);
    CHECK(page->bytes.size() < heaviest);
    CHECK_FALSE(has(page->bytes, "\x02"));
  }
  for (const auto& [name, targets] : links) {
    const std::string& page = name;
    for (const std::string& target : targets) {
      if (target.starts_with("https://") || target.starts_with("http://")) continue;
      const std::size_t hash = target.find('#');
      const std::string file = target.substr(0, hash);
      const std::string path =
          file.empty()
              ? page
              : (std::filesystem::path(page).parent_path() / file).lexically_normal().string();
      CAPTURE(page);
      CAPTURE(target);
      REQUIRE(ids.contains(path));
      if (hash != std::string::npos) CHECK(ids[path].contains(target.substr(hash + 1)));
    }
  }
}
