// The HTTP server of `grade serve`: cpp-httplib, kept within limits.
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <semaphore>
#include <thread>
#include <utility>

#include "connections.h"
#include "serve/http.h"

namespace grade::serve {
namespace {

using namespace std::chrono_literals;

// As many connections at a time as there are threads; the others wait in the system's queue.
class BoundedPool final : public httplib::TaskQueue {
  // void in older versions of the library, bool in newer ones.
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));

 public:
  explicit BoundedPool(std::size_t threads)
      : free_(static_cast<std::ptrdiff_t>(threads)), pool_(threads) {}

  Enqueued enqueue(std::function<void()> connection) override {
    free_.acquire();
    return pool_.enqueue([this, connection = std::move(connection)] {
      connection();
      free_.release();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::counting_semaphore<> free_;
  httplib::ThreadPool pool_;
};

Request request_of(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  request.query.insert(from.params.begin(), from.params.end());
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request.headers[lower].push_back(value);
  }
  request.body = from.body;
  return request;
}

const char* reason(int status) {
  switch (status) {
    case 400:
      return "This request cannot be read.";
    case 404:
      return "There is no such page.";
    case 411:
      return "A body needs its Content-Length.";
    case 413:
      return "This body is too large.";
    case 416:
      return "Pages are sent whole.";
    case 415:
      return "A body is sent as it is, not compressed.";
    default:
      return "This request cannot be answered.";
  }
}

// Why the library must not read this body, as a status; 0 when it may. It bounds neither a body in
// chunks nor one without a length, and would unpack one.
int wrong_body(const Request& request, std::size_t limit) {
  if (request.has("transfer-encoding") || !request.has("content-length")) return 411;
  if (request.has("content-encoding")) return 415;
  const std::string length = request.header("content-length");
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (error == std::errc::result_out_of_range) return 413;
  if (error != std::errc() || end != length.data() + length.size()) return 400;
  return bytes > limit ? 413 : 0;
}

class Server final : public HttpServer {
 public:
  Server(Handlers handlers, const Limits& limits)
      : handlers_(std::move(handlers)),
        limits_(limits),
        connections_(limits.receiving, limits.request) {
    server_.new_task_queue = [this] { return new BoundedPool(limits_.connections); };
    server_.set_address_family(AF_INET);
    // Not the library's SO_REUSEPORT, with which two servers share a port.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // One request a connection: so its time can be bounded.
    server_.set_keep_alive_max_count(1);
    server_.set_read_timeout(5s);
    server_.set_write_timeout(5s);
    server_.set_payload_max_length(limits_.body);
    server_.set_tcp_nodelay(true);

    server_.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
      return begin(from, to) ? httplib::Server::HandlerResponse::Handled
                             : httplib::Server::HandlerResponse::Unhandled;
    });
    server_.Post(".*", [this](const httplib::Request& from, httplib::Response& to) {
      fill(to, handlers_.answer(request_of(from)), from);
    });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& to) {
      if (!to.body.empty()) return;
      to.set_content(reason(to.status), "text/plain; charset=utf-8");
    });
  }

  bool bind(int port) override {
    if (port != 0) {
      if (!server_.bind_to_port("127.0.0.1", port)) return false;
      port_ = port;
    } else {
      port_ = server_.bind_to_any_port("127.0.0.1");
      if (port_ <= 0) return false;
    }
    connections_.listen_on(port_);
    return true;
  }

  int port() const override { return port_; }

  void run() override {
    std::thread watch([this] { keep_watch(); });
    server_.listen_after_bind();
    done_ = true;
    watch.join();
  }

  void stop() override { stopping_ = true; }

 private:
  void keep_watch() {
    for (bool stopped = false; !done_; std::this_thread::sleep_for(stopping_ ? 10ms : 100ms)) {
      if (!stopping_) {
        connections_.look();
        continue;
      }
      // The library takes no heed of an end that comes before its beginning, and no second one.
      if (!stopped && server_.is_running()) {
        server_.stop();
        stopped = true;
      }
      connections_.cut_all();
    }
  }

  // True when the request is answered without its body.
  bool begin(const httplib::Request& from, httplib::Response& to) {
    connections_.allow(from.remote_port, limits_.answering);
    Request request = request_of(from);
    if (auto refusal = handlers_.refuse(request)) {
      fill(to, std::move(*refusal), from);
      return true;
    }
    if (request.has("range")) {  // the library would send as many parts as are asked for
      fill(to, {.status = 416, .body = reason(416)}, from);
      return true;
    }
    if (request.method == "POST") {
      const int status = wrong_body(request, limits_.body);
      if (status == 0) return false;
      fill(to, {.status = status, .body = reason(status)}, from);
      return true;
    }
    fill(to, handlers_.answer(request), from);
    return true;
  }

  void fill(httplib::Response& to, Reply reply, const httplib::Request& from) {
    to.status = reply.status;
    for (const auto& [name, value] : reply.headers) to.set_header(name, value);
    if (!reply.pieces) {
      to.set_content(reply.body, reply.content_type);
      return;
    }
    connections_.allow(from.remote_port, Connections::Clock::duration::max());
    to.set_chunked_content_provider(reply.content_type, [this, pieces = std::move(reply.pieces)](
                                                            std::size_t, httplib::DataSink& sink) {
      if (stopping_) return false;
      const auto piece = pieces();
      if (!piece) {
        sink.done();
        return true;
      }
      return piece->empty() ? sink.is_writable() : sink.write(piece->data(), piece->size());
    });
  }

  const Handlers handlers_;
  const Limits limits_;
  Connections connections_;
  httplib::Server server_;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> done_{false};
};

}  // namespace
}  // namespace grade::serve

extern "C" __attribute__((visibility("default"))) grade::serve::HttpServer* grade_make_http_server(
    grade::serve::Handlers handlers, const grade::serve::Limits& limits) {
  return new grade::serve::Server(std::move(handlers), limits);
}
