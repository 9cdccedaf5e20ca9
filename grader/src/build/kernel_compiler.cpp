#include "build/kernel_compiler.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "cli/error.h"
#include "machine/machine.h"
#include "sandbox/sandbox.h"
#include "system/files.h"
#include "system/process.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBuildLimit(60);
constexpr std::uint64_t kBuildMemory = std::uint64_t{4} << 30;

// Exit codes of simt-cc.
constexpr int kDoesNotCompile = 3;
constexpr int kNeedsGpu = 5;
constexpr int kBroken = 6;

// A kernel is a few kilobytes. Whatever is larger by far is no kernel, and would keep the compiler
// busy until its limits end it.
constexpr std::uintmax_t kLargestSource = std::uintmax_t{4} << 20;

std::string identity(const fs::path& program) {
  struct stat info {};
  std::error_code ignored;
  const fs::path real = fs::canonical(program, ignored);
  if (stat(real.c_str(), &info) != 0) return {};
  return fmt::format("{} {} {}.{}", real.string(), info.st_size, info.st_mtim.tv_sec,
                     info.st_mtim.tv_nsec);
}

// Every header below `folder`, by name and content.
std::string headers(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const fs::path& file : files) all += file.string() + '\n' + read_file(file) + '\n';
  return content_hash(all);
}

std::string compiler_identity(Backend backend) {
  if (backend == Backend::cuda) return identity(find_nvcc());
  const char* chosen = std::getenv("CXX");
  return identity(find_program(chosen != nullptr ? chosen : "g++")) +
         identity(find_program("clang++"));  // the second opinion of simt-cc
}

// The files named by a Makefile rule "object: a b \ c", those of the system left out.
std::vector<std::string> dependencies(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && word.back() == ':') {
      files.clear();  // the target: nvcc puts a space before the colon
    } else if (!word.empty() && !word.starts_with("/usr/")) {
      files.push_back(word);
    }
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size()) {
      ++i;
      if (rule[i] != '\n')
        word += rule[i];
      else
        finish();
    } else if (rule[i] == ' ' || rule[i] == '\n' || rule[i] == '\t') {
      finish();
    } else {
      word += rule[i];
    }
  }
  finish();
  return files;
}

std::string hash_of(const fs::path& file) {
  const auto content = read_file_if_there(file);
  return content ? content_hash(*content) : "absent";
}

// What was compiled before: .grade/cache/<key>/{kernel.so, headers, messages}. The key covers the
// source and everything that is known beforehand; `headers` begins with the object's size and lists
// what else the compiler read, a line "hash path" each.
std::optional<CompiledKernel> look_up(const fs::path& folder, const fs::path& base) {
  std::error_code missing;
  const auto text = read_file_if_there(folder / "headers");
  const auto messages = read_file_if_there(folder / "messages");
  const auto size = fs::file_size(folder / "kernel.so", missing);
  if (!text || !messages || missing) return std::nullopt;
  CompiledKernel found;
  std::istringstream lines(*text);
  std::uintmax_t recorded = 0;
  // No fsync when it was written: what a crash damages is recognised and compiled again.
  if (!(lines >> recorded) || recorded != size) return std::nullopt;
  std::string hash;
  std::string file;
  while (lines >> hash && lines.get() == ' ' && std::getline(lines, file)) {
    if (hash_of(base / file) != hash) return std::nullopt;
    found.sources.push_back((base / file).string());
  }
  found.outcome = CompiledKernel::Outcome::compiled;
  found.object = folder / "kernel.so";
  found.messages = *messages;
  found.cached = true;
  fs::last_write_time(folder, fs::file_time_type::clock::now(), missing);  // for prune()
  return found;
}

// What the compiler read besides the system's headers, and the hash of each as it is now.
std::map<std::string, std::string> what_was_read(const fs::path& work, const fs::path& base) {
  std::map<std::string, std::string> hashes;
  const auto rule = read_file_if_there(work / "depfile");
  for (const std::string& file : dependencies(rule.value_or(std::string()))) {
    hashes[file] = hash_of(base / file);
  }
  return hashes;
}

// Whether the file may have been written since then. Its own time may be set to any; this one not.
bool changed_since(const fs::path& file, std::chrono::system_clock::time_point then) {
  using std::chrono::nanoseconds;
  constexpr std::chrono::milliseconds kCoarse(50);  // so far a file's time may be behind the clock
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) return true;
  const nanoseconds changed =
      std::chrono::seconds(info.st_ctim.tv_sec) + nanoseconds(info.st_ctim.tv_nsec);
  return changed > then.time_since_epoch() - kCoarse;
}

