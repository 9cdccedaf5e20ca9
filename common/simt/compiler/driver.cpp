#include "driver.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "lessons.h"
#include "lexer.h"
#include "messages.h"
#include "object_file.h"
#include "process.h"
#include "restrictions.h"
#include "rewriter.h"
#include "source_text.h"

#ifndef SIMT_CXX_COMPILER
#define SIMT_CXX_COMPILER "g++"
#endif

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

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

void write_file(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + path);
}

void append(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

// The full path of a program in PATH or in the folders of `more` (each with a ':' before it).
std::string find_program(const std::string& name, const std::string& more = {}) {
  const char* variable = std::getenv("PATH");
  const std::string path = (variable == nullptr ? std::string() : std::string(variable)) + more;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    begin = end + 1;
  }
  return {};
}

bool in_path(const std::string& name) {
  return !find_program(name).empty();
}

class Compilation {
 public:
  Compilation(const Job& job, std::string& messages) : job_(job), messages_(messages) {}

  int run(std::string& output_text) {
    if (!fs::is_regular_file(job_.source)) {
      fail("cannot read " + job_.source);
      return finish(usage);
    }
    load_lessons();
    std::optional<int> refused = refuse(check_includes(job_.source, job_.backend == Backend::cpu));
    if (refused) return finish(*refused);
    return finish(job_.backend == Backend::cpu ? run_cpu(output_text) : run_cuda());
  }

 private:
  // ---- reports ----

  void fail(const std::string& text) {
    Message message;
    message.text = text;
    reported_.push_back(std::move(message));
  }

