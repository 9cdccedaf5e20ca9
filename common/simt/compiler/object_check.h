// Does an object define the lesson's function, and call no other lesson's?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lessons.h"
#include "messages.h"
#include "rewriter.h"

namespace simt::compiler {

struct ObjectRules {
  std::string source;                // the author's file, for messages
  std::string lesson;                // NNN_slug, or empty
  std::string function;              // the function to define; empty: none in particular
  std::vector<std::string> allowed;  // shared and relocatable objects whose functions may be called
  std::string runtime;               // libsimt.so; empty: another runtime
  const std::vector<LessonFunction>& lessons;
};

// The mangled name of the function to export (empty when none is wanted), or nothing after a
// complaint was added to `complaints`. `functions` are those of the author's file; `call_of` finds
// the line that calls a function.
std::optional<std::string> check_object(
    const std::string& object, const ObjectRules& rules,
    const std::vector<DefinedFunction>& functions,
    const std::function<Message(const std::string& name)>& call_of,
    std::vector<Message>& complaints);

// The line of the first call of `name` in the text of `file` (preprocessed or not), or where else
// it is named; a message without a text.
Message call_of(const std::string& name, std::string_view text, const std::string& file);

}  // namespace simt::compiler
