#include "driver.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "fair_play.h"
#include "gate.h"
#include "lessons.h"
#include "lexer.h"
#include "memory_file.h"
#include "messages.h"
#include "object_check.h"
#include "object_file.h"
#include "operation_counts.h"
#include "process.h"
#include "restrictions.h"
#include "rewriter.h"
#include "source_text.h"
#include "toolchain.h"

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_errors = 20;

// Removed with everything in it at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "simt-cc-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "temporary folder");
    }
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

bool has_error(const std::vector<Message>& messages) {
  return std::any_of(messages.begin(), messages.end(),
                     [](const Message& m) { return m.kind == MessageKind::error; });
}

class Compilation {
 public:
  Compilation(const Job& job, std::string& messages) : job_(job), messages_(messages) {}

  int run(std::string& output_text) {
    std::error_code ignored;
    if (!fs::is_regular_file(job_.source, ignored)) {
      fail("cannot read " + job_.source);
      return finish(usage);
    }
    load_lessons();
    if (const std::optional<int> refused =
            refuse(check_includes(job_.source, job_.backend == Backend::cpu))) {
      return finish(*refused);
    }
    return finish(job_.backend == Backend::cpu ? run_cpu(output_text) : run_cuda());
  }

 private:
  // ---- reports ----

  // A compiler that fails without an error in the author's file has failed itself.
  int tool_failed(const std::string& what, const std::string& output) {
    fail(what + " of this machine does not work" + (output.empty() ? "" : ":\n" + output));
    return broken;
  }

  void fail(const std::string& text) {
    Message message;
    message.text = text;
    reported_.push_back(std::move(message));
  }

  void report(std::vector<Message> messages) {
    for (Message& message : messages) reported_.push_back(std::move(message));
  }

  int finish(int status) {
    std::size_t errors = 0;
    std::vector<Message> shown;
    for (Message& message : reported_) {
      if (message.kind == MessageKind::error && ++errors > most_errors) continue;
      shown.push_back(std::move(message));
    }
    if (errors > most_errors) {
      Message more;
      more.kind = MessageKind::note;
      more.text = std::to_string(errors - most_errors) + " more errors";
      shown.push_back(more);
    }
    messages_ += render(shown, sources_, job_.colour);
    if (status != succeeded && !job_.output.empty()) {
      std::error_code ignored;
      fs::remove(job_.output, ignored);  // an old object must not be taken for this one
    }
    return status;
  }

  std::optional<int> refuse(const std::vector<Restriction>& restrictions) {
    int status = succeeded;
    for (const Restriction& restriction : restrictions) {
      reported_.push_back(message_of(restriction.problem));
      const bool forbidden = restriction.verdict == Verdict::forbidden;
      if (forbidden || status == succeeded) status = forbidden ? does_not_compile : unavailable;
    }
    if (status == succeeded) return std::nullopt;
    return status;
  }

