#include "serve/guard.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace grade::serve {
namespace {

constexpr const char* kPost = "POST";

// In a time that does not tell how much of it is right.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

Reply refusal(int status, std::string text) {
  return {.status = status, .body = std::move(text) + "\n"};
}

// A cookie's value, or empty.
std::string_view cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return pair.substr(equals + 1);
    }
  }
  return {};
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error(fmt::format("no random numbers: {}", std::strerror(errno)));
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Guard::Guard(int port, std::string token) : port_(port), token_(std::move(token)) {}

std::string Guard::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_);
}

// Browsers send a cookie to every port of a host.
std::string Guard::cookie_name() const {
  return fmt::format("grade-{}", port_);
}

std::optional<Reply> Guard::refuse(const Request& request) const {
  const std::string here = fmt::format("127.0.0.1:{}", port_);
  const std::string also_here = fmt::format("localhost:{}", port_);
  const std::string host = request.header("host");
  if (host != here && host != also_here) {
    return refusal(421,
                   fmt::format("This server is http://{}/ and answers to no other name.", here));
  }
  if (request.has("origin") && request.header("origin") != "http://" + host) {
    return refusal(403, "A page from elsewhere may not ask this server.");
  }
  if (request.method != "GET" && request.method != "HEAD" && request.method != kPost) {
    Reply reply = refusal(405, "Pages are read with GET; answers are sent with POST.");
    reply.headers["Allow"] = "GET, HEAD, POST";
    return reply;
  }
  if (request.method == kPost) {
    if (!same(request.header("x-grade-token"), token_)) {
      return refusal(403,
                     "This page may not record anything. Open the address that `grade serve` "
                     "printed, with its token.");
    }
    if (!request.header("content-type").starts_with("application/json")) {
      return refusal(415, "What is sent must be JSON (Content-Type: application/json).");
    }
  }
  return std::nullopt;
}

std::optional<Reply> Guard::welcome(const Request& request) const {
  const auto given = request.query.find("token");
  if (request.method == kPost || given == request.query.end()) return std::nullopt;
  Reply reply{.status = 303, .body = "This way.\n"};
  reply.headers["Location"] = "/";
  if (same(given->second, token_)) {
    reply.headers["Set-Cookie"] =
        fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name(), token_);
  }
  return reply;
}

bool Guard::knows_token(const Request& request) const {
  return same(cookie(request.header("cookie"), cookie_name()), token_);
}

}  // namespace grade::serve
