#include "site/quiz_html.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "site/html.h"

namespace grade::site {
namespace {

const char* type_of(const Question& question) {
  switch (question.type) {
    case Question::Type::number:
      return "number";
    case Question::Type::choice:
      return "choice";
    case Question::Type::text:
      break;
  }
  return "text";
}

std::string answer_data(const Question& question) {
  nlohmann::json data;
  switch (question.type) {
    case Question::Type::number:
      data = {{"number", question.number}, {"tolerance", question.tolerance}};
      break;
    case Question::Type::choice:
      data = {{"choice", question.choice}};
      break;
    case Question::Type::text:
      data = {{"accepted", question.accepted}};
      break;
  }
  return fmt::format(" data-right=\"{}\"", escaped(data.dump()));
}

std::string fields(Draft& draft, const Question& question, const std::string& id) {
  if (question.type != Question::Type::choice) {
    return "<label class=\"entry\"><span>Your answer</span><input name=\"answer\" type=\"text\" "
           "autocomplete=\"off\" spellcheck=\"false\"></label>\n";
  }
  std::string html;
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const char letter = static_cast<char>('a' + i);
    html += fmt::format(
        "<label class=\"choice\"><input type=\"radio\" name=\"answer\" value=\"{0}\" "
        "id=\"{1}-{0}\">"
        "<span>{2}</span></label>\n",
        letter, id, draft.in_line(question.choices[i].text));
  }
  return html;
}

// What is said about a wrong choice, and after a right answer; hidden until then.
std::string remarks(Draft& draft, const Question& question, bool right) {
  std::string html;
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    if (question.choices[i].why.empty()) continue;
    html += fmt::format("<div class=\"why\" data-choice=\"{}\" hidden>{}</div>\n",
                        static_cast<char>('a' + i), draft.markdown(question.choices[i].why, 3));
  }
  return html + fmt::format("<div class=\"explain\"{}>{}</div>\n", right ? "" : " hidden",
                            draft.markdown(question.explain, 3));
}

}  // namespace

std::string quiz_html(Draft& draft, const Lesson& lesson, const LessonProgress& progress,
                      bool checked_in_page) {
  if (lesson.quiz.empty()) return {};
  std::string html = "<div class=\"quiz\">\n";
  for (std::size_t i = 0; i < lesson.quiz.size(); ++i) {
    const Question& question = lesson.quiz[i];
    const std::string id = "question-" + id_of(question.id);
    const auto given = progress.quiz.find(question.id);
    const bool right = given != progress.quiz.end() && given->second.correct;
    html += fmt::format(
        "<form class=\"question\" id=\"{0}\" data-question=\"{1}\" data-type=\"{2}\"{3} "
        "aria-labelledby=\"{0}-text\">\n<div class=\"asked\" id=\"{0}-text\"><span "
        "class=\"number\">{4}</span>{5}</div>\n<div{9}>{6}<p class=\"send\"><button "
        "type=\"submit\" "
        "class=\"button small\">Check</button> <span class=\"said\" role=\"status\" "
        "data-live=\"{0}\">{7}</span></p></div>\n{8}</form>\n",
        id, escaped(question.id), type_of(question), checked_in_page ? answer_data(question) : "",
        i + 1, draft.markdown(question.question, 3), fields(draft, question, id),
        right ? "<span class=\"good\">Right</span>" : "", remarks(draft, question, right),
        question.type == Question::Type::choice ? "" : " class=\"reply\"");
  }
  return html + fmt::format(
                    "<noscript><p>Answering takes a script here; in the terminal: <code>./grade "
                    "quiz {}</code></p></noscript>\n</div>\n",
                    lesson.number);
}

}  // namespace grade::site
