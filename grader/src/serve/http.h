// What `grade serve` needs of an HTTP server. The server itself lies in a module of its own
// (grader/http, with cpp-httplib), so that no other command waits until its libraries are loaded,
// and the tool builds without them.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace grade::serve {

struct Request {
  std::string method;
  std::string path;                          // decoded, without the query
  std::map<std::string, std::string> query;  // decoded; of a repeated name, one
  // By their names in lower case. Of a header that came more than once, all values.
  std::map<std::string, std::vector<std::string>> headers;
  std::string body{};

  // The header's value, or empty when it is missing or came more than once.
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() || found->second.size() != 1 ? std::string()
                                                               : found->second.front();
  }
  bool has(const std::string& name) const { return headers.contains(name); }
};

struct Reply {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body{};
  std::map<std::string, std::string> headers{};
  // In place of a body, what is sent piece by piece. Each call waits a moment at most: an empty
  // piece means "nothing yet", no piece the end.
  std::function<std::optional<std::string>()> pieces{};
};

struct Handlers {
  // Sees the request before its body is read; a reply ends it there.
  std::function<std::optional<Reply>(const Request&)> refuse;
  std::function<Reply(const Request&)> answer;
};

struct Limits {
  std::size_t body = std::size_t{16} << 10;     // bytes
  std::size_t request = std::size_t{64} << 10;  // bytes, headers included
  std::chrono::milliseconds receiving{10'000};  // from the connection to the whole request
  std::chrono::milliseconds answering{60'000};  // from there to the whole answer, unless in pieces
  std::size_t connections = 48;                 // open at a time; others wait
};

// Listens on 127.0.0.1 alone.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  // `port` 0: any that is free. False when it is taken.
  virtual bool bind(int port) = 0;
  virtual int port() const = 0;
  // Answers until stop(), from several threads at once.
  virtual void run() = 0;
  // From any thread. Connections are cut.
  virtual void stop() = 0;
};

// The module's one function, found by its name.
using MakeServer = HttpServer* (*)(Handlers handlers, const Limits& limits);
inline constexpr const char* make_server_name = "grade_make_http_server";

}  // namespace grade::serve
