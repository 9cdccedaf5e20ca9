// The ranks of one run, each a process, and a socket between every two: for what the host has to
// tell. A call is collective: every rank makes it, in the same order.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace parallel {

// Another rank has ended. It says why itself; this rank only ends, too.
struct PeerGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Bytes to or from a rank. Between two ranks the first piece sent is the first one received, and
// so on; each is as long at both ends.
struct Outgoing {
  int rank;
  const void* data;
  std::size_t bytes;
};
struct Incoming {
  int rank;
  void* data;
  std::size_t bytes;
};

class Group {
 public:
  Group() = default;  // one rank, alone
  // sockets[q] leads to rank q; the own one is -1. They are closed at the end. `local_rank`: its
  // number among the ranks of this host.
  Group(int rank, int local_rank, std::vector<int> sockets);
  ~Group();
  Group(Group&& other) noexcept;
  Group& operator=(Group&& other) noexcept;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(sockets_.size()); }
  int local_rank() const { return local_rank_; }

  // Everything at once, in whatever order the sockets take it, so no two ranks wait for each other.
  // Pieces to oneself are copied. Throws PeerGone.
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) const;

  // What every rank says, by rank.
  template <class T>
  std::vector<T> all_gather(const T& mine) const {
    return all_gather(std::span<const T>(&mine, 1));
  }
  // The same for arrays, equally long: one after the other.
  template <class T>
  std::vector<std::remove_const_t<T>> all_gather(std::span<T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::remove_const_t<T>> all(mine.size() * sockets_.size());
    gather_bytes(mine.data(), mine.size_bytes(), all.data());
    return all;
  }
  // Rank 0's bytes become everybody's.
  void broadcast(void* data, std::size_t bytes) const;

 private:
  void gather_bytes(const void* mine, std::size_t bytes, void* all) const;

  int rank_ = 0;
  int local_rank_ = 0;
  std::vector<int> sockets_{-1};
};

}  // namespace parallel
