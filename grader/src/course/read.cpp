// Reads the course's data: course.json and the front matter of each lesson. The only file of the
// course that parses JSON, whose header is slow to compile.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "course/course.h"
#include "course/fields.h"
#include "system/files.h"
#include "system/paths.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// The file from its start up to the line "---" that closes the front matter: notes are long, and
// listing the lessons needs none of them.
std::string read_head(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(Exit::unavailable,
                fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)),
                Fields::repair);
  }
  std::string head;
  std::string chunk(8192, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const std::size_t seen = head.size() < 4 ? 4 : head.size() - 4;
    head.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (head.find("\n---", std::min(seen, head.size())) != std::string::npos) break;
  }
  return head;
}

bool is_fence(std::string_view line) {
  return line == "---" || line == "---\r";
}

// A prediction counts as right within a fifth, unless the lesson says otherwise.
constexpr double kPredictionTolerance = 0.2;

Question read_question(const Fields& fields) {
  Question question;
  question.id = fields.get<std::string>("id");
  question.question = fields.get<std::string>("question");
  question.explain = fields.get<std::string>("explain", "");
  const auto type = fields.get<std::string>("type");
  if (type == "number") {
    question.type = Question::Type::number;
    question.number = fields.get<double>("answer");
    question.bench = fields.get<std::string>("bench", "");
    question.tolerance = fields.get<double>(
        "tolerance", question.bench.empty() ? 0.0 : kPredictionTolerance * question.number);
    if (question.tolerance < 0) fields.fail("tolerance", "should not be negative");
  } else if (type == "choice") {
    question.type = Question::Type::choice;
    const auto& choices = fields.list("choices");
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const Fields choice = fields.entry("choices", choices[i], i);
      question.choices.push_back(
          {choice.get<std::string>("text"), choice.get<std::string>("why", "")});
    }
    const int answer = fields.get<int>("answer");
    if (answer < 0 || static_cast<std::size_t>(answer) >= question.choices.size()) {
      fields.fail("answer", "should be the index of a choice, from 0");
    }
    question.choice = static_cast<std::size_t>(answer);
  } else if (type == "text") {
    question.type = Question::Type::text;
    if (fields.value("answer").is_string()) {
      question.accepted = {fields.get<std::string>("answer")};
    } else {
      question.accepted = fields.get<std::vector<std::string>>("answer");
    }
    if (question.accepted.empty()) fields.fail("answer", "should not be empty");
  } else {
    fields.fail("type", fmt::format("is \"{}\", and should be number, choice or text", type));
  }
  return question;
}

bool named_as_a_lesson(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return name.size() > 4 && name[3] == '_' &&
         std::all_of(name.begin(), name.begin() + 3,
                     [](unsigned char c) { return std::isdigit(c); });
}

// A slug is what progress goes by, so one that was a lesson's once is never another's.
void leave_out_taken_names(Course& course) {
  std::map<std::string, std::string> owners;  // a lesson's folder, by its name and former ones
  for (const Lesson& lesson : course.lessons) owners[lesson.slug] = lesson.directory();
  std::erase_if(course.lessons, [&](const Lesson& lesson) {
    for (const std::string& name : lesson.formerly) {
      const auto [owner, is_new] = owners.emplace(name, lesson.directory());
      if (is_new) continue;
      course.broken.push_back({lesson.directory(), lesson.number,
                               fmt::format("{}: field \"formerly\" has {}, which is a name of {}",
                                           lesson.notes_file().string(), name, owner->second),
                               Fields::repair});
      return true;
    }
    return false;
  });
}

// In the part that course.json gives it, and no second lesson of its number.
void check_place(const Course& course, const Lesson& lesson) {
  const Part* part = course.part_of(lesson.number);
  if (part == nullptr || part->number != lesson.part) {
    throw Error(Exit::unavailable,
                fmt::format("{}: field \"part\" is {}, and course.json puts lesson {} in {}",
                            lesson.notes_file().string(), lesson.part, lesson.number,
                            part == nullptr ? "no part" : fmt::format("part {}", part->number)),
                Fields::repair);
  }
  if (const Lesson* other = course.by_number(lesson.number)) {
    throw Error(Exit::unavailable,
                fmt::format("two lessons have the number {}: {} and {}", lesson.number,
                            other->directory(), lesson.directory()),
                "Give one of the folders another number.");
  }
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& file, int first_line) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = first_line + std::count(text.begin(), end, '\n');
    // The library's message starts with its own code and position.
    std::string reason = error.what();
    if (const auto colon = reason.find(": "); colon != std::string::npos)
      reason.erase(0, colon + 2);
    throw Error(Exit::unavailable, fmt::format("{}:{}: not valid JSON: {}", file, line, reason),
                Fields::repair);
  }
}