  int finish(int status) {
    const std::size_t limit = 20;
    std::size_t errors = 0;
    std::vector<Message> shown;
    for (Message& message : reported_) {
      if (message.kind == MessageKind::error && ++errors > limit) continue;
      shown.push_back(std::move(message));
    }
    if (errors > limit) {
      Message more;
      more.kind = MessageKind::note;
      more.text = std::to_string(errors - limit) + " more errors";
      shown.push_back(more);
    }
    messages_ += render(shown, sources_, job_.colour);
    if (status != succeeded && job_.product != Product::rewritten_source) {
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

  bool is_own(const std::string& file) const {
    if (file.empty() || file.front() == '<') return false;
    if (file.front() != '/') return true;
    // clang writes "/usr/bin/../lib/gcc/...".
    const std::string path = fs::path(file).lexically_normal().string();
    for (const std::string& folder :
         {job_.simt_include, job_.moe_include, job_.gate_include, std::string("/usr/include"),
          std::string("/usr/lib"), std::string("/usr/local/include"),
          std::string("/usr/local/cuda"), std::string("/opt/")}) {
      if (!folder.empty() && path.starts_with(folder) && file != job_.source) return false;
    }
    return true;
  }

  TranslateOptions translation(const ColumnMap* columns) const {
    TranslateOptions options;
    options.is_own = [this](const std::string& file) { return is_own(file); };
    options.column = [columns](const std::string& file, int line, int column) {
      return columns == nullptr ? column : columns->original(file, line, column);
    };
    return options;
  }

  void report(std::vector<Message> messages) {
    for (Message& message : messages) reported_.push_back(std::move(message));
  }

  static bool has_error(const std::vector<Message>& messages) {
    return std::any_of(messages.begin(), messages.end(),
                       [](const Message& m) { return m.kind == MessageKind::error; });
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

  std::string lesson_label(const LessonFunction& lesson) const { return "lesson " + lesson.number; }

  // The line of the first call of `name` in the author's files, or where else it is named.
  Message at_call_of(const std::string& name, std::string_view text) const {
    Message message;
    const TokenStream stream = lex(text, {job_.source, true});
    for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) {
      if (!stream.tokens[i].is(name) || !stream.tokens[i + 1].is("(")) continue;
      message.file = stream.files[static_cast<std::size_t>(stream.tokens[i].file)];
      message.line = stream.tokens[i].line;
      if (i == 0 || !is_declared_after(stream.tokens[i - 1])) break;
    }
    return message;
  }

  // `int f(` declares f; `return f(` calls it.
  static bool is_declared_after(const Token& before) {
    if (before.is("*") || before.is("&") || before.is(">")) return true;
    return before.kind == TokenKind::identifier && !before.is("return") && !before.is("else") &&
           !before.is("do") && !before.is("case");
  }

  // Is the lesson's function there, and does the object call none that it may not? The function's
  // mangled name, or nothing after a report.
  std::optional<std::string> check_object(const std::string& object,
                                          const std::vector<DefinedFunction>& functions,
                                          std::string_view text) {
    const std::vector<Symbol> symbols = read_symbols(object);
    std::set<std::string> provided;
    for (const std::string& path : job_.allowed) {
      for (const Symbol& symbol : read_symbols(path)) {
        if (symbol.defined) provided.insert(symbol.name);
      }
    }
    bool good = true;
    for (const Symbol& symbol : symbols) {
      if (symbol.defined || provided.contains(symbol.name)) continue;
      const std::string name = base_name(symbol.demangled);
      const LessonFunction* other = find_lesson(lessons_, name);
      if (other == nullptr || symbol.demangled != other->signature) continue;
      Message message = at_call_of(name, text);
      const std::string self =
          job_.lesson.empty() ? "this file" : "lesson " + job_.lesson.substr(0, 3);
      if (name == function_) {
        message.text = "'" + name + "' is called but not defined";
      } else {
        message.text = self + " may not call " + name + " (" + lesson_label(*other) +
                       "): the kernel is the exercise";
      }
      reported_.push_back(std::move(message));
      good = false;
    }
    if (function_.empty()) return good ? std::optional<std::string>("") : std::nullopt;
    const LessonFunction* wanted = find_lesson(lessons_, function_);
    for (const Symbol& symbol : symbols) {
      if (!symbol.defined || !symbol.global) continue;
      const bool matches = wanted != nullptr ? symbol.demangled == wanted->signature
                                             : base_name(symbol.demangled) == function_;
      if (matches && good) return symbol.name;
    }
    if (good) report_missing(wanted, functions);
    return std::nullopt;
  }

  void report_missing(const LessonFunction* wanted, const std::vector<DefinedFunction>& functions) {
    Message message;
    message.text = fs::path(job_.source).filename().string() + " does not define " + function_;
    if (wanted != nullptr) {
      message.text += " as moe/kernels.h declares it";
      Message declaration;
      declaration.kind = MessageKind::note;
      declaration.text = "declared is: void " + function_ + "(" + wanted->parameters + ")";
      message.notes.push_back(declaration);
    }
    for (const DefinedFunction& function : functions) {
      if (function.name != function_ || !function.has_body) continue;
      message.file = function.file;
      message.line = function.line;
      message.text += ": " + why_it_does_not_count(function);
      break;
    }
    reported_.push_back(std::move(message));
  }

  static std::string why_it_does_not_count(const DefinedFunction& function) {
    if (function.is_kernel) {
      return "this is a kernel; the lesson's function is the host function that launches it";
    }
    if (function.in_anonymous_namespace) {
      return "this one is in an anonymous namespace, where nobody else sees it; move it out";
    }
    if (function.in_namespace) return "this one is in a namespace; move it to the global one";
    if (function.is_static) return "this one is static, so nobody else sees it; drop 'static'";
    if (function.extern_c) return "this one is extern \"C\"; drop that";
    if (function.is_template) return "this one is a template; make it a plain function";
    return "this one takes (" + function.parameters + ")";
  }

  // ---- the CPU backend ----

  Arguments include_arguments() const {
    Arguments arguments;
    for (const std::string& folder : job_.includes) arguments.push_back("-I" + folder);
    append(arguments, {"-isystem", job_.simt_include, "-isystem", job_.moe_include});
    for (const std::string& definition : job_.definitions) arguments.push_back("-D" + definition);
    return arguments;
  }

  Arguments checking_flags() const {
    if (!job_.checked) return {"-O2"};
    // The runtime supplies the hooks that these call (simt/src/hooks*.cpp, ubsan.cpp).
    return {"-O1",
            "-fsanitize=thread",
            "-fsanitize=bounds,alignment,integer-divide-by-zero",
            "--param=tsan-distinguish-volatile=1",
            "-fno-thread-jumps",
            "-ftrivial-auto-var-init=pattern"};
  }

  Arguments preprocess_command() const {
    Arguments arguments = {SIMT_CXX_COMPILER, "-E", "-x", "c++", "-std=c++20", "-D__CUDACC__"};
    for (const std::string& flag : checking_flags()) arguments.push_back(flag);
    if (!job_.depfile.empty()) {
      append(arguments, {"-MD", "-MF", job_.depfile, "-MT", job_.output});
    }
    for (const std::string& argument : include_arguments()) arguments.push_back(argument);
    arguments.push_back(job_.source);
    return arguments;
  }

  Arguments compile_command(const std::string& object) const {
    Arguments arguments = {SIMT_CXX_COMPILER,
                           "-c",
                           "-x",
                           "c++",
                           "-fpreprocessed",
                           "-std=c++20",
                           "-pipe",
                           "-g1",
                           "-fPIC",
                           "-fno-strict-aliasing",
                           "-fno-gnu-unique",
                           "-fno-diagnostics-show-caret",
                           "-fdiagnostics-color=never",
                           "-fmessage-length=0",
                           "-fmax-errors=50",
                           "-Wall",
                           "-Wno-unknown-pragmas",
                           "-Wno-unused-function",
                           "-Wno-unused-local-typedefs",
                           "-Wno-sign-compare",
                           "-Wno-comment",
                           "-Wno-volatile",
                           "-Wno-tsan",
                           "-Wno-attributes"};
    for (const std::string& flag : checking_flags()) arguments.push_back(flag);
    append(arguments, {"-o", object, "-"});
    return arguments;
  }

  Arguments link_command(const std::string& object, const std::string& script,
                         const std::string& output) const {
    Arguments arguments = {SIMT_CXX_COMPILER, "-o", output, object};
    // GNU ld takes three times as long as either.
    if (in_path("ld.gold")) {
      arguments.push_back("-fuse-ld=gold");
    } else if (in_path("ld.lld")) {
      arguments.push_back("-fuse-ld=lld");
    }
    if (job_.product == Product::kernel_object) {
      append(arguments, {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,now"});
      append(arguments, {"-Wl,--version-script=" + script, "-Wl,--build-id=none"});
      if (!job_.lesson.empty()) arguments.push_back("-Wl,-soname," + soname(job_.lesson));
      for (const std::string& path : job_.allowed) arguments.push_back(fs::absolute(path).string());
    } else {
      arguments.push_back("-Wl,-rpath," + fs::path(job_.library).parent_path().string());
    }
    append(arguments, {job_.library, "-lm"});
    return arguments;
  }

  // Every object of a lesson answers to one name, whoever wrote it: what an object needs of
  // another lesson is then found in whichever object of that lesson is loaded already.
  static std::string soname(const std::string& lesson) { return "lesson_" + lesson + ".so"; }

  static std::string version_script(const std::string& symbol) {
    return symbol.empty() ? "{ local: *; };\n" : "{ global: " + symbol + "; local: *; };\n";
  }

  std::unique_ptr<Process> start_gate() const {
    if (!job_.gate || job_.product == Product::rewritten_source || job_.gate_include.empty()) {
      return nullptr;
    }
    for (const char* compiler : {"clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16",
                                 "clang++-15", "clang++-14"}) {
      Arguments arguments = {compiler,
                             "-x",
                             "cuda",
                             "--cuda-device-only",
                             "--cuda-gpu-arch=sm_70",
                             "-nocudainc",
                             "-nocudalib",
                             "-fsyntax-only",
                             "-std=c++20",
                             "-w",
                             "-ferror-limit=50",
                             "-fno-caret-diagnostics",
                             "-fno-color-diagnostics",
                             "-D__CUDACC__",
                             "-include",
                             job_.gate_include + "/prelude.h",
                             "-isystem",
                             job_.gate_include};
      for (const std::string& argument : include_arguments()) arguments.push_back(argument);
      arguments.push_back(job_.source);
      try {
        return std::make_unique<Process>(arguments);
      } catch (const std::system_error&) {
        continue;  // no such compiler
      }
    }
    return nullptr;
  }

  int run_cpu(std::string& output_text) {
    const ScratchFolder scratch;
    std::unique_ptr<Process> gate = start_gate();
    Process preprocessor(preprocess_command());
    const ProcessResult preprocessed = preprocessor.finish();
    if (preprocessed.status != 0) {
      report(parse_messages(preprocessed.errors, translation(nullptr)));
      explain_missing_headers();
      if (reported_.empty()) fail("the preprocessor failed:\n" + preprocessed.errors);
      return does_not_compile;
    }
    preprocessed_ = preprocessed.output;
    const std::string& text = preprocessed_;
    if (std::optional<int> refused = refuse(check_uses(text, job_.source, true))) return *refused;

    RewriteOptions options;
    options.file = job_.source;
    for (const LessonFunction& lesson : lessons_) options.host_functions.push_back(lesson.name);
    const Rewritten rewritten = rewrite(text, options);
    keep("preprocessed.ii", text);
    keep("rewritten.ii", rewritten.text);
    if (job_.product == Product::rewritten_source) {
      output_text = rewritten.text;
    }
    const ColumnMap columns(text, rewritten.edits, sources_);
    for (const Problem& problem : rewritten.problems) {
      Message message = message_of(problem);
      message.column = unedited_column(text, problem);
      reported_.push_back(std::move(message));
    }
    if (!rewritten.ok()) return does_not_compile;
    if (job_.product == Product::rewritten_source) return succeeded;

    const std::string object = scratch / "kernel.o";
    Process compiler(compile_command(object));
    const ProcessResult compiled = compiler.finish(rewritten.text);
    std::vector<Message> found = parse_messages(compiled.errors, translation(&columns));
    if (compiled.status != 0) {
      if (!has_error(found)) fail("the compiler failed:\n" + compiled.errors);
      merge_gate(found, gate_messages(gate.get(), rewritten.unusual_launches));
      report(std::move(found));
      return does_not_compile;
    }
    const int status = link(object, scratch, rewritten, text);
    const std::vector<Message> objections = gate_messages(gate.get(), rewritten.unusual_launches);
    report(objections);
    report(std::move(found));
    return has_error(objections) ? does_not_compile : status;
  }

  // The column of a problem that the rewriter found, in the author's line.
  int unedited_column(std::string_view text, const Problem& problem) {
    static const std::vector<Edit> none;
    const ColumnMap columns(text, none, sources_);
    return columns.original(problem.file, problem.line, problem.column);
  }

  int link(const std::string& object, const ScratchFolder& scratch, const Rewritten& rewritten,
           std::string_view text) {
    std::string symbol;
    const std::string script = scratch / "exports.map";
    if (job_.product == Product::kernel_object) {
      const std::optional<std::string> found = check_object(object, rewritten.functions, text);
      if (!found) return does_not_compile;
      write_file(script, version_script(*found));
    }
    const std::string output = job_.output + ".tmp" + std::to_string(getpid());
    Process linker(link_command(object, script, output));
    const ProcessResult linked = linker.finish();
    if (linked.status != 0) {
      report_link_errors(linked.errors);
      std::error_code ignored;
      fs::remove(output, ignored);
      return does_not_compile;
    }
    fs::rename(output, job_.output);
    return succeeded;
  }

  // GNU ld: "k.cu:7: undefined reference to `g()'"; gold: "...'g()'"; lld: "undefined symbol: g()".
  void report_link_errors(const std::string& text) {
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
    if (named.empty()) fail("the linker failed:\n" + text);
  }

  void report_undefined(const std::string& name) {
    Message message = at_call_of(base_name(name), preprocessed_);
    if (name.starts_with("__ubsan") || name.starts_with("__tsan") || name.starts_with("simt::")) {
      message.text = "the CPU runtime lacks " + name + ": rebuild the workbook (tools/setup)";
    } else {
      message.text = "'" + name + "' is used but defined nowhere";
    }
    reported_.push_back(std::move(message));
  }

  // ---- the legality gate ----

  std::vector<Message> gate_messages(Process* gate, bool unusual_launches) const {
    if (gate == nullptr) return {};
    const ProcessResult result = gate->finish();
    if (result.status == 0) return {};
    std::vector<Message> found = parse_messages(result.errors, translation(nullptr));
    std::erase_if(found, [&](const Message& m) {
      // Only what is wrong in the author's own lines counts: the gate must never be wrong itself.
      // nvcc takes `__shared__ alignas(16) float`, clang wants the attributes the other way round.
      return m.kind != MessageKind::error || m.file.empty() || !is_own(m.file) ||
             m.text == "an attribute list cannot appear here";
    });
    std::set<std::pair<std::string, int>> blamed;
    std::erase_if(found, [&](Message& m) {
      if (!m.from_library) return false;
      m.text =
          "this uses code of the C++ library that runs on the host alone; device code cannot "
          "call it (" +
          m.text + ")";
      return !blamed.emplace(m.file, m.line).second;
    });
    // clang knows fewer spellings of a launch than nvcc.
    if (unusual_launches) found.clear();
    return found;
  }

  // What both compilers object to is told once; where g++ stumbles over generated text, clang's
  // words are the better ones.
  void merge_gate(std::vector<Message>& found, const std::vector<Message>& objections) const {
    for (const Message& objection : objections) {
      bool known = false;
      for (Message& message : found) {
        if (message.kind != MessageKind::error || message.file != objection.file ||
            message.line != objection.line) {
          continue;
        }
        if (message.from_library && !known) message = objection;
        known = true;
      }
      static_cast<void>(known);
    }
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
    write_file((fs::path(job_.keep) / name).string(), text);
  }

  // ---- the CUDA backend ----

  static std::string find_nvcc() {
    for (const char* variable : {"CUDACXX", "CUDA_HOME", "CUDA_PATH"}) {
      const char* value = std::getenv(variable);
      if (value == nullptr || *value == '\0') continue;
      const fs::path path(value);
      if (fs::is_regular_file(path)) return path.string();
      if (fs::is_regular_file(path / "bin/nvcc")) return (path / "bin/nvcc").string();
    }
    return find_program("nvcc", ":/usr/local/cuda/bin:/opt/cuda/bin");
  }

  // "sm_90" of the first device, or the course's default where there is none.
  static std::string find_architecture() {
    try {
      Process query({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"});
      const ProcessResult result = query.finish();
      std::string digits;
      for (const char c : result.output.substr(0, result.output.find('\n'))) {
        if (c >= '0' && c <= '9') digits.push_back(c);
      }
      if (result.status == 0 && digits.size() >= 2) return "sm_" + digits;
    } catch (const std::system_error&) {
    }
    return "sm_90";
  }

  Arguments nvcc_base(const std::string& nvcc) const {
    std::string architecture = job_.architecture.empty() ? find_architecture() : job_.architecture;
    if (!architecture.empty() && std::isdigit(static_cast<unsigned char>(architecture[0])) != 0) {
      architecture.insert(0, "sm_");
    }
    return {nvcc, "-std=c++20", "-arch=" + architecture, "-cudart=shared"};
  }

  Arguments nvcc_compile(const std::string& nvcc, const std::string& object) const {
    Arguments arguments = nvcc_base(nvcc);
    append(arguments, {"-c", "-O3", "-lineinfo", "--expt-relaxed-constexpr", "--extended-lambda",
                       "-Xcompiler=-fPIC,-fno-gnu-unique", "-I" + job_.moe_include});
    for (const std::string& folder : job_.includes) arguments.push_back("-I" + folder);
    for (const std::string& definition : job_.definitions) arguments.push_back("-D" + definition);
    if (!job_.depfile.empty()) append(arguments, {"-MD", "-MF", job_.depfile, "-MT", job_.output});
    append(arguments, {"-o", object, job_.source});
    return arguments;
  }

  int run_cuda() {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) {
      fail("no nvcc found: install the CUDA toolkit, or set CUDA_HOME to where it is");
      return unavailable;
    }
    const ScratchFolder scratch;
    preprocessed_ = read_file(job_.source);
    const std::string& source = preprocessed_;
    if (std::optional<int> refused = refuse(check_uses(source, job_.source, false))) {
      return *refused;
    }
    const std::string object = scratch / "kernel.o";
    Process compiler(nvcc_compile(nvcc, object));
    const ProcessResult compiled = compiler.finish();
    if (compiled.status != 0) {
      messages_ += compiled.errors + compiled.output;
      return does_not_compile;
    }
    messages_ += compiled.errors;
    Arguments arguments = nvcc_base(nvcc);
    append(arguments, {"-o", job_.output, object});
    if (job_.product == Product::kernel_object) {
      RewriteOptions options;
      options.file = job_.source;
      options.skip_system_headers = false;
      const Rewritten facts = rewrite(source, options);
      const std::optional<std::string> symbol = check_object(object, facts.functions, source);
      if (!symbol) return does_not_compile;
      const std::string script = scratch / "exports.map";
      write_file(script, version_script(*symbol));
      append(arguments, {"-shared", "-Xlinker=-Bsymbolic", "-Xlinker=-z,-Xlinker=defs",
                         "-Xlinker=--version-script=" + script});
      if (!job_.lesson.empty()) arguments.push_back("-Xlinker=-soname=" + soname(job_.lesson));
      for (const std::string& path : job_.allowed) arguments.push_back(fs::absolute(path).string());
    }
    Process linker(arguments);
    const ProcessResult linked = linker.finish();
    if (linked.status != 0) {
      report_link_errors(linked.errors);
      return does_not_compile;
    }
    return succeeded;
  }

  const Job& job_;
  std::string& messages_;
  std::vector<Message> reported_;
  std::vector<LessonFunction> lessons_;
  std::string function_;
  std::string preprocessed_;  // cuda: the source itself
  SourceFiles sources_;
};

}  // namespace

int run(const Job& job, std::string& messages, std::string& output_text) {
  Compilation compilation(job, messages);
  return compilation.run(output_text);
}

}  // namespace simt::compiler