void remember(const fs::path& folder, const std::map<std::string, std::string>& hashes,
              const std::string& messages) {
  std::string list = std::to_string(fs::file_size(folder / "kernel.so")) + "\n";
  for (const auto& [file, hash] : hashes) list += hash + " " + file + "\n";
  // Half of the list would look like all of it.
  for (const auto& [name, text] : {std::pair{"messages", &messages}, {"headers", &list}}) {
    std::ofstream file(folder / name);
    file << *text;
    file.close();
    if (!file) {
      throw Error(Exit::unavailable, fmt::format("cannot write {}: {}", (folder / name).string(),
                                                 std::strerror(errno)));
    }
  }
  fs::remove(folder / "depfile");
}

// Of simt-cc; none for a kernel with checks.
std::string option(KernelSource::Purpose purpose, Backend backend) {
  if (backend == Backend::cuda || purpose == KernelSource::Purpose::checks) return {};
  return purpose == KernelSource::Purpose::training ? "--unchecked" : "--profile";
}

// Keeps the cache from growing without end: the oldest entries go.
void prune(const fs::path& cache) {
  constexpr std::size_t kKept = 1500;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    entries.emplace_back(fs::last_write_time(entry, ignored), entry.path());
  }
  if (entries.size() <= kKept) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + kKept * 3 / 4 < entries.size(); ++i) {
    fs::remove_all(entries[i].second, ignored);
  }
}

}  // namespace

KernelCompiler::KernelCompiler(const Paths& paths, const BuildTree& tree)
    : paths_(paths), tree_(tree) {
  std::string parts = name(tree.backend());
  parts += hash_of(tree.kernel_compiler());
  parts += compiler_identity(tree.backend());
  parts += headers(paths.root / "common" / "moe" / "include");
  if (tree.backend() == Backend::cpu) parts += headers(paths.root / "common" / "simt" / "include");
  toolchain_ = content_hash(parts);
  prune(paths.state() / "cache");
}

CompiledKernel KernelCompiler::compile(const KernelSource& source,
                                       const std::atomic<bool>* cancelled) const {
  constexpr int kMostTries = 10;
  Hashes known;
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (auto compiled = try_to_compile(source, known, cancelled)) return *compiled;
  }
  throw Error(Exit::unavailable,
              fmt::format("{}, or what it includes, changes again and again while it is compiled",
                          paths_.shown(source.file)),
              "Run the command again once nothing writes there any more.");
}