  bool refuse(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) reported_.push_back(message_of(problem));
    return !problems.empty();
  }

  // A lesson's file takes nothing in that would do the exercise, and hides nothing.
  bool plays_foul_on_cpu() {
    if (job_.lesson.empty()) return false;
    if (refuse(check_disguises(read_file(job_.source), job_.source))) return true;
    if (refuse(check_included_files(text_, job_.source, job_.workbook, job_.lesson))) return true;
    bool foul = refuse(check_attributes(text_, job_.source));
    for (const std::string& file : own_headers()) {
      foul = refuse(check_disguises(read_file(file), file)) || foul;
    }
    return foul;
  }

  std::set<std::string> own_headers() const {
    std::set<std::string> found;
    each_line(text_, [&](std::size_t, std::size_t, const LineMarker* marker) {
      std::error_code ignored;
      if (marker != nullptr && marker->file != job_.source && is_own(marker->file) &&
          fs::is_regular_file(marker->file, ignored)) {
        found.insert(marker->file);
      }
    });
    return found;
  }

  // The author's file and the headers beside it, not the runtime's or the system's.
  bool is_own(const std::string& file) const {
    if (file.empty() || file.front() == '<') return false;
    if (file.front() != '/' || file == job_.source) return true;
    // clang writes "/usr/bin/../lib/gcc/...".
    const std::string path = fs::path(file).lexically_normal().string();
    for (const std::string& folder :
         {job_.simt_include, job_.moe_include, job_.gate_include, std::string("/usr/include"),
          std::string("/usr/lib"), std::string("/usr/local/include"),
          std::string("/usr/local/cuda"), std::string("/opt/")}) {
      if (!folder.empty() && path.starts_with(folder)) return false;
    }
    return true;
  }

  // `columns` maps what the compiler read to the author's lines; null: it read those.
  TranslateOptions translation(const ColumnMap* columns) const {
    TranslateOptions options;
    options.is_own = [this](const std::string& file) { return is_own(file); };
    options.column = [columns](const std::string& file, int line, int column) {
      return columns == nullptr ? column : columns->original(file, line, column);
    };
    return options;
  }

  // ---- lessons ----

  void load_lessons() {
    const std::string header = job_.moe_include + "/moe/kernels.h";
    if (!job_.moe_include.empty() && fs::exists(header)) {
      lessons_ = parse_lesson_functions(read_file(header));
    }
    function_ = job_.function;
    if (function_.empty() && job_.lesson.size() > 4) function_ = job_.lesson.substr(4);
  }

  // The function to export, or nothing after a report.
  std::optional<std::string> check(const std::string& object,
                                   const std::vector<DefinedFunction>& functions) {
    const std::string runtime = job_.backend == Backend::cpu ? job_.library : std::string();
    std::vector<std::string> allowed = job_.allowed;
    allowed.insert(allowed.end(), job_.linked.begin(), job_.linked.end());
    const ObjectRules rules{job_.source, job_.lesson, function_, allowed, runtime, lessons_};
    return check_object(
        object, rules, functions,
        [this](const std::string& name) { return call_of(name, text_, job_.source); }, reported_);
  }

  // ---- the CPU backend ----

  int run_cpu(std::string& output_text) {
    Gate gate(job_);
    const ProcessResult preprocessed = Process(preprocess_command(job_)).finish();
    if (preprocessed.status != 0) {
      report(parse_messages(preprocessed.errors, translation(nullptr)));
      explain_missing_headers();
      if (reported_.empty()) return tool_failed("the preprocessor", preprocessed.errors);
      return does_not_compile;
    }
    text_ = preprocessed.output;
    if (plays_foul_on_cpu()) return does_not_compile;
    if (const std::optional<int> refused = refuse(check_uses(text_, job_.source, true))) {
      return *refused;
    }
    const Rewritten rewritten = rewrite_source();
    if (!rewritten.ok()) return does_not_compile;
    if (job_.product == Product::rewritten_source) {
      output_text = rewritten.text;
      return succeeded;
    }

    const MemoryFile object;
    const ProcessResult compiled = compile(rewritten.text, object);
    const ColumnMap columns(text_, rewritten.edits, sources_);
    std::vector<Message> found = parse_messages(compiled.errors, translation(&columns));
    if (compiled.status != 0) {
      if (!has_error(found)) return tool_failed("the compiler", compiled.errors);
      if (lacks_something(found)) {
        report(std::move(found));
        return unavailable;
      }
      prefer_objections(found, gate.objections(translation(nullptr), rewritten.unusual_launches));
      report(std::move(found));
      return does_not_compile;
    }
    const int status = link(object.path(), rewritten);
    std::vector<Message> objections =
        gate.objections(translation(nullptr), rewritten.unusual_launches);
    keep_cuda_rules(objections);
    report(objections);
    report(std::move(found));
    return has_error(objections) ? does_not_compile : status;
  }

  // Does the file use what the CPU runtime has not? Then that is all there is to say: what else g++
  // says may follow from it, and is told when the file does without.
  static bool lacks_something(std::vector<Message>& found) {
    const auto is_other = [](const Message& m) { return !m.lacking; };
    if (std::all_of(found.begin(), found.end(), is_other)) return false;
    std::erase_if(found, is_other);
    std::set<std::pair<std::string, int>> told;
    std::erase_if(found, [&](const Message& m) {
      return !told.emplace(m.file + ":" + m.text, m.line).second;
    });
    return true;
  }

  ProcessResult compile(const std::string& source, const MemoryFile& object) const {
    if (!job_.profile) return Process(compile_command(job_, object.path())).finish(source);
    const MemoryFile assembly;
    ProcessResult compiled = Process(assembly_command(job_, assembly.path())).finish(source);
    if (compiled.status != 0) return compiled;
    const ProcessResult assembled =
        Process(assemble_command(object.path())).finish(with_operation_counts(assembly.content()));
    compiled.status = assembled.status;
    compiled.errors += assembled.errors;
    return compiled;
  }

  Rewritten rewrite_source() {
    RewriteOptions options;
    options.file = job_.source;
    for (const LessonFunction& lesson : lessons_) options.host_functions.push_back(lesson.name);
    Rewritten rewritten = rewrite(text_, options);
    keep("preprocessed.ii", text_);
    keep("rewritten.ii", rewritten.text);
    if (!rewritten.problems.empty()) {
      const std::vector<Edit> none;
      const ColumnMap columns(text_, none, sources_);
      for (const Problem& problem : rewritten.problems) {
        Message message = message_of(problem);
        message.column = columns.original(problem.file, problem.line, problem.column);
        reported_.push_back(std::move(message));
      }
    }
    return rewritten;
  }

  int link(const std::string& object, const Rewritten& rewritten) {
    std::string symbol;
    if (job_.product == Product::kernel_object) {
      const std::optional<std::string> found = check(object, rewritten.functions);
      if (!found) return does_not_compile;
      symbol = *found;
    }
    const MemoryFile script(version_script(symbol, function_));
    const std::string output = job_.output + ".tmp" + std::to_string(getpid());
    // Some installations of g++ suit their own linker only.
    ProcessResult linked;
    for (const bool fast : {true, false}) {
      Process linker(link_command(job_, object, script.path(), output, fast));
      linked = linker.finish();
      if (linked.status == 0) break;
    }
    if (linked.status != 0) {
      std::error_code ignored;
      fs::remove(output, ignored);
      return report_link_errors(linked.errors);
    }
    fs::rename(output, job_.output);
    keep_relocatable(object);
    return succeeded;
  }

  void keep_relocatable(const std::string& object) const {
    if (job_.relocatable.empty()) return;
    const std::string copy = job_.relocatable + ".tmp" + std::to_string(getpid());
    std::ofstream(copy, std::ios::binary) << read_file(object);
    fs::rename(copy, job_.relocatable);
  }

  // GNU ld: "k.cu:7: undefined reference to `g()'"; gold: "...'g()'"; lld: "undefined symbol: g()".
  int report_link_errors(const std::string& text) {
    std::set<std::string> named;
    for (const std::string_view marker :
         {"undefined reference to `", "undefined reference to '", "undefined symbol: "}) {
      for (std::size_t at = text.find(marker); at != std::string::npos;
           at = text.find(marker, at + 1)) {
        const std::size_t begin = at + marker.size();
        std::size_t end = std::min(text.find('\n', begin), text.size());
        if (marker.back() != ' ') end = text.rfind('\'', end);
        const std::string name = text.substr(begin, end - begin);
        if (named.insert(name).second) report_undefined(name);
      }
    }
    return named.empty() ? tool_failed("the linker", text) : does_not_compile;
  }

  void report_undefined(const std::string& name) {
    Message message = call_of(base_name(name), text_, job_.source);
    if (name.starts_with("__ubsan") || name.starts_with("__tsan") || name.starts_with("simt::")) {
      message.text = "the CPU runtime lacks " + name + ": build the workbook again (tools/setup)";
    } else {
      message.text = "'" + name + "' is used but defined nowhere";
    }
    reported_.push_back(std::move(message));
  }

  void explain_missing_headers() {
    for (Message& message : reported_) {
      const std::size_t end = message.text.find(": No such file or directory");
      if (end == std::string::npos) continue;
      const std::string header = message.text.substr(0, end);
      message.text = "header '" + header + "' is not found";
      if (header.find("cuda") != std::string::npos || header.ends_with(".cuh") ||
          header.find("mma") != std::string::npos) {
        message.text += ": the CPU runtime does not have it";
      }
    }
  }

  void keep(const std::string& name, const std::string& text) const {
    if (job_.keep.empty()) return;
    fs::create_directories(job_.keep);
    std::ofstream(fs::path(job_.keep) / name, std::ios::binary) << text;
  }

  // ---- the CUDA backend ----

  int run_cuda() {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) {
      fail("no nvcc found: install the CUDA toolkit, or set CUDA_HOME to where it is");
      return broken;
    }
    const std::string architecture =
        job_.architecture.empty() ? find_architecture() : job_.architecture;
    text_ = read_file(job_.source);
    if (const std::optional<int> refused = refuse(check_uses(text_, job_.source, false))) {
      return *refused;
    }
    const ScratchFolder scratch;
    const std::string object = scratch / "kernel.o";
    Process compiler(nvcc_compile_command(job_, nvcc, architecture, object));
    const ProcessResult compiled = compiler.finish();
    messages_ += compiled.output + compiled.errors;
    if (compiled.status != 0) {
      // What is wrong with the file names a line of it, or of a header that it asked for.
      const bool is_about_code = messages_.find(": error") != std::string::npos ||
                                 messages_.find("error: ") != std::string::npos;
      return is_about_code ? does_not_compile : tool_failed("nvcc", {});
    }
    if (!job_.lesson.empty() && !job_.depfile.empty() &&
        refuse(
            check_dependencies(read_file(job_.depfile), job_.source, job_.workbook, job_.lesson))) {
      return does_not_compile;
    }

    std::optional<std::string> symbol = "";
    if (job_.product == Product::kernel_object) {
      RewriteOptions options;
      options.file = job_.source;
      options.skip_system_headers = false;
      symbol = check(object, rewrite(text_, options).functions);
      if (!symbol) return does_not_compile;
    }
    const MemoryFile exports(version_script(*symbol, function_));
    Process linker(nvcc_link_command(job_, nvcc, architecture, object, exports.path()));
    const ProcessResult linked = linker.finish();
    if (linked.status != 0) {
      return report_link_errors(linked.errors + linked.output);
    }
    keep_relocatable(object);
    return succeeded;
  }

  const Job& job_;
  std::string& messages_;
  std::vector<Message> reported_;
  std::vector<LessonFunction> lessons_;
  std::string function_;
  std::string text_;  // preprocessed; for nvcc the source itself
  SourceFiles sources_;
};

}  // namespace

int run(const Job& job, std::string& messages, std::string& output_text) {
  Compilation compilation(job, messages);
  return compilation.run(output_text);
}

}  // namespace simt::compiler
