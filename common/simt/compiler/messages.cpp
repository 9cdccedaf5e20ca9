#include "messages.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include "lacking.h"

namespace simt::compiler {
namespace {

struct Parsed {
  std::string file;
  int line = 0;
  int column = 0;
  std::string rest;
};

// "file:12:7: rest"; the file may itself hold colons.
bool parse_place(std::string_view text, Parsed& parsed) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const char* const end = text.data() + text.size();
    const char* at = text.data() + colon + 1;
    int line = 0;
    const auto number = std::from_chars(at, end, line);
    if (number.ec != std::errc{} || number.ptr == at || number.ptr == end) continue;
    int column = 0;
    const char* rest = number.ptr;
    if (*rest == ':' || *rest == ',') {
      const auto second = std::from_chars(rest + 1, end, column);
      if (second.ec == std::errc{} && second.ptr != rest + 1) rest = second.ptr;
    }
    if (rest == end || (*rest != ':' && *rest != ',')) continue;
    parsed.file = std::string(text.substr(0, colon));
    parsed.line = line;
    parsed.column = column;
    ++rest;
    while (rest < end && *rest == ' ') ++rest;
    parsed.rest = std::string(rest, end);
    return true;
  }
  return false;
}

bool take_kind(std::string& text, MessageKind& kind) {
  struct Word {
    std::string_view word;
    MessageKind kind;
  };
  static constexpr Word words[] = {{"fatal error: ", MessageKind::error},
                                   {"error: ", MessageKind::error},
                                   {"sorry, unimplemented: ", MessageKind::error},
                                   {"internal compiler error: ", MessageKind::error},
                                   {"warning: ", MessageKind::warning},
                                   {"note: ", MessageKind::note}};
  for (const Word& word : words) {
    if (!text.starts_with(word.word)) continue;
    kind = word.kind;
    text.erase(0, word.word.size());
    return true;
  }
  return false;
}

void take_option(Message& message) {
  const std::size_t open = message.text.rfind(" [-");
  if (open == std::string::npos || message.text.back() != ']') return;
  message.option = message.text.substr(open + 2, message.text.size() - open - 3);
  message.text.erase(open);
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "'tile_simt' {aka 'float [16]'}" becomes "'float [16]'".
void expand_aliases(std::string& text) {
  static constexpr std::string_view middle = "_simt' {aka ";
  static constexpr std::string_view reference = "_simt&' {aka ";
  for (const std::string_view form : {middle, reference}) {
    for (std::size_t at = text.find(form); at != std::string::npos; at = text.find(form)) {
      const std::size_t open = text.rfind('\'', at);
      const std::size_t close = text.find('}', at);
      if (open == std::string::npos || close == std::string::npos) return;
      text.erase(close, 1);
      text.erase(open, at + form.size() - open);
    }
  }
}

// Generated names end in _simt: drop that.
void drop_suffixes(std::string& text) {
  static constexpr std::string_view suffix = "_simt";
  for (std::size_t at = text.find(suffix); at != std::string::npos; at = text.find(suffix, at)) {
    const std::size_t end = at + suffix.size();
    const bool ends = end >= text.size() || !is_word_character(text[end]);
    if (ends && at > 0 && is_word_character(text[at - 1])) {
      text.erase(at, suffix.size());
    } else {
      at = end;
    }
  }
}

// "no match for call to '(simt::TypedLaunch<f()::<lambda(auto:1& ...)>, float*, int>) (float*&)'"
bool explain_launch(std::string& text) {
  static constexpr std::string_view call = "no match for call to '(";
  static constexpr std::string_view lambda = "<lambda(";
  if (!text.starts_with(call) || text.find("simt::TypedLaunch<") == std::string::npos) return false;
  std::size_t begin = text.find(lambda);
  if (begin == std::string::npos) return false;
  begin = text.find(")>", begin);
  const std::size_t end = text.find(">) (");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return false;
  begin += 2;
  if (text.compare(begin, 2, ", ") == 0) begin += 2;
  const std::string parameters = begin < end ? text.substr(begin, end - begin) : "";
  std::string arguments = text.substr(end + 3);
  if (arguments.ends_with("'")) arguments.pop_back();
  text = "the kernel takes (" + parameters + "), but is launched with " + arguments;
  return true;
}

bool contains(const Message& message, std::string_view part) {
  return message.text.find(part) != std::string::npos;
}

// A __shared__ array of variable size: of what g++ says about the calls that stand for it, one
// message remains.
void explain_array_sizes(std::vector<Message>& messages) {
  static constexpr std::string_view variable = "is a variably modified type";
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!contains(messages[i], "'shared_site<")) continue;
    const auto here = [&, file = messages[i].file, line = messages[i].line](const Message& m) {
      return m.file == file && m.line == line;
    };
    const auto is_reason = [&](const Message& m) { return here(m) && contains(m, variable); };
    if (std::none_of(messages.begin(), messages.end(), is_reason)) continue;
    const auto follows = [&](const Message& m) {
      return here(m) && (contains(m, variable) || contains(m, "'shared_variable<") ||
                         contains(m, "simt::SharedSite") || contains(m, "simt::shared_variable("));
    };
    messages[i].text =
        "the size of a __shared__ array must be a constant expression; for one that is known at "
        "the launch alone, declare extern __shared__ and give the bytes in <<<...>>>";
    messages[i].notes.clear();
    std::erase_if(messages, follows);
  }
}

