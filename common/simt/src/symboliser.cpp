#include "symboliser.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <unordered_map>
#include <utility>

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
  using Opened = std::map<std::uintptr_t, std::pair<std::string, Dwfl_Module*>>;
  static Opened* const opened = new Opened;
  auto [entry, fresh] = opened->try_emplace(module.text_begin, module.path, nullptr);
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

int number_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0) {
    return 0;
  }
  return static_cast<int>(value);
}

// From a place in one of the runtime's headers to the call, in the kernel's own file, whose inlined
// code it is.
void leave_inlined_header(Dwfl_Module* debug, std::uintptr_t pc, Position& position) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_module_addrdie(debug, pc, &bias);
  if (unit == nullptr) return;
  Dwarf_Files* files = nullptr;
  std::size_t file_count = 0;
  Dwarf_Die* innermost = nullptr;
  if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return;
  if (dwarf_getscopes(unit, pc - bias, &innermost) <= 0) return;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost[0], &scopes);
  for (int i = 0; i < count && in_runtime_header(position); ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    const auto file = static_cast<std::size_t>(number_of(&scopes[i], DW_AT_call_file));
    const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
    if (name == nullptr) break;
    position = {name, number_of(&scopes[i], DW_AT_call_line),
                number_of(&scopes[i], DW_AT_call_column)};
  }
  std::free(scopes);
  std::free(innermost);
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
  if (in_runtime_header(position)) leave_inlined_header(debug, pc, position);
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

bool in_runtime_header(const Position& position) {
  return position.file.find("/common/simt/include/") != std::string::npos;
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
