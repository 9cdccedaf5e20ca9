// What has changed on disk, for every page that is open.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace grade::serve {

struct Change {
  std::string event;  // "change", "reload"
  std::string data;   // JSON on one line
};

// One thread adds, many wait. An end that is far behind skips what is forgotten.
class Changes {
 public:
  void add(Change change) {
    {
      const std::lock_guard lock(mutex_);
      kept_.push_back(std::move(change));
      if (kept_.size() > 64) kept_.pop_front();
      ++count_;
    }
    added_.notify_all();
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    added_.notify_all();
  }

  // Reads what is added from now on.
  class Reader {
   public:
    explicit Reader(Changes& changes) : changes_(changes) {
      const std::lock_guard lock(changes_.mutex_);
      seen_ = changes_.count_;
    }

    bool closed() const {
      const std::lock_guard lock(changes_.mutex_);
      return changes_.closed_;
    }

    std::optional<Change> next(std::chrono::milliseconds longest) {
      std::unique_lock lock(changes_.mutex_);
      changes_.added_.wait_for(lock, longest,
                               [&] { return changes_.count_ > seen_ || changes_.closed_; });
      if (changes_.count_ == seen_) return std::nullopt;
      const std::uint64_t oldest = changes_.count_ - changes_.kept_.size();
      seen_ = std::max(seen_, oldest);
      return changes_.kept_[static_cast<std::size_t>(seen_++ - oldest)];
    }

   private:
    Changes& changes_;
    std::uint64_t seen_ = 0;
  };

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Change> kept_;
  std::uint64_t count_ = 0;  // ever added
  bool closed_ = false;
};

}  // namespace grade::serve
