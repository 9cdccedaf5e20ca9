#include "parallel/world.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace parallel {
namespace {

using Variable = std::function<const char*(const char*)>;
using Clock = std::chrono::steady_clock;

// ---- The launchers' variables ----

int number(const char* name, const char* text) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stop != end || value < 0) {
    throw std::invalid_argument(fmt::format("{} is '{}', which is no number", name, text));
  }
  return value;
}

struct Launcher {
  const char* rank;
  const char* size;
  const char* local_rank;
};

// The first that is there counts: mpirun and srun may have been started by the other.
constexpr std::array kLaunchers = {
    Launcher{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

// The first host of Slurm's list: of "gpu[03-06,9],x1" it is gpu03.
std::string first_host(std::string_view list) {
  const std::size_t end = list.find_first_of(",[");
  std::string host(list.substr(0, end));
  if (end == std::string_view::npos || list[end] != '[') return host;
  const std::string_view numbers = list.substr(end + 1);
  return host += numbers.substr(0, numbers.find_first_of(",-]"));
}

// ---- Sockets ----

class Socket {
 public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(other.release()) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  std::uint16_t port() const {
    return ntohs(storage.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port
                     : reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
  }
  void set_port(std::uint16_t port) {
    if (storage.ss_family == AF_INET6) {
      reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port = htons(port);
    } else {
      reinterpret_cast<sockaddr_in*>(&storage)->sin_port = htons(port);
    }
  }
  bool operator==(const Address& other) const {
    return length == other.length && std::memcmp(&storage, &other.storage, length) == 0;
  }
  bool loopback() const {
    if (storage.ss_family == AF_INET6) {
      const in6_addr& address = reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr;
      return IN6_IS_ADDR_LOOPBACK(&address) != 0;
    }
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&storage);
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

Address resolve(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
      error != 0) {
    throw std::runtime_error(
        fmt::format("rank 0's host '{}' is not known: {}", host, gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, &freeaddrinfo);
  Address address;
  std::memcpy(&address.storage, list->ai_addr, list->ai_addrlen);
  address.length = list->ai_addrlen;
  return address;
}

Socket make_socket(int family) {
  Socket made(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.get() < 0) fail("making a socket");
  return made;
}

// On every interface: how the others reach this host is for them to know.
Socket listen_on(int family, std::uint16_t port) {
  Socket listener = make_socket(family);
  const int yes = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  Address any;
  any.storage.ss_family = static_cast<sa_family_t>(family);  // the rest is zero: any address
  any.length = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  any.set_port(port);
  if (bind(listener.get(), any.get(), any.length) != 0 || listen(listener.get(), SOMAXCONN) != 0) {
    fail(fmt::format("waiting for the other ranks on port {}", port));
  }
  return listener;
}

Address own_address(const Socket& of) {
  Address address;
  address.length = sizeof address.storage;
  if (getsockname(of.get(), address.get(), &address.length) != 0) fail("getsockname");
  return address;
}

// On any port but `taken`, which the system may give away as long as its owner, rank 0, is not
// there.
Socket listen_beside(int family, std::uint16_t taken) {
  Socket first = listen_on(family, 0);
  if (own_address(first).port() != taken) return first;
  return listen_on(family, 0);
}

// A call to a port of this host where nobody listens may come from that very port, and then reaches
// itself.
bool calls_itself(const Socket& made) {
  Address peer;
  peer.length = sizeof peer.storage;
  return getpeername(made.get(), peer.get(), &peer.length) == 0 && own_address(made) == peer;
}

void set_timeout(const Socket& socket, Clock::duration time) {
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  const std::int64_t least = left > 1000 ? left : 1000;  // 0 would be for ever
  timeval value{least / 1'000'000, least % 1'000'000};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &value, sizeof value);
}

bool send_all(const Socket& to, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(to.get(), next, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(const Socket& from, void* data, std::size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = recv(from.get(), next, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// Who calls, and where it waits for calls itself.
struct Hello {
  std::array<char, 8> magic = {'m', 'o', 'e', 'r', 'a', 'n', 'k', '1'};
  std::int32_t rank = 0;
  std::int32_t size = 0;
  std::int32_t port = 0;
};

class Meeting {
 public:
  Meeting(const World& world, int seconds)
      : world_(world),
        seconds_(seconds),
        deadline_(Clock::now() + std::chrono::seconds(seconds)),
        links_(static_cast<std::size_t>(world.size)) {}

  Group operator()() {
    const Address master = resolve(world_.host, world_.port);
    const auto port = static_cast<std::uint16_t>(world_.port);
    const Socket listener = world_.rank == 0 ? listen_on(master.storage.ss_family, port)
                                             : listen_beside(master.storage.ss_family, port);
    std::vector<Address> waiting(links_.size());  // where each rank takes calls
    if (world_.rank == 0) {
      accept_above(listener, waiting);
      for (std::size_t rank = 1; rank < links_.size(); ++rank) {
        if (!send_all(links_[rank], waiting.data(), waiting.size() * sizeof(Address))) {
          throw PeerGone(fmt::format("rank {} has ended", rank));
        }
      }
    } else {
      const std::uint16_t own_port = own_address(listener).port();
      links_[0] = call(master, 0, own_port);
      set_timeout(links_[0], left());
      if (!receive_all(links_[0], waiting.data(), waiting.size() * sizeof(Address))) {
        throw PeerGone(
            fmt::format("rank {}: rank 0 did not tell where the others are; did all {} start?",
                        world_.rank, world_.size));
      }
      for (int rank = 1; rank < world_.rank; ++rank) {
        Address other = waiting[static_cast<std::size_t>(rank)];
        // Seen from rank 0's host as on that same host.
        if (other.loopback()) {
          const std::uint16_t at = other.port();
          other = master;
          other.set_port(at);
        }
        links_[static_cast<std::size_t>(rank)] = call(other, rank, own_port);
      }
      accept_above(listener, waiting);
    }
    std::vector<int> sockets;
    for (Socket& link : links_) {
      if (link.get() >= 0) {
        const int yes = 1;
        setsockopt(link.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        const timeval none{};
        setsockopt(link.get(), SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
      }
      sockets.push_back(link.release());
    }
    return {world_.rank, world_.local_rank, std::move(sockets)};
  }

 private:
  Clock::duration left() const { return deadline_ - Clock::now(); }

  // Until that rank answers: it may start later.
  Socket call(const Address& address, int rank, std::uint16_t own_port) const {
    while (true) {
      if (Socket made = call_once(address, own_port); made.get() >= 0) return made;
      const int error = errno;
      if (left() <= Clock::duration::zero()) {
        throw std::runtime_error(
            fmt::format("rank {} of {} could not reach rank {} at {} within {} s: {}", world_.rank,
                        world_.size, rank, world_.host, seconds_, std::strerror(error)));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  // None, and errno, where nobody answers.
  Socket call_once(const Address& address, std::uint16_t own_port) const {
    Socket made = make_socket(address.storage.ss_family);
    if (connect(made.get(), address.get(), address.length) != 0)
      return failed(std::move(made), errno);
    if (calls_itself(made)) {
      // Without a trace: a closed connection would keep the port for a minute.
      const linger at_once{1, 0};
      setsockopt(made.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      return failed(std::move(made), ECONNREFUSED);
    }
    const Hello hello{.rank = world_.rank, .size = world_.size, .port = own_port};
    if (!send_all(made, &hello, sizeof hello)) return failed(std::move(made), errno);
    return made;
  }

  static Socket failed(Socket made, int error) {
    made = Socket();
    errno = error;
    return made;
  }

  // Takes the calls of all ranks above this one. Whoever says something else is not listened to.
  void accept_above(const Socket& listener, std::vector<Address>& waiting) {
    int missing = world_.size - 1 - world_.rank;
    while (missing > 0) {
      set_timeout(listener, left());
      Address from;
      from.length = sizeof from.storage;
      Socket caller(accept4(listener.get(), from.get(), &from.length, SOCK_CLOEXEC));
      if (caller.get() < 0) {
        if (left() <= Clock::duration::zero()) throw std::runtime_error(who_is_missing());
        continue;
      }
      set_timeout(caller, std::chrono::seconds(5));
      Hello hello;
      if (!receive_all(caller, &hello, sizeof hello) || hello.magic != Hello().magic) continue;
      if (hello.size != world_.size || hello.rank <= world_.rank || hello.rank >= world_.size) {
        throw std::runtime_error(
            fmt::format("a rank {} of {} called rank {} of {}: two runs share port {}; "
                        "MASTER_PORT sets another",
                        hello.rank, hello.size, world_.rank, world_.size, world_.port));
      }
      const auto rank = static_cast<std::size_t>(hello.rank);
      if (links_[rank].get() >= 0) {
        throw std::runtime_error(fmt::format("two processes say that they are rank {}", rank));
      }
      links_[rank] = std::move(caller);
      from.set_port(static_cast<std::uint16_t>(hello.port));
      waiting[rank] = from;
      --missing;
    }
  }

  std::string who_is_missing() const {
    std::string missing;
    for (std::size_t rank = static_cast<std::size_t>(world_.rank) + 1; rank < links_.size();
         ++rank) {
      if (links_[rank].get() < 0) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
    }
    return fmt::format("rank {} of {} waited {} s; these did not come: {}", world_.rank,
                       world_.size, seconds_, missing);
  }

  const World& world_;
  int seconds_;
  Clock::time_point deadline_;
  std::vector<Socket> links_;  // by rank
};

}  // namespace

World world_from(const Variable& variable) {
  const auto set = [&](const char* name) {
    const char* const text = variable(name);
    return text != nullptr && *text != '\0';
  };
  const auto needed = [&](const char* name, const char* because) {
    if (!set(name)) {
      throw std::invalid_argument(fmt::format("{} is set and {} is not", because, name));
    }
    return number(name, variable(name));
  };
  for (const Launcher& launcher : kLaunchers) {
    if (!set(launcher.rank)) continue;
    World world;
    world.rank = number(launcher.rank, variable(launcher.rank));
    world.size = needed(launcher.size, launcher.rank);
    world.local_rank = needed(launcher.local_rank, launcher.rank);
    if (world.rank >= world.size) {
      throw std::invalid_argument(fmt::format("{} is {}, but {} is {}", launcher.rank, world.rank,
                                              launcher.size, world.size));
    }
    if (set("MASTER_ADDR")) {
      world.host = variable("MASTER_ADDR");
    } else if (set("SLURM_STEP_NODELIST")) {
      world.host = first_host(variable("SLURM_STEP_NODELIST"));
    } else if (set("SLURM_JOB_NODELIST")) {
      world.host = first_host(variable("SLURM_JOB_NODELIST"));
    } else if (set("OMPI_COMM_WORLD_LOCAL_SIZE") &&
               number("OMPI_COMM_WORLD_LOCAL_SIZE", variable("OMPI_COMM_WORLD_LOCAL_SIZE")) <
                   world.size) {
      throw std::invalid_argument(
          "the ranks are on several hosts, and MASTER_ADDR, rank 0's host, is not set: mpirun -x "
          "MASTER_ADDR=...");
    }
    if (set("MASTER_PORT")) world.port = number("MASTER_PORT", variable("MASTER_PORT"));
    // There torchrun itself has the port.
    if (set("TORCHELASTIC_USE_AGENT_STORE")) ++world.port;
    if (world.port < 1 || world.port > 65535) {
      throw std::invalid_argument(fmt::format("MASTER_PORT leads to port {}", world.port));
    }
    return world;
  }
  throw std::invalid_argument(
      "no launcher has left its variables: none of RANK (torchrun), OMPI_COMM_WORLD_RANK (mpirun) "
      "and SLURM_PROCID (srun) is set");
}

Group join(const World& world, int seconds) {
  if (world.size == 1) return {};
  return Meeting(world, seconds)();
}

}  // namespace parallel
