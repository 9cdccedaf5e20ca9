// Sees to it that no connection lasts, or sends, longer than it may.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>

namespace grade::serve {

// cpp-httplib bounds the time of each single read, so that a byte every few seconds holds a
// connection for good, and does not say which connections it has. This looks at the process's own
// sockets instead.
class Connections {
 public:
  using Clock = std::chrono::steady_clock;

  Connections(Clock::duration receiving, std::size_t bytes)
      : receiving_(receiving), bytes_(bytes) {}

  void listen_on(int port) { port_ = port; }
  // The request of the connection from `peer_port` is there: from now on it may last so long.
  void allow(int peer_port, Clock::duration time);
  // Cuts what is over its time or its size. To be called often.
  void look();
  // Cuts every connection.
  void cut_all();

 private:
  template <class Visitor>
  void for_each(const Visitor& visit) const;

  const Clock::duration receiving_;
  const std::size_t bytes_;
  int port_ = 0;
  std::mutex mutex_;
  std::map<int, Clock::time_point> until_;  // by the peer's port
};

}  // namespace grade::serve
