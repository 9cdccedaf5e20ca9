#include "site/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "commands/quiz_view.h"
#include "progress/store.h"
#include "site/assets.h"
#include "site/book.h"
#include "site/pages.h"
#include "site/search_index.h"

namespace grade::site {
namespace {

using nlohmann::json;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr std::string_view kIndex = "assets/search.js";

// A field that must be text; empty when it isn't.
std::string text_field(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

struct Site::Parts {
  Parts(Context& context, SiteOptions options)
      : book(context.paths(), context.course(), std::move(options)),
        assets(context.paths()),
        store(context.progress()) {}

  const Lesson* lesson(const std::string& directory) const {
    const auto found =
        std::find_if(book.course.lessons.begin(), book.course.lessons.end(),
                     [&](const Lesson& each) { return each.directory() == directory; });
    return found == book.course.lessons.end() ? nullptr : &*found;
  }

  std::optional<std::string> html(std::string_view path) {
    const auto progress = [this] { return book.options.progress ? store.read() : Progress(); };
    if (path == "index.html") return course_page(book, progress());
    if (path == "progress.html" && book.options.progress) return progress_page(book, progress());
    if (path == "docs/index.html") return docs_index_page(book);
    for (const Lesson& each : book.course.lessons) {
      if (path == lesson_path(each)) return lesson_page(book, each, progress());
    }
    for (const DocPage& each : book.docs) {
      if (path == each.path) return doc_page(book, each);
    }
    return std::nullopt;
  }

  Book book;
  Assets assets;
  ProgressStore& store;
};

Site::Site(Context& context, SiteOptions options)
    : parts_(std::make_unique<Parts>(context, std::move(options))) {}

Site::~Site() = default;

std::vector<std::string> Site::paths() const {
  std::vector<std::string> all{"index.html"};
  for (const Lesson& each : parts_->book.course.lessons) all.push_back(lesson_path(each));
  all.emplace_back("docs/index.html");
  for (const DocPage& each : parts_->book.docs) all.push_back(each.path);
  if (parts_->book.options.progress) all.emplace_back("progress.html");
  all.emplace_back(kIndex);
  for (std::string& each : parts_->assets.paths()) all.push_back(std::move(each));
  return all;
}

std::optional<Page> Site::render(std::string_view path) {
  if (auto html = parts_->html(path)) return Page{kHtml, std::move(*html)};
  if (path == kIndex) {
    return Page{"text/javascript; charset=utf-8", search_index_script(parts_->book)};
  }
  return parts_->assets.read(path);
}

std::vector<std::string> Site::remarks() const {
  std::vector<std::string> all = parts_->book.formulas.remarks();
  for (std::string& each : parts_->assets.remarks()) all.push_back(std::move(each));
  return all;
}

std::optional<std::string> Site::answer(std::string_view body) {
  const json request = json::parse(body, nullptr, false);
  if (!request.is_object()) return std::nullopt;
  const Lesson* lesson = parts_->lesson(text_field(request, "lesson"));
  if (lesson == nullptr) return std::nullopt;
  const std::string id = text_field(request, "question");
  const auto question = std::find_if(lesson->quiz.begin(), lesson->quiz.end(),
                                     [&](const Question& each) { return each.id == id; });
  if (question == lesson->quiz.end()) return std::nullopt;
  const Judgement judgement =
      judge_and_record(parts_->store, *lesson, *question, text_field(request, "answer"));
  return json{{"understood", judgement.understood},
              {"correct", judgement.correct},
              {"shown", judgement.shown},
              {"remark", judgement.remark}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<std::string> Site::hint(std::string_view body) {
  const json request = json::parse(body, nullptr, false);
  if (!request.is_object()) return std::nullopt;
  const Lesson* lesson = parts_->lesson(text_field(request, "lesson"));
  const auto rung = request.find("rung");
  if (lesson == nullptr || rung == request.end() || !rung->is_number_integer()) return std::nullopt;
  const auto number = rung->get<std::int64_t>();
  if (number < 1 || number > static_cast<std::int64_t>(lesson->hints.size())) return std::nullopt;
  const Progress now = parts_->store.update([&](Progress& progress) {
    // As `grade hint`: what is read after the pass needs no record.
    if (!progress.passed(lesson->directory())) {
      // On a page each hint opens below the one before it.
      for (int hint = 1; hint <= number; ++hint) progress.add_hint(lesson->directory(), hint);
    }
  });
  return json{{"hints", now.lesson(lesson->directory()).hints.size()}}.dump();
}

}  // namespace grade::site