// Names that only generated text uses give way to what they stand for.
std::string in_plain_words(std::string text) {
  if (text == "jump to case label") {
    return "jump to case label past a declaration: put braces round the case before it";
  }
  if (text.starts_with("'cuda") && text.find("was not declared in this scope") != text.npos) {
    return text + " (what CUDA has of that name, the CPU runtime does not)";
  }
  if (text.find("simt") == std::string::npos) return text;
  if (explain_launch(text)) return text;
  if (text.find("simt::Config simt::config(") != std::string::npos) {
    return "wrong launch configuration: it is <<<blocks, threads, shared bytes, stream>>>, the "
           "last two optional";
  }
  expand_aliases(text);
  drop_suffixes(text);
  return text;
}

// For a message inside a template, the author's line that asked for the instantiation.
void add_instantiation(Message& message, const std::vector<Parsed>& trail,
                       const TranslateOptions& options) {
  const auto asked = std::find_if(trail.rbegin(), trail.rend(), [&](const Parsed& place) {
    return options.is_own(place.file) && place.rest.find("required from") != std::string::npos;
  });
  if (asked == trail.rend() || (asked->file == message.file && asked->line == message.line)) return;
  Message note;
  note.kind = MessageKind::note;
  note.file = asked->file;
  note.line = asked->line;
  note.column = options.column(asked->file, asked->line, asked->column);
  note.text = "for the template as it is used here";
  message.notes.push_back(note);
}

bool is_builtin_place(const std::string& file) {
  return file.empty() || file.front() == '<';
}

}  // namespace

std::vector<Message> parse_messages(std::string_view text, const TranslateOptions& options) {
  std::vector<Message> messages;
  // Places named by "required from" and "included from" lines before a message: where the author's
  // code led there.
  std::vector<Parsed> trail;
  bool drop_notes = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty()) continue;
    Parsed parsed;
    static constexpr std::string_view included = "In file included from ";
    static constexpr std::string_view from = "                 from ";
    if (line.starts_with(included) || line.starts_with(from)) {
      if (line.starts_with(included)) trail.clear();
      if (parse_place(std::string_view(line).substr(included.size()), parsed)) {
        trail.push_back(parsed);
      }
      continue;
    }
    if (!parse_place(line, parsed)) {
      // "f.cu: In function 'void k()':" begins the context of the next message.
      if (line.find(": In ") != std::string::npos || line.find(": At ") != std::string::npos) {
        trail.clear();
        continue;
      }
      Message message;
      std::string rest = line;
      for (const std::string_view tool : {"cc1plus: ", "g++: ", "clang: ", "error: ", "nvcc "}) {
        if (!line.starts_with(tool)) continue;
        if (tool != "error: ") rest.erase(0, tool.size());
        if (!take_kind(rest, message.kind)) message.kind = MessageKind::error;
        if (rest.starts_with("some warnings being treated") || rest.starts_with("all warnings"))
          break;
        message.text = rest;
        messages.push_back(message);
        break;
      }
      continue;
    }
    Message message;
    if (!take_kind(parsed.rest, message.kind)) {
      trail.push_back(parsed);  // "required from here" and the like
      continue;
    }
    message.text = told_as_lacking(parsed.rest);
    message.lacking = !message.text.empty();
    if (!message.lacking) message.text = in_plain_words(parsed.rest);
    take_option(message);
    message.file = parsed.file;
    message.line = parsed.line;
    message.column = parsed.column;
    const bool own = options.is_own(parsed.file);
    if (message.kind == MessageKind::note) {
      if (own && !messages.empty() && !options.is_own(messages.back().file) &&
          (message.text.starts_with("called by ") ||
           message.text.starts_with("in instantiation"))) {
        // clang names the author's line that led into a header after the message.
        Message& blamed = messages.back();
        blamed.from_library = true;
        blamed.file = message.file;
        blamed.line = message.line;
        blamed.column = options.column(message.file, message.line, message.column);
        continue;
      }
      static constexpr std::string_view not_viable = "candidate function not viable: call to __";
      if (!messages.empty() && message.text.starts_with(not_viable) &&
          messages.back().mismatch.empty()) {
        messages.back().mismatch = message.text.substr(not_viable.size() - 10);
      }
      // Each pair of arithmetic types would be one.
      if (message.text.find("built-in candidate") != std::string::npos ||
          message.text.ends_with("(built-in)")) {
        continue;
      }
      if (own && !drop_notes && !messages.empty()) {
        message.column = options.column(message.file, message.line, message.column);
        messages.back().notes.push_back(message);
      }
      continue;
    }
    drop_notes = false;
    if (!own) {
      // Blame the author's line that led into the header; the trail is written innermost first.
      const auto led = std::find_if(trail.begin(), trail.end(), [&](const Parsed& place) {
        return options.is_own(place.file);
      });
      if (led == trail.end()) {
        if (message.kind == MessageKind::warning) {
          drop_notes = true;
          trail.clear();
          continue;
        }
        if (is_builtin_place(message.file)) message.file.clear();
      } else {
        message.from_library = true;
        message.file = led->file;
        message.line = led->line;
        message.column = led->column;
      }
    }
    message.column = options.column(message.file, message.line, message.column);
    if (own) add_instantiation(message, trail, options);
    trail.clear();
    messages.push_back(message);
  }
  // One complaint per place and text.
  std::set<std::string> seen;
  std::erase_if(messages, [&](const Message& message) {
    return !seen.insert(message.file + ":" + std::to_string(message.line) + ":" + message.text)
                .second;
  });
  explain_array_sizes(messages);
  return messages;
}

