#include "serve/service.h"

#include <fmt/core.h>

#include <chrono>
#include <exception>
#include <memory>

#include "cli/error.h"
#include "system/files.h"

namespace grade::serve {
namespace {

using namespace std::chrono_literals;

// Each takes a connection for as long as its page is open.
constexpr int kStreams = 24;

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Reply with_headers(Reply reply) {
  reply.headers["Content-Security-Policy"] = kPolicy;
  reply.headers["X-Content-Type-Options"] = "nosniff";
  reply.headers["Referrer-Policy"] = "no-referrer";
  reply.headers["Cross-Origin-Resource-Policy"] = "same-origin";
  reply.headers["Cross-Origin-Opener-Policy"] = "same-origin";
  reply.headers.try_emplace("Cache-Control", "no-store");
  return reply;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

Reply not_found() {
  return {.status = 404,
          .content_type = "text/html; charset=utf-8",
          .body =
              "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not here</title>"
              "<h1>There is no such page</h1><p><a href=\"/\">The course</a></p></html>\n"};
}

}  // namespace

Service::Service(site::Site& site, const Guard& guard, Changes& changes, std::string token)
    : site_(site), guard_(guard), changes_(changes), token_(std::move(token)) {}

Handlers Service::handlers() {
  return {.refuse = [this](const Request& request) -> std::optional<Reply> {
            auto refusal = guard_.refuse(request);
            if (refusal) return with_headers(std::move(*refusal));
            return std::nullopt;
          },
          .answer = [this](const Request& request) { return answer(request); }};
}

Reply Service::answer(const Request& request) {
  try {
    if (auto welcome = guard_.welcome(request)) return with_headers(std::move(*welcome));
    if (request.method == "POST") return with_headers(record(request));
    if (request.path == "/events") return with_headers(events(request));
    return with_headers(page(request));
  } catch (const Error& error) {
    return with_headers(
        {.status = 500, .body = fmt::format("{}\n{}\n", error.what(), error.next())});
  } catch (const std::exception& error) {
    return with_headers({.status = 500, .body = fmt::format("{}\n", error.what())});
  }
}

Reply Service::page(const Request& request) {
  if (!request.path.starts_with('/')) return not_found();
  const std::string path = request.path == "/" ? "index.html" : request.path.substr(1);
  auto page = site_.render(path);
  if (!page) return not_found();
  // To a browser that did not come by the printed address, a page to read.
  if (!guard_.knows_token(request)) replace_all(page->bytes, token_, "");
  Reply reply{.content_type = page->content_type};
  const std::string tag = "\"" + content_hash(page->bytes) + "\"";
  reply.headers["ETag"] = tag;
  reply.headers["Cache-Control"] = "no-cache";
  reply.headers["Vary"] = "Cookie";
  if (request.header("if-none-match") == tag) {
    reply.status = 304;
  } else {
    reply.body = std::move(page->bytes);
  }
  return reply;
}

Reply Service::record(const Request& request) {
  std::optional<std::string> result;
  if (request.path == "/answer") {
    result = site_.answer(request.body);
  } else if (request.path == "/hint") {
    result = site_.hint(request.body);
  } else {
    return {.status = 404, .body = "Answers go to /answer, opened hints to /hint.\n"};
  }
  if (!result) {
    return {.status = 400, .body = "This names no lesson, question or hint of this course.\n"};
  }
  return {.content_type = "application/json", .body = std::move(*result)};
}

Reply Service::events(const Request& request) {
  if (request.method == "HEAD") return {.content_type = "text/event-stream"};
  // Counts the stream for as long as the reply lives.
  if (streams_.fetch_add(1) >= kStreams) {
    --streams_;
    return {.status = 503,
            .body = "Too many pages are open; this one does not change by itself.\n"};
  }
  const std::shared_ptr<void> counted(nullptr, [this](void*) { --streams_; });
  Reply reply{.content_type = "text/event-stream"};
  reply.pieces = [counted, reader = std::make_shared<Changes::Reader>(changes_),
                  begun = false]() mutable -> std::optional<std::string> {
    if (!begun) {
      begun = true;
      return "retry: 1000\n\n";
    }
    if (const auto change = reader->next(1s)) {
      return fmt::format("event: {}\ndata: {}\n\n", change->event, change->data);
    }
    if (reader->closed()) return std::nullopt;
    return "";
  };
  return reply;
}

}  // namespace grade::serve
