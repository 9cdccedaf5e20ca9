#include "verify/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "render/markdown.h"
#include "system/files.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSections = {"Intuition", "Concepts", "Mathematics", "Implementation",
                                  "Tests",     "Mistakes", "Checkpoint"};
constexpr std::size_t kHints = 3;
constexpr std::size_t kFewestQuestions = 2;
constexpr std::size_t kMostQuestions = 4;
constexpr int kFewestWords = 400;
constexpr int kMostWords = 900;  // outside of the derivation and of code
constexpr int kTwinColumns = 72;

class Documents {
 public:
  Documents(const Paths& paths, const Course& course, const Lesson& lesson, Findings& findings)
      : paths_(paths),
        course_(course),
        lesson_(lesson),
        findings_(findings),
        notes_(split_front_matter(read_file(lesson.notes_file()), lesson.notes_file().string())),
        sections_(split_sections(notes_.body)) {}

  void check() {
    sections();
    front_matter();
    hints();
    quiz();
    mistakes();
    figures();
    words();
    terms();
    micro_batch();
    regions();
    leftovers();
  }

 private:
  void add(const char* check, Verdict verdict, std::string detail, std::string what = {}) {
    findings_.push_back({lesson_.directory(), check, std::move(what), verdict, std::move(detail)});
  }
  // One finding for a check: bad for each problem, or good.
  void conclude(const char* check, const std::vector<std::string>& problems,
                std::string good = {}) {
    for (const std::string& problem : problems) add(check, Verdict::bad, problem);
    if (problems.empty()) add(check, Verdict::good, std::move(good));
  }

