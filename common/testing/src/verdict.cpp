#include "verdict.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

namespace testing {
namespace {

using Json = nlohmann::ordered_json;

Json message(const std::string& nonce, const char* type) {
  return {{"nonce", nonce}, {"type", type}};
}

// A descriptor that is lost (closed by the graded code) loses the verdict, which is no pass.
void send(int descriptor, const Json& json) {
  std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '\n';
  const char* data = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t written = write(descriptor, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    data += written;
    left -= static_cast<std::size_t>(written);
  }
}

std::string read_line(int descriptor) {
  std::string line;
  char c = 0;
  while (read(descriptor, &c, 1) == 1 && c != '\n') line += c;
  return line;
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

VerdictChannel::VerdictChannel(int descriptor, std::string nonce)
    : descriptor_(descriptor), nonce_(std::move(nonce)) {}

VerdictChannel::~VerdictChannel() {
  close(descriptor_);
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
  std::string nonce = read_line(STDIN_FILENO);
  const std::optional<std::uint64_t> seed = read_seed(STDIN_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  if (nothing != STDIN_FILENO) close(nothing);
  auto channel = std::make_unique<VerdictChannel>(descriptor, std::move(nonce));
  channel->seed_ = seed;
  return channel;
}

void VerdictChannel::start(const std::string& lesson, std::uint64_t seed,
                           const std::string& backend, const std::vector<std::string>& cases) {
  Json json = message(nonce_, "start");
  json["lesson"] = lesson;
  json["seed"] = seed;
  json["backend"] = backend;
  json["cases"] = cases;
  send(descriptor_, json);
}

void VerdictChannel::case_start(const std::string& name) {
  Json json = message(nonce_, "case_start");
  json["name"] = name;
  send(descriptor_, json);
}

void VerdictChannel::diagnostic(const std::string& case_name, const Diagnostic& diagnostic) {
  Json json = message(nonce_, "diagnostic");
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
  send(descriptor_, json);
}

void VerdictChannel::case_end(const std::string& name, const char* status, const std::string& text,
                              const std::string& mistake, double seconds) {
  Json json = message(nonce_, "case");
  json["name"] = name;
  json["status"] = status;
  json["message"] = text;
  json["seconds"] = seconds;
  if (!mistake.empty()) json["mistake"] = mistake;
  send(descriptor_, json);
}

void VerdictChannel::counts(const std::string& case_name, const CallCounts& counts) {
  Json json = message(nonce_, "counts");
  json["case"] = case_name;
  json["exact"] = counts.total.exact;
  json["total"] = counts.total.values;
  json["kernels"] = Json::array();
  for (const CallCounts::Kernel& each : counts.kernels) {
    json["kernels"].push_back({{"name", each.name}, {"values", each.counts.values}});
  }
  send(descriptor_, json);
}

void VerdictChannel::timing(const std::string& json) {
  Json line = message(nonce_, "timing");
  line["timing"] = Json::parse(json);
  send(descriptor_, line);
}

void VerdictChannel::trace(const std::string& case_name, const std::string& sizes,
                           const std::string& trace) {
  Json json = message(nonce_, "trace");
  json["case"] = case_name;
  json["sizes"] = sizes;
  json["trace"] = Json::parse(trace);
  send(descriptor_, json);
}

void VerdictChannel::note(const std::string& case_name, const std::string& text) {
  Json json = message(nonce_, "note");
  json["case"] = case_name;
  json["text"] = text;
  send(descriptor_, json);
}

void VerdictChannel::load_error(const std::string& text) {
  Json json = message(nonce_, "load_error");
  json["text"] = text;
  send(descriptor_, json);
}

void VerdictChannel::end(int cases) {
  Json json = message(nonce_, "end");
  json["cases"] = cases;
  send(descriptor_, json);
}

}  // namespace testing
