#include "parallel/group.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace parallel {
namespace {

// What is still to go through one socket.
struct Lane {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  std::size_t sent = 0, received = 0;        // whole pieces
  std::size_t sent_of = 0, received_of = 0;  // bytes of the next piece

  bool sending() const { return sent < out.size(); }
  bool receiving() const { return received < in.size(); }
};

[[noreturn]] void gone(std::size_t rank) {
  throw PeerGone(fmt::format("rank {} has ended", rank));
}

// The result of send() or recv(): bytes moved, 0 where it would have to wait.
std::size_t moved(ssize_t result, std::size_t rank) {
  if (result > 0) return static_cast<std::size_t>(result);
  if (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
  if (result == 0 || errno == ECONNRESET || errno == EPIPE) gone(rank);
  throw std::runtime_error(fmt::format("talking to rank {}: {}", rank, std::strerror(errno)));
}

void send_some(Lane& lane, int socket, std::size_t rank) {
  while (lane.sending()) {
    const Outgoing& piece = lane.out[lane.sent];
    const std::size_t bytes =
        moved(send(socket, static_cast<const char*>(piece.data) + lane.sent_of,
                   piece.bytes - lane.sent_of, MSG_DONTWAIT | MSG_NOSIGNAL),
              rank);
    if (bytes == 0) return;
    lane.sent_of += bytes;
    if (lane.sent_of < piece.bytes) continue;
    ++lane.sent;
    lane.sent_of = 0;
  }
}

void receive_some(Lane& lane, int socket, std::size_t rank) {
  while (lane.receiving()) {
    const Incoming& piece = lane.in[lane.received];
    const std::size_t bytes = moved(recv(socket, static_cast<char*>(piece.data) + lane.received_of,
                                         piece.bytes - lane.received_of, MSG_DONTWAIT),
                                    rank);
    if (bytes == 0) return;
    lane.received_of += bytes;
    if (lane.received_of < piece.bytes) continue;
    ++lane.received;
    lane.received_of = 0;
  }
}

void copy_own(const Lane& lane) {
  if (lane.out.size() != lane.in.size()) throw std::logic_error("pieces to oneself do not match");
  for (std::size_t i = 0; i < lane.out.size(); ++i) {
    if (lane.out[i].bytes != lane.in[i].bytes) {
      throw std::logic_error("a piece to oneself has two lengths");
    }
    std::memcpy(lane.in[i].data, lane.out[i].data, lane.out[i].bytes);
  }
}

}  // namespace

Group::Group(int rank, int local_rank, std::vector<int> sockets)
    : rank_(rank), local_rank_(local_rank), sockets_(std::move(sockets)) {}

Group::~Group() {
  for (const int socket : sockets_) {
    if (socket >= 0) close(socket);
  }
}

Group::Group(Group&& other) noexcept
    : rank_(std::exchange(other.rank_, 0)),
      local_rank_(std::exchange(other.local_rank_, 0)),
      sockets_(std::exchange(other.sockets_, {-1})) {}

Group& Group::operator=(Group&& other) noexcept {
  std::swap(rank_, other.rank_);
  std::swap(local_rank_, other.local_rank_);
  std::swap(sockets_, other.sockets_);
  return *this;
}

void Group::exchange(std::span<const Outgoing> out, std::span<const Incoming> in) const {
  std::vector<Lane> lanes(sockets_.size());
  for (const Outgoing& piece : out) {
    if (piece.bytes > 0) lanes.at(static_cast<std::size_t>(piece.rank)).out.push_back(piece);
  }
  for (const Incoming& piece : in) {
    if (piece.bytes > 0) lanes.at(static_cast<std::size_t>(piece.rank)).in.push_back(piece);
  }
  const auto own = static_cast<std::size_t>(rank_);
  copy_own(lanes[own]);

  std::vector<pollfd> watched;
  std::vector<std::size_t> ranks;  // of `watched`
  while (true) {
    watched.clear();
    ranks.clear();
    for (std::size_t rank = 0; rank < lanes.size(); ++rank) {
      const Lane& lane = lanes[rank];
      if (rank == own || (!lane.sending() && !lane.receiving())) continue;
      const int events = (lane.sending() ? POLLOUT : 0) | (lane.receiving() ? POLLIN : 0);
      watched.push_back({sockets_[rank], static_cast<short>(events), 0});
      ranks.push_back(rank);
    }
    if (watched.empty()) return;
    if (poll(watched.data(), watched.size(), -1) < 0) {
      if (errno == EINTR) continue;
      throw std::runtime_error(fmt::format("waiting for other ranks: {}", std::strerror(errno)));
    }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      Lane& lane = lanes[ranks[i]];
      receive_some(lane, watched[i].fd, ranks[i]);  // first: what a rank said before it ended
      send_some(lane, watched[i].fd, ranks[i]);
    }
  }
}

void Group::gather_bytes(const void* mine, std::size_t bytes, void* all) const {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int rank = 0; rank < size(); ++rank) {
    out.push_back({rank, mine, bytes});
    in.push_back({rank, static_cast<char*>(all) + static_cast<std::size_t>(rank) * bytes, bytes});
  }
  exchange(out, in);
}

void Group::broadcast(void* data, std::size_t bytes) const {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  if (rank_ != 0) in.push_back({0, data, bytes});
  for (int rank = 1; rank_ == 0 && rank < size(); ++rank) out.push_back({rank, data, bytes});
  exchange(out, in);
}

}  // namespace parallel
