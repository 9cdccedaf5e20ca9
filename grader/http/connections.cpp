#include "connections.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>
#include <cstring>

namespace grade::serve {
namespace {

using NameOf = int (*)(int, sockaddr*, socklen_t*);

// The port of one end of an IPv4 connection, 0 for anything else.
int port_of(int fd, NameOf name_of) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (name_of(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
}

std::size_t received(int fd) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
  return static_cast<std::size_t>(info.tcpi_bytes_received);
}

}  // namespace

// Calls visit(fd, peer's port) for each connection made to the port.
template <class Visitor>
void Connections::for_each(const Visitor& visit) const {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    int fd = -1;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, fd).ptr != end) continue;
    if (port_of(fd, getsockname) != port_) continue;
    if (const int peer = port_of(fd, getpeername); peer != 0) visit(fd, peer);
  }
  closedir(folder);
}

void Connections::allow(int peer_port, Clock::duration time) {
  const std::lock_guard lock(mutex_);
  until_[peer_port] =
      time == Clock::duration::max() ? Clock::time_point::max() : Clock::now() + time;
}

void Connections::look() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  std::map<int, Clock::time_point> there;
  for_each([&](int fd, int peer) {
    const auto known = until_.find(peer);
    const Clock::time_point until = known == until_.end() ? now + receiving_ : known->second;
    there[peer] = until;
    if (now >= until || received(fd) > bytes_) shutdown(fd, SHUT_RDWR);
  });
  until_.swap(there);
}

void Connections::cut_all() {
  for_each([](int fd, int) { shutdown(fd, SHUT_RDWR); });
}

}  // namespace grade::serve
