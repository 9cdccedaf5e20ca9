#include "commands/quiz_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "progress/store.h"
#include "render/markdown.h"

namespace grade {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first));
}

// U+2212, as the notes print it, as the ASCII minus.
std::string with_ascii_minus(std::string text) {
  constexpr std::string_view minus = "−";
  for (std::size_t at = text.find(minus); at != std::string::npos; at = text.find(minus)) {
    text.replace(at, minus.size(), "-");
  }
  return text;
}

// Lower case, no space, no brackets round it: "[0, 2, 3]" equals "0,2,3".
std::string canonical(std::string_view text) {
  std::string result = with_ascii_minus(trimmed(text));
  std::erase_if(result, [](unsigned char c) { return std::isspace(c) != 0 || c == '`'; });
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto bracketed = [&](char open, char close) {
    return result.size() >= 2 && result.front() == open && result.back() == close;
  };
  if (bracketed('[', ']') || bracketed('(', ')') || bracketed('{', '}')) {
    result = result.substr(1, result.size() - 2);
  }
  if (result.size() > 1 && result.back() == '.') result.pop_back();
  return result;
}

std::optional<double> parse_plain(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

Judgement judge_number(const Question& question, std::string_view answer) {
  Judgement judgement;
  const auto value = parse_number(answer);
  if (!value) {
    judgement.understood = false;
    judgement.remark =
        "That is no number. Write it like 12, -0.5, 1e-3 or 2/3, with a decimal point and nothing "
        "else.";
    return judgement;
  }
  judgement.shown = trimmed(answer);
  // A hair beside the tolerance, for what decimal notation cannot hold.
  const double slack = 1e-9 * std::max(1.0, std::abs(question.number));
  judgement.correct = std::abs(*value - question.number) <= question.tolerance + slack;
  return judgement;
}

Judgement judge_choice(const Question& question, std::string_view answer) {
  Judgement judgement;
  const std::string given = canonical(answer);
  std::size_t chosen = question.choices.size();
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    if (canonical(question.choices[i].text) == given) chosen = i;
  }
  if (chosen == question.choices.size() && !given.empty()) {
    const std::string mark = given.ends_with(')') ? given.substr(0, given.size() - 1) : given;
    if (mark.size() == 1 && mark[0] >= 'a' && mark[0] <= 'z') {
      chosen = static_cast<std::size_t>(mark[0] - 'a');
    }
  }
  if (chosen >= question.choices.size()) {
    judgement.understood = false;
    judgement.remark = fmt::format("That is none of the choices. Answer with a letter, a to {}.",
                                   static_cast<char>('a' + question.choices.size() - 1));
    return judgement;
  }
  judgement.shown = static_cast<char>('a' + chosen);
  judgement.correct = chosen == question.choice;
  if (!judgement.correct) judgement.remark = question.choices[chosen].why;
  return judgement;
}

Judgement judge_text(const Question& question, std::string_view answer) {
  Judgement judgement;
  const std::string given = canonical(answer);
  if (given.empty()) {
    judgement.understood = false;
    return judgement;
  }
  judgement.shown = trimmed(answer);
  judgement.correct =
      std::any_of(question.accepted.begin(), question.accepted.end(),
                  [&](const std::string& accepted) { return canonical(accepted) == given; });
  return judgement;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const std::string clean = with_ascii_minus(trimmed(text));
  const std::size_t slash = clean.find('/');
  if (slash == std::string::npos) return parse_plain(clean);
  const auto above = parse_plain(trimmed(std::string_view(clean).substr(0, slash)));
  const auto below = parse_plain(trimmed(std::string_view(clean).substr(slash + 1)));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

std::vector<std::string> question_lines(const Question& question, std::size_t number, int columns,
                                        const terminal::Terminal& out) {
  const std::string mark = fmt::format("{}. ", number);
  const std::string indent(mark.size(), ' ');
  std::vector<std::string> lines;
  for (const std::string& line :
       render_markdown(question.question, columns - static_cast<int>(indent.size()), out)) {
    lines.push_back((lines.empty() ? mark : line.empty() ? "" : indent) + line);
  }
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    bool first = true;
    for (const std::string& line : render_markdown(
             question.choices[i].text, columns - static_cast<int>(indent.size()) - 3, out)) {
      const std::string letter(1, static_cast<char>('a' + i));
      lines.push_back(
          indent + (first ? out.style(terminal::Style::bold, letter + ")") + " " : "   ") + line);
      first = false;
    }
  }
  return lines;
}

Judgement judge(const Question& question, std::string_view answer) {
  switch (question.type) {
    case Question::Type::number:
      return judge_number(question, answer);
    case Question::Type::choice:
      return judge_choice(question, answer);
    case Question::Type::text:
      return judge_text(question, answer);
  }
  return {};
}

Judgement judge_and_record(ProgressStore& store, const Lesson& lesson, const Question& question,
                           std::string_view answer) {
  Judgement judgement = judge(question, answer);
  if (judgement.understood) {
    store.update([&](Progress& progress) {
      progress.add_answer(lesson.directory(), question.id, judgement.shown, judgement.correct);
    });
  }
  return judgement;
}

}  // namespace grade
