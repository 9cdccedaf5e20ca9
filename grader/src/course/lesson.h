// What a lesson's front matter holds, typed and checked.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grade {

struct Mistake {
  std::string slug;   // what mutants and graders refer to
  std::string title;  // the heading under "## Mistakes"
  std::optional<int> hint;
};

struct Choice {
  std::string text;
  std::string why;  // for a wrong choice, the misconception behind it
};

struct Question {
  enum class Type { number, choice, text };

  std::string id;
  std::string question;  // Markdown
  Type type = Type::number;
  double number = 0;       // the answer of a number question
  double tolerance = 0;    // absolute; 0 means equal
  std::string bench;       // a prediction: the count of `grade bench` that it is compared with
  std::size_t choice = 0;  // the right choice's index
  std::vector<Choice> choices;
  std::vector<std::string>
      accepted;         // the answers of a text question, compared without case and space
  std::string explain;  // Markdown, shown after a right answer
};

struct Lesson {
  int number = 0;
  std::string slug;  // matmul_nn, which is also the function's name, and what progress goes by
  std::vector<std::string> formerly;  // slugs that it had in earlier versions
  std::string title;
  int part = 0;
  std::string step;  // the curriculum's name of the step
  std::string verb;
  int minutes = 5;
  int xp = 5;
  int effort = 1;  // 1 to 4 dots
  std::vector<std::string> concepts;
  std::vector<int> prerequisites;
  std::string introduces_cuda;
  std::string introduces_math;
  std::vector<std::string> introduces_terms;
  bool calls_all = false;          // every earlier lesson: Course::load fills in `calls`
  std::vector<std::string> calls;  // directories of the lessons that may be called
  std::vector<Mistake> mistakes;
  std::vector<std::string> hints;  // Markdown, three rungs
  std::vector<Question> quiz;

  std::filesystem::path folder;  // .../lessons/001_matmul_nn

  // "001_matmul_nn": the name of the folder, of build targets and of the entry in progress.json.
  std::string directory() const { return folder.filename().string(); }
  std::filesystem::path notes_file() const { return folder / "lesson.md"; }
  std::filesystem::path stub() const { return folder / "stub.cu"; }
  std::filesystem::path kernel() const { return folder / "kernel.cu"; }  // see Workspace::kernel
  std::filesystem::path grader() const { return folder / "grader.cpp"; }
};

// Reads only the front matter of folder/lesson.md. Throws Error(unavailable) that names the file
// and the field.
Lesson read_lesson(const std::filesystem::path& folder);

// A text file in two parts. `body` starts after the closing "---" line.
struct FrontMatter {
  std::string json;
  std::string body;
  int body_line = 1;  // the line of the file on which the body starts
};
// Splits a whole lesson.md; throws Error(unavailable) naming `file` when there is no front matter.
FrontMatter split_front_matter(const std::string& content, const std::string& file);

}  // namespace grade
