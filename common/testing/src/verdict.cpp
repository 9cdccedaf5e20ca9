#include "verdict.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace testing {
namespace {

using Json = nlohmann::ordered_json;

Json message(const char* type) {
  return {{"type", type}};
}

// A descriptor that is lost (closed by the graded code) loses the verdict, which is no pass.
bool write_all(int descriptor, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The second line, if there is one.
std::optional<std::uint64_t> read_seed(int descriptor) {
  std::uint64_t seed = 0;
  bool any = false;
  for (char c = 0; read(descriptor, &c, 1) == 1 && c >= '0' && c <= '9'; any = true) {
    seed = seed * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return any ? std::optional(seed) : std::nullopt;
}

}  // namespace

Nonce::Nonce(std::string_view text) : length_(std::min(text.size(), longest)) {
  if (getrandom(mask_.data(), mask_.size(), 0) < 0) mask_.fill('\x55');
  for (std::size_t i = 0; i < length_; ++i) masked_[i] = static_cast<char>(text[i] ^ mask_[i]);
}

Nonce Nonce::read_line(int descriptor) {
  std::array<char, longest> text{};
  std::size_t length = 0;
  while (length < longest && read(descriptor, &text[length], 1) == 1 && text[length] != '\n') {
    ++length;
  }
  const Nonce nonce({text.data(), length});
  explicit_bzero(text.data(), text.size());
  return nonce;
}

void Nonce::copy_to(char* text) const {
  for (std::size_t i = 0; i < length_; ++i) text[i] = static_cast<char>(masked_[i] ^ mask_[i]);
}

VerdictChannel::VerdictChannel(int descriptor, const Nonce& nonce)
    : descriptor_(descriptor), nonce_(nonce) {}

VerdictChannel::~VerdictChannel() {
  close(descriptor_);
}

// {"nonce":"...","type":...
void VerdictChannel::send(const Json& json) const {
  static constexpr std::string_view before = R"({"nonce":")";
  static constexpr std::string_view after = R"(",)";
  std::array<char, before.size() + Nonce::longest + after.size()> start{};
  std::ranges::copy(before, start.begin());
  nonce_.copy_to(start.data() + before.size());
  std::ranges::copy(after, start.data() + before.size() + nonce_.length());
  const bool good =
      write_all(descriptor_, {start.data(), before.size() + nonce_.length() + after.size()});
  explicit_bzero(start.data(), start.size());
  if (!good) return;
  const std::string rest = json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  write_all(descriptor_, std::string_view(rest).substr(1));
}

std::unique_ptr<VerdictChannel> VerdictChannel::open() {
  const char* const number = std::getenv("GRADE_VERDICT_FD");
  if (number == nullptr) return nullptr;
  const int given = std::atoi(number);
  unsetenv("GRADE_VERDICT_FD");
  // Away from the numbers that a program is likely to close or write to by accident.
  int descriptor = -1;
  for (const int least : {917, 217, 57, 17}) {
    descriptor = fcntl(given, F_DUPFD_CLOEXEC, least);
    if (descriptor >= 0) break;
  }
  close(given);
  const Nonce nonce = Nonce::read_line(STDIN_FILENO);
  const std::optional<std::uint64_t> seed = read_seed(STDIN_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  if (nothing != STDIN_FILENO) close(nothing);
  auto channel = std::make_unique<VerdictChannel>(descriptor, nonce);
  channel->seed_ = seed;
  return channel;
}

void VerdictChannel::start(const std::string& lesson, std::uint64_t seed,
                           const std::string& backend, const std::vector<std::string>& cases) {
  Json json = message("start");
  json["lesson"] = lesson;
  json["seed"] = seed;
  json["backend"] = backend;
  json["cases"] = cases;
  send(json);
}

void VerdictChannel::case_start(const std::string& name) {
  Json json = message("case_start");
  json["name"] = name;
  send(json);
}

void VerdictChannel::diagnostic(const std::string& case_name, const Diagnostic& diagnostic) {
  Json json = message("diagnostic");
  json["case"] = case_name;
  json["severity"] = diagnostic.error ? "error" : "note";
  json["kind"] = diagnostic.kind;
  json["message"] = diagnostic.message;
  json["kernel"] = diagnostic.kernel;
  json["file"] = diagnostic.file;
  json["line"] = diagnostic.line;
  json["block"] = diagnostic.block;
  json["thread"] = diagnostic.thread;
  if (diagnostic.other_line != 0) {
    json["other_file"] = diagnostic.other_file;
    json["other_line"] = diagnostic.other_line;
  }
  json["count"] = diagnostic.count;
  send(json);
}

void VerdictChannel::case_end(const std::string& name, const char* status, const std::string& text,
                              const std::string& mistake, double seconds) {
  Json json = message("case");
  json["name"] = name;
  json["status"] = status;
  json["message"] = text;
  json["seconds"] = seconds;
  if (!mistake.empty()) json["mistake"] = mistake;
  send(json);
}

void VerdictChannel::counts(const std::string& case_name, const CallCounts& counts) {
  Json json = message("counts");
  json["case"] = case_name;
  json["exact"] = counts.total.exact;
  json["total"] = counts.total.values;
  json["kernels"] = Json::array();
  for (const CallCounts::Kernel& each : counts.kernels) {
    json["kernels"].push_back({{"name", each.name}, {"values", each.counts.values}});
  }
  send(json);
}

void VerdictChannel::timing(const std::string& json) {
  Json line = message("timing");
  line["timing"] = Json::parse(json);
  send(line);
}

void VerdictChannel::trace(const std::string& case_name, const std::string& sizes,
                           const std::string& trace) {
  Json json = message("trace");
  json["case"] = case_name;
  json["sizes"] = sizes;
  json["trace"] = Json::parse(trace);
  send(json);
}

void VerdictChannel::note(const std::string& case_name, const std::string& text) {
  Json json = message("note");
  json["case"] = case_name;
  json["text"] = text;
  send(json);
}

void VerdictChannel::load_error(const std::string& text) {
  Json json = message("load_error");
  json["text"] = text;
  send(json);
}

void VerdictChannel::unusable(const std::string& text) {
  Json json = message("unusable");
  json["text"] = text;
  send(json);
}

void VerdictChannel::end(int cases) {
  Json json = message("end");
  json["cases"] = cases;
  send(json);
}

}  // namespace testing
