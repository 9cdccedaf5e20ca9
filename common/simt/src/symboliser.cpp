#include "symboliser.h"

#include <elfutils/libdwfl.h>

#include <fstream>
#include <map>
#include <unordered_map>

#include "fiber.h"
#include "modules.h"

namespace simt::symboliser {
namespace {

char* no_debug_path = nullptr;
// A module's own debug information or none: libdw's search for a separate file may ask a server,
// which the sandbox takes for an attack.
int no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                     GElf_Word, char**) {
  return -1;
}

const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = no_separate_file,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &no_debug_path,
};

// One session a module: they come and go with dlopen, and few are ever asked for.
Dwfl_Module* open_module(const Module& module) {
  static std::map<std::uintptr_t, std::pair<std::string, Dwfl_Module*>> opened;
  auto [entry, fresh] = opened.try_emplace(module.text_begin, module.path, nullptr);
  if (!fresh && entry->second.first == module.path) return entry->second.second;
  entry->second = {module.path, nullptr};
  Dwfl* session = dwfl_begin(&callbacks);
  if (session == nullptr) return nullptr;
  dwfl_report_begin(session);
  Dwfl_Module* reported = dwfl_report_elf(session, module.path.c_str(), module.path.c_str(), -1,
                                          module.load_bias, false);
  dwfl_report_end(session, nullptr, nullptr);
  entry->second.second = reported;
  return reported;
}

Position look_up(std::uintptr_t pc) {
  Position position;
  const Module module = module_of(pc);
  if (module.text_end == 0) return position;
  Dwfl_Module* debug = open_module(module);
  if (debug == nullptr) return position;
  Dwfl_Line* line = dwfl_module_getsrc(debug, pc);
  if (line == nullptr) return position;
  const char* file =
      dwfl_lineinfo(line, nullptr, &position.line, &position.column, nullptr, nullptr);
  if (file != nullptr) position.file = file;
  return position;
}

}  // namespace

const Position& position(std::uintptr_t pc) {
  static std::unordered_map<std::uintptr_t, Position> known;
  auto [entry, fresh] = known.try_emplace(pc);
  if (fresh && pc != 0) {
    struct Question {
      std::uintptr_t pc;
      Position answer;
    } question{pc - 1, {}};
    // Reading debug information takes more stack than a CUDA thread has.
    fibers::on_large_stack(
        [](void* argument) {
          auto* asked = static_cast<Question*>(argument);
          asked->answer = look_up(asked->pc);
        },
        &question);
    entry->second = std::move(question.answer);
  }
  return entry->second;
}

std::string source_line(const std::string& file, int line) {
  std::ifstream source(file);
  std::string text;
  for (int i = 0; i < line; ++i) {
    if (!std::getline(source, text)) return {};
  }
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string short_name(const Position& position) {
  if (position.line == 0) return "an unknown place";
  const auto slash = position.file.rfind('/');
  return (slash == std::string::npos ? position.file : position.file.substr(slash + 1)) + ":" +
         std::to_string(position.line);
}

}  // namespace simt::symboliser