  const Section* section(const std::string& title) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const Section& each) { return each.title == title; });
    return found == sections_.end() ? nullptr : &*found;
  }

  // tools/new-lesson marks what is still to be written.
  void leftovers() {
    std::vector<std::string> problems;
    const std::string name = lesson_.directory();
    for (const fs::path& folder : {lesson_.folder, paths_.solutions() / name,
                                   paths_.mutants() / name, paths_.variants() / name}) {
      std::error_code missing;
      for (const auto& entry : fs::directory_iterator(folder, missing)) {
        if (!entry.is_regular_file()) continue;
        if (read_file(entry.path()).find("FILL IN") != std::string::npos) {
          problems.push_back(fmt::format("{} still says FILL IN", paths_.shown(entry.path())));
        }
      }
    }
    conclude("leftovers", problems);
  }

  void sections() {
    std::vector<std::string> titles;
    std::vector<std::string> problems;
    for (const Section& each : sections_) {
      titles.push_back(each.title);
      if (each.text.find_first_not_of(" \n\r\t") == std::string::npos) {
        problems.push_back(fmt::format("\"{}\" is empty", each.title));
      }
    }
    if (!std::equal(titles.begin(), titles.end(), kSections.begin(), kSections.end())) {
      problems.push_back(
          fmt::format("found {}; due are {}", fmt::join(titles, ", "), fmt::join(kSections, ", ")));
    }
    conclude("sections", problems);
  }

  void front_matter() {
    std::vector<std::string> problems;
    const Part* part = course_.part_of(lesson_.number);
    if (part == nullptr || part->number != lesson_.part) {
      problems.push_back(fmt::format("lesson {} is not in part {}", lesson_.number, lesson_.part));
    }
    const std::string expected = fmt::format("{:03}_{}", lesson_.number, lesson_.slug);
    if (lesson_.directory() != expected) problems.push_back("its folder should be " + expected);
    for (const int earlier : lesson_.prerequisites) {
      if (earlier >= lesson_.number) {
        problems.push_back(fmt::format("prerequisite {} comes later", earlier));
      }
    }
    for (const std::string& call : lesson_.calls) {
      if (call >= lesson_.directory()) {
        problems.push_back(fmt::format("it calls {}, which is no earlier lesson", call));
      }
    }
    if (lesson_.concepts.empty()) problems.push_back("no concepts");
    if (lesson_.introduces_cuda.empty() && lesson_.introduces_math.empty()) {
      problems.push_back("introduces nothing");
    }
    conclude("front matter", problems);
  }

  void hints() {
    std::vector<std::string> problems;
    if (lesson_.hints.size() != kHints) {
      problems.push_back(fmt::format(
          "{}; {} are due", terminal::counted(std::ssize(lesson_.hints), "hint", "hints"), kHints));
    }
    for (const std::string& hint : lesson_.hints) {
      if (hint.size() < 20) problems.push_back("a hint that says nothing: \"" + hint + "\"");
    }
    conclude("hints", problems);
  }

  std::string questions() const {
    return terminal::counted(std::ssize(lesson_.quiz), "question", "questions");
  }

  void quiz() {
    std::vector<std::string> problems;
    if (lesson_.quiz.size() < kFewestQuestions || lesson_.quiz.size() > kMostQuestions) {
      problems.push_back(
          fmt::format("{}; {} to {} are due", questions(), kFewestQuestions, kMostQuestions));
    }
    std::set<std::string> ids;
    for (const Question& each : lesson_.quiz) {
      const auto problem = [&](const std::string& text) {
        problems.push_back(fmt::format("{}: {}", each.id, text));
      };
      if (!ids.insert(each.id).second) problem("two questions have this id");
      if (each.question.empty()) problem("no question");
      if (each.explain.empty()) problem("no explanation");
      switch (each.type) {
        case Question::Type::number:
          if (!std::isfinite(each.number) || !(each.tolerance >= 0)) problem("no valid answer");
          break;
        case Question::Type::text:
          if (each.accepted.empty()) problem("no accepted answer");
          break;
        case Question::Type::choice:
          if (each.choices.size() < 2) problem("fewer than two choices");
          if (each.choice >= each.choices.size()) problem("the answer is none of the choices");
          for (std::size_t i = 0; i < each.choices.size(); ++i) {
            if (each.choices[i].text.empty()) problem("an empty choice");
            if (i != each.choice && each.choices[i].why.empty()) {
              problem(fmt::format("choice {} does not say why it is wrong", i + 1));
            }
          }
          break;
      }
    }
    conclude("quiz", problems, questions());
  }

  // The entries of the front matter are the headings under Mistakes, in the same order.
  void mistakes() {
    std::vector<std::string> problems;
    std::vector<std::string> headings;
    if (const Section* text = section("Mistakes")) {
      std::istringstream lines(text->text);
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("### ")) headings.push_back(line.substr(4));
      }
    }
    std::vector<std::string> titles;
    for (const Mistake& each : lesson_.mistakes) {
      titles.push_back(each.title);
      if (each.hint && (*each.hint < 0 || *each.hint >= static_cast<int>(kHints))) {
        problems.push_back(fmt::format("{}: no such hint", each.slug));
      }
    }
    if (titles.empty()) problems.push_back("no mistakes");
    if (titles != headings) {
      problems.push_back(fmt::format("headings are [{}], the front matter has [{}]",
                                     fmt::join(headings, "; "), fmt::join(titles, "; ")));
    }
    conclude("mistakes", problems);
  }

  // A picture exists, and a ```text twin of at most 72 columns follows it.
  void figures() {
    std::vector<std::string> problems;
    std::vector<std::string> lines;
    std::istringstream body(notes_.body);
    for (std::string line; std::getline(body, line);) lines.push_back(line);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t open = lines[i].find("](");
      if (!lines[i].starts_with("![") || open == std::string::npos) continue;
      const std::string file = lines[i].substr(open + 2, lines[i].find(')', open) - open - 2);
      if (open <= 2) problems.push_back(file + ": no description");
      if (!fs::exists(lesson_.folder / file)) problems.push_back(file + " does not exist");
      std::size_t next = i + 1;
      while (next < lines.size() && lines[next].empty()) ++next;
      if (next == lines.size() || !lines[next].starts_with("```text")) {
        problems.push_back(file + ": no ```text twin follows");
        continue;
      }
      for (++next; next < lines.size() && lines[next] != "```"; ++next) {
        if (terminal::width(lines[next]) > kTwinColumns) {
          problems.push_back(fmt::format("{}: its twin is wider than {} columns (line {})", file,
                                         kTwinColumns, notes_.body_line + static_cast<int>(next)));
        }
      }
    }
    conclude("figures", problems);
  }

  void words() {
    int count = 0;
    for (const Section& each : sections_) {
      if (each.title == "Mathematics") continue;
      bool code = false;
      std::istringstream lines(each.text);
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) code = !code;
        if (code || line.starts_with("|") || line.starts_with("```")) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
          if (std::any_of(word.begin(), word.end(),
                          [](unsigned char c) { return std::isalpha(c) != 0; })) {
            ++count;
          }
        }
      }
    }
    const bool usual = count >= kFewestWords && count <= kMostWords;
    add("words", usual ? Verdict::good : Verdict::remark,
        fmt::format("{} words outside the derivation; {} to {} are usual", count, kFewestWords,
                    kMostWords));
  }

  void terms() {
    std::vector<std::string> problems;
    std::string questions;
    for (const Question& each : lesson_.quiz) {
      questions += each.question + "\n" + each.explain + "\n";
      for (const Choice& choice : each.choices) questions += choice.text + "\n" + choice.why + "\n";
    }
    std::string hints;
    for (const std::string& hint : lesson_.hints) hints += hint + "\n";
    const std::array<std::pair<const char*, std::string>, 4> texts{
        {{"lesson.md", notes_.body},
         {"a hint", hints},
         {"the quiz", questions},
         {"stub.cu", read_file_if_there(lesson_.stub()).value_or("")}}};
    int count = 0;
    for (const Lesson& later : course_.lessons) {
      if (later.number <= lesson_.number) continue;
      for (const std::string& term : later.introduces_terms) {
        ++count;
        for (const auto& [where, text] : texts) {
          const int line = line_that_uses(text, term);
          if (line == 0) continue;
          const bool notes = &text == &texts[0].second;
          problems.push_back(
              fmt::format("{}{} uses \"{}\", which lesson {:03} introduces", where,
                          notes ? fmt::format(":{}", line + notes_.body_line - 1) : std::string(),
                          term, later.number));
        }
      }
    }
    conclude("terms", problems, fmt::format("{} terms of later lessons", count));
  }

  void micro_batch() {
    const auto batch = read_file_if_there(paths_.lessons() / "micro_batch.json");
    if (!batch) {
      add("micro-batch", Verdict::bad, "lessons/micro_batch.json is not there");
      return;
    }
    const std::string grader = read_file_if_there(lesson_.grader()).value_or("");
    const bool used = grader.find("micro_batch::") != std::string::npos;
    add("micro-batch", used ? Verdict::good : Verdict::remark,
        used ? "" : "the grader has no case with the book's numbers");
  }

  void regions() {
    const auto stub = read_file_if_there(lesson_.stub());
    const auto reference =
        read_file_if_there(paths_.solutions() / lesson_.directory() / "kernel.cu");
    std::vector<std::string> problems;
    if (!stub) problems.push_back("there is no stub.cu");
    if (!reference) problems.push_back("there is no reference");
    if (stub && reference) {
      const std::string problem = stub_against_reference(*stub, *reference);
      if (!problem.empty()) problems.push_back(problem);
    }
    conclude("stub and reference", problems);
  }

  const Paths& paths_;
  const Course& course_;
  const Lesson& lesson_;
  Findings& findings_;
  FrontMatter notes_;
  std::vector<Section> sections_;
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The same text with passages like "*Later: lesson 032 ...*" blanked, line ends kept.
std::string without_later(std::string text) {
  for (std::size_t at = text.find("*Later"); at != std::string::npos;
       at = text.find("*Later", at + 1)) {
    const std::size_t end = text.find('*', at + 1);
    for (std::size_t i = at; i < std::min(end, text.size()); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  return text;
}

}  // namespace

void check_documents(const Paths& paths, const Course& course, const Lesson& lesson,
                     Findings& findings) {
  Documents(paths, course, lesson, findings).check();
}

std::string stub_against_reference(const std::string& stub, const std::string& reference) {
  std::vector<std::string> parts{""};
  bool inside = false;
  int number = 0;
  int line_number = 0;
  std::istringstream lines(stub);
  for (std::string line; std::getline(lines, line);) {
    ++line_number;
    const bool ends = line.find("// END TODO(") != std::string::npos;
    const bool begins = !ends && line.find("// TODO(") != std::string::npos;
    if (begins) {
      if (inside) return fmt::format("stub.cu:{}: a TODO inside a TODO", line_number);
      ++number;
      if (line.find(fmt::format("// TODO({})", number)) == std::string::npos) {
        return fmt::format("stub.cu:{}: this should be TODO({})", line_number, number);
      }
      inside = true;
      parts.emplace_back();
    } else if (ends) {
      if (!inside || line.find(fmt::format("// END TODO({})", number)) == std::string::npos) {
        return fmt::format("stub.cu:{}: this ends no TODO", line_number);
      }
      inside = false;
    } else if (!inside) {
      parts.back() += line + "\n";
    }
  }
  if (inside) return fmt::format("stub.cu: TODO({}) has no end", number);
  if (number == 0) return "stub.cu has no TODO";
  if (stub == reference) return "the stub is the solution";

  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    std::size_t found = reference.find(part, at);
    if (i == 0 && found != 0) found = std::string::npos;
    if (i + 1 == parts.size()) {
      found = reference.size() >= at + part.size() && reference.ends_with(part)
                  ? reference.size() - part.size()
                  : std::string::npos;
    }
    if (found == std::string::npos) {
      return fmt::format(
          "outside its TODOs the stub differs from the reference: part {}, which "
          "begins \"{}\"",
          i + 1, first_line(part));
    }
    at = found + part.size();
  }
  return {};
}

int line_that_uses(const std::string& full_text, const std::string& term) {
  const std::string text = without_later(full_text);
  if (term.empty()) return 0;
  const auto same = [](char a, char b) {
    // A line break inside a term of two words is a space.
    return lower(a) == lower(b) || (b == ' ' && (a == '\n' || a == '-'));
  };
  for (auto at = text.begin();; ++at) {
    at = std::search(at, text.end(), term.begin(), term.end(), same);
    if (at == text.end()) return 0;
    auto end = at + static_cast<std::ptrdiff_t>(term.size());
    if (end != text.end() && lower(*end) == 's') ++end;
    const bool whole = (at == text.begin() || !word_character(*(at - 1))) &&
                       (end == text.end() || !word_character(*end));
    if (whole) return 1 + static_cast<int>(std::count(text.begin(), at, '\n'));
  }
}

}  // namespace grade
