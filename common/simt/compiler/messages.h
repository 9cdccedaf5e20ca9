// Compiler messages in the learner's terms: their file, their line, their text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rewriter.h"
#include "source_text.h"

namespace simt::compiler {

enum class MessageKind { error, warning, note };

struct Message {
  MessageKind kind = MessageKind::error;
  std::string file;
  int line = 0;
  int column = 0;  // 1-based, in the author's line; 0: none
  std::string text;
  std::string option;         // "-Wmaybe-uninitialized"
  bool from_library = false;  // arose inside a header, for something at file:line
  bool lacking = false;       // about what CUDA has and the CPU runtime does not
  std::string mismatch;       // clang: "call to __host__ function from __global__ function"
  std::vector<Message> notes;
};

struct TranslateOptions {
  // Is this one of the author's files (and not a header of the runtime or the system)?
  std::function<bool(const std::string& file)> is_own;
  // Maps a column of what the compiler read to the author's line.
  std::function<int(const std::string& file, int line, int column)> column;
};

// Reads what g++ or clang++ wrote (without carets and colours).
std::vector<Message> parse_messages(std::string_view text, const TranslateOptions& options);

Message message_of(const Problem& problem);

// `file:line:column: error: text`, the quoted line and a caret, then the notes.
std::string render(const std::vector<Message>& messages, SourceFiles& sources, bool colour);

}  // namespace simt::compiler