// The compiler reads the files itself, after they were looked at here: what is saved in between
// would stand under the other state's name. Nothing then; `known` is what the files held
// afterwards, so that the next try can tell whether they have stayed.
std::optional<CompiledKernel> KernelCompiler::try_to_compile(
    const KernelSource& source, Hashes& known, const std::atomic<bool>* cancelled) const {
  // Messages and debug information name the file as it is passed: relative where it lies below the
  // root.
  const fs::path absolute = fs::absolute(source.file).lexically_normal();
  const fs::path relative = absolute.lexically_relative(paths_.root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  const std::string shown = inside ? relative.string() : absolute.string();

  std::error_code unknown;
  const std::uintmax_t bytes = fs::file_size(absolute, unknown);
  if (!unknown && bytes > kLargestSource) {
    CompiledKernel refused;
    refused.source_hash = hash_of(absolute);
    refused.outcome = CompiledKernel::Outcome::does_not_compile;
    refused.messages =
        fmt::format("{}: error: this file has {:.1f} MiB; a kernel may have {} MiB\n", shown,
                    static_cast<double>(bytes) / (1 << 20), kLargestSource >> 20);
    return refused;
  }

  const std::string purpose = option(source.purpose, tree_.backend());
  const std::string text = read_file(absolute);
  const std::string source_hash = content_hash(text);
  known[shown] = source_hash;
  std::string parts = toolchain_ + purpose + (source.legality ? "" : "as it is") + source.lesson +
                      '\n' + shown + '\n' + text;
  for (const auto* objects : {&source.may_call, &source.linked}) {
    for (const fs::path& object : *objects) parts += object.string() + hash_of(object);
  }
  CompiledKernel result;
  result.source_hash = source_hash;
  result.key = content_hash(parts);
  const fs::path cache = paths_.state() / "cache";
  const fs::path folder = cache / result.key;
  if (auto found = look_up(folder, paths_.root)) {
    found->key = result.key;
    found->source_hash = source_hash;
    return found;
  }

  // Compiled beside its place and then renamed: another tool may look at the same moment.
  static std::atomic<unsigned> serial{0};
  const fs::path work = cache / fmt::format("{}.{}.{}", result.key, getpid(), serial++);
  fs::create_directories(work);
  sandbox::Command command;
  command.program = tree_.kernel_compiler();
  command.arguments = {"--lesson",   source.lesson,
                       "--workbook", paths_.root.string(),
                       "--function", source.lesson.substr(source.lesson.find('_') + 1),
                       "--depfile",  (work / "depfile").string(),
                       "-o",         (work / "kernel.so").string()};
  for (const fs::path& object : source.may_call) {
    command.arguments.insert(command.arguments.end(), {"--allow", object.string()});
  }
  for (const fs::path& object : source.linked) {
    command.arguments.insert(command.arguments.end(), {"--link", object.string()});
  }
  if (tree_.backend() == Backend::cuda) {
    command.arguments.insert(command.arguments.end(), {"--backend", "cuda"});
  }
  if (!purpose.empty()) command.arguments.push_back(purpose);
  if (!source.legality) command.arguments.insert(command.arguments.end(), {"--gate", "off"});
  command.arguments.push_back("--color");  // who prints the messages may strip it
  command.arguments.push_back(shown);
  command.environment = own_environment();
  command.folder = paths_.root;
  command.grace = std::chrono::milliseconds(200);
  command.limits.timeout = kBuildLimit;
  command.limits.memory = kBuildMemory;
  command.limits.file_size = std::uint64_t{256} << 20;
  command.cancelled = cancelled;
  const auto start = std::chrono::system_clock::now();
  const sandbox::Outcome outcome = sandbox::run(command);
  result.seconds = outcome.seconds;
  result.messages = outcome.output;

  std::error_code ignored;
  using sandbox::Ending;
  if (outcome.ending != Ending::cancelled && hash_of(absolute) != source_hash) {
    fs::remove_all(work, ignored);
    return std::nullopt;
  }
  if (outcome.ending == Ending::exited && outcome.code == 0) {
    const Hashes read = what_was_read(work, paths_.root);
    const bool at_rest = std::all_of(read.begin(), read.end(), [&](const auto& each) {
      const auto before = known.find(each.first);
      return before != known.end() ? before->second == each.second
                                   : !changed_since(paths_.root / each.first, start);
    });
    known = read;
    if (!at_rest) {
      fs::remove_all(work, ignored);
      return std::nullopt;
    }
    remember(work, read, outcome.output);
    for (const auto& [file, hash] : read) {
      result.sources.push_back((paths_.root / file).string());
    }
    std::error_code there;
    fs::rename(work, folder, there);
    // Where another was first, its object stays: somebody may be about to open it.
    if (there && !look_up(folder, paths_.root)) {
      fs::remove_all(folder, ignored);
      fs::rename(work, folder, ignored);
    }
    fs::remove_all(work, ignored);
    result.outcome = CompiledKernel::Outcome::compiled;
    result.object = folder / "kernel.so";
    return result;
  }
  fs::remove_all(work, ignored);
  if (outcome.ending == Ending::timed_out) {
    result.outcome = CompiledKernel::Outcome::timed_out;
    result.messages +=
        fmt::format("the compiler {}\n", sandbox::time_in_words(outcome, command.limits));
  } else if (outcome.ending == Ending::starved) {
    result.outcome = CompiledKernel::Outcome::unavailable;
    result.messages += fmt::format("the compiler {}. Run it again when less else is running.\n",
                                   sandbox::time_in_words(outcome, command.limits));
  } else if (outcome.ending == Ending::memory) {
    result.outcome = CompiledKernel::Outcome::does_not_compile;
    result.messages += fmt::format("the compiler was stopped: it used more than {} GiB of memory\n",
                                   kBuildMemory >> 30);
  } else if (outcome.ending == Ending::exited && outcome.code == kDoesNotCompile) {
    result.outcome = CompiledKernel::Outcome::does_not_compile;
  } else if (outcome.ending == Ending::exited && outcome.code == kNeedsGpu) {
    result.outcome = CompiledKernel::Outcome::needs_gpu;
  } else if (outcome.ending == Ending::exited && outcome.code == kBroken) {
    result.outcome = CompiledKernel::Outcome::unavailable;
  } else {
    result.outcome = CompiledKernel::Outcome::unavailable;
    result.messages +=
        fmt::format("{}: {}\n", command.program.string(),
                    outcome.ending == Ending::exited ? fmt::format("exit code {}", outcome.code)
                    : outcome.ending == Ending::signalled ? sandbox::signal_in_words(outcome.code)
                                                          : outcome.detail);
  }
  return result;
}

}  // namespace grade