FrontMatter split_front_matter(const std::string& content, const std::string& file) {
  FrontMatter parts;
  std::size_t start = 0;
  int line_number = 0;
  std::size_t json_start = 0;
  while (start < content.size()) {
    std::size_t end = content.find('\n', start);
    if (end == std::string::npos) end = content.size();
    const std::string_view line(content.data() + start, end - start);
    ++line_number;
    if (line_number == 1) {
      if (!is_fence(line)) break;
      json_start = std::min(end + 1, content.size());
    } else if (is_fence(line)) {
      parts.json = content.substr(json_start, start - json_start);
      parts.body = end < content.size() ? content.substr(end + 1) : std::string();
      parts.body_line = line_number + 1;
      return parts;
    }
    start = end + 1;
  }
  throw Error(Exit::unavailable,
              fmt::format("{}: no front matter: the file should start with a line ---, one JSON "
                          "object, and a line ---",
                          file),
              Fields::repair);
}

Lesson read_lesson(const fs::path& folder) {
  Lesson lesson;
  lesson.folder = folder;
  const std::string file = lesson.notes_file().string();
  const nlohmann::json data =
      parse_json(split_front_matter(read_head(lesson.notes_file()), file).json, file, 2);
  const Fields fields(data, file);

  lesson.number = fields.get<int>("number");
  lesson.slug = fields.get<std::string>("slug");
  if (fmt::format("{:03}_{}", lesson.number, lesson.slug) != lesson.directory()) {
    fields.fail("slug",
                fmt::format("and \"number\" give {:03}_{}, and should give the folder's name, {}",
                            lesson.number, lesson.slug, lesson.directory()));
  }
  lesson.formerly = fields.get<std::vector<std::string>>("formerly", {});
  lesson.title = fields.get<std::string>("title");
  lesson.part = fields.get<int>("part");
  lesson.step = fields.get<std::string>("step");
  lesson.verb = fields.get<std::string>("verb");
  lesson.minutes = fields.get<int>("minutes");
  lesson.xp = fields.get<int>("xp");
  lesson.effort = fields.get<int>("effort");
  if (lesson.effort < 1 || lesson.effort > 4) fields.fail("effort", "should be 1 to 4");
  lesson.concepts = fields.get<std::vector<std::string>>("concepts");
  lesson.prerequisites = fields.get<std::vector<int>>("prerequisites");
  lesson.calls_all = fields.has("calls") && fields.value("calls") == "all";
  if (!lesson.calls_all) lesson.calls = fields.get<std::vector<std::string>>("calls", {});

  const Fields introduces = fields.object("introduces");
  lesson.introduces_cuda = introduces.get<std::string>("cuda");
  lesson.introduces_math = introduces.get<std::string>("math");
  lesson.introduces_terms = introduces.get<std::vector<std::string>>("terms", {});

  const auto& mistakes = fields.list("mistakes");
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const Fields mistake = fields.entry("mistakes", mistakes[i], i);
    lesson.mistakes.push_back(
        {mistake.get<std::string>("slug"), mistake.get<std::string>("title"), std::nullopt});
    if (mistake.has("hint")) lesson.mistakes.back().hint = mistake.get<int>("hint");
  }
  lesson.hints = fields.get<std::vector<std::string>>("hints");
  const auto& quiz = fields.list("quiz");
  for (std::size_t i = 0; i < quiz.size(); ++i) {
    Question question = read_question(fields.entry("quiz", quiz[i], i));
    for (const Question& other : lesson.quiz) {
      if (other.id == question.id) fields.fail("quiz", "has two questions with the id " + other.id);
    }
    lesson.quiz.push_back(std::move(question));
  }
  return lesson;
}

Course Course::load(const Paths& paths) {
  Course course;
  const fs::path file = paths.lessons() / "course.json";
  const nlohmann::json data = parse_json(read_file(file), file.string(), 1);
  const Fields fields(data, file.string());
  course.title = fields.get<std::string>("title");
  course.line = fields.get<std::string>("line");
  course.hours = fields.get<double>("hours");
  const auto& parts = fields.list("parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Fields part = fields.entry("parts", parts[i], i);
    course.parts.push_back({part.get<int>("number"), part.get<std::string>("title"),
                            part.get<std::string>("about"), part.get<int>("first"),
                            part.get<int>("last")});
    const int expected = i == 0 ? 1 : course.parts[i - 1].last + 1;
    if (course.parts[i].first != expected) {
      part.fail("first", fmt::format("should be {}: parts follow each other", expected));
    }
    if (course.parts[i].last < expected) part.fail("last", "should not be smaller than \"first\"");
  }
  if (course.parts.empty()) fields.fail("parts", "should not be empty");

  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(paths.lessons(), error)) {
    if (!named_as_a_lesson(entry)) continue;
    std::error_code missing;
    const bool here = fs::is_regular_file(entry.path() / "lesson.md", missing);
    (here ? folders : course.left_folders).push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<std::string> earlier;  // folders' names, of broken lessons too
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    try {
      Lesson lesson = read_lesson(folder);
      if (lesson.calls_all) lesson.calls = earlier;
      check_place(course, lesson);
      course.lessons.push_back(std::move(lesson));
    } catch (const Error& wrong) {
      course.broken.push_back({name, std::stoi(name.substr(0, 3)), wrong.what(), wrong.next()});
    }
    earlier.push_back(name);
  }
  leave_out_taken_names(course);
  std::sort(course.broken.begin(), course.broken.end(),
            [](const BrokenLesson& a, const BrokenLesson& b) { return a.number < b.number; });
  return course;
}

}  // namespace grade