Message message_of(const Problem& problem) {
  Message message;
  message.kind = problem.severity == Severity::error ? MessageKind::error : MessageKind::warning;
  message.file = problem.file;
  message.line = problem.line;
  message.column = problem.column;
  message.text = problem.message;
  return message;
}

namespace {

class Renderer {
 public:
  Renderer(SourceFiles& sources, bool colour) : sources_(sources), colour_(colour) {}

  void add(const Message& message) {
    std::string place;
    if (!message.file.empty()) {
      place = message.file + ":";
      if (message.line > 0) place += std::to_string(message.line) + ":";  // else of the whole file
      if (message.column > 0) place += std::to_string(message.column) + ":";
      place += " ";
    }
    text_ += styled("1", place) + styled(style(message.kind), word(message.kind)) + message.text;
    if (!message.option.empty()) text_ += " [" + message.option + "]";
    text_ += "\n";
    quote(message);
    for (const Message& note : message.notes) add(note);
  }

  std::string take() { return std::move(text_); }

 private:
  static const char* word(MessageKind kind) {
    return kind == MessageKind::error     ? "error: "
           : kind == MessageKind::warning ? "warning: "
                                          : "note: ";
  }
  static const char* style(MessageKind kind) {
    return kind == MessageKind::error ? "1;31" : kind == MessageKind::warning ? "1;35" : "1;36";
  }
  std::string styled(const char* code, const std::string& text) const {
    if (!colour_ || text.empty()) return text;
    return std::string("\033[") + code + "m" + text + "\033[0m";
  }

  void quote(const Message& message) {
    const std::string_view line = sources_.line(message.file, message.line);
    if (line.empty()) return;
    std::string number = std::to_string(message.line);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    text_ += number + " | " + std::string(line) + "\n";
    const auto column = static_cast<std::size_t>(message.column);
    if (message.column < 1 || column > line.size() + 1) return;
    std::string marks(number.size(), ' ');
    marks += " | ";
    for (std::size_t i = 0; i + 1 < column; ++i) {
      // One mark for a character, not for each byte of it; tabs stay tabs.
      if ((static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U) continue;
      marks.push_back(line[i] == '\t' ? '\t' : ' ');
    }
    std::size_t end = column;
    auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string underline = "^";
    if (column <= line.size() && is_word(line[column - 1])) {
      while (end < line.size() && is_word(line[end])) {
        underline.push_back('~');
        ++end;
      }
    }
    text_ += marks + styled(style(message.kind), underline) + "\n";
  }

  SourceFiles& sources_;
  bool colour_;
  std::string text_;
};

}  // namespace

std::string render(const std::vector<Message>& messages, SourceFiles& sources, bool colour) {
  Renderer renderer(sources, colour);
  for (const Message& message : messages) renderer.add(message);
  return renderer.take();
}

}  // namespace simt::compiler
