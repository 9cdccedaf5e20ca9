// A run of one lesson's benchmarks: options, stream, kernel objects.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/benchmark.h"

namespace bench {

struct Options {
  struct Object {
    std::string label;
    std::string path;
  };
  std::vector<Object> kernels;    // the first is the reference
  std::vector<std::string> with;  // objects of the lessons that they call
  std::string ceilings;           // the object that measures them; empty: none
  bool list = false;              // shapes alone; needs no device and no kernels
  bool smoke = false;             // small sizes, two samples: does everything run?
  double seconds = 0.5;
  std::uint64_t seed = 1;
};

class Session {
 public:
  explicit Session(const Options& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Options& options() const { return options_; }
  cudaStream_t stream() const { return stream_; }
  const CacheFlush& flush() const { return *flush_; }
  const std::vector<Subject>& subjects() const { return subjects_; }
  Ceilings ceilings() const;
  // Of NAME.so beside the first kernel object; null where it isn't there.
  void* object_function(const std::string& name) const;

  // Told what is about to be timed.
  void announce(const std::string& what) const {
    if (on_announce) on_announce(what);
  }
  std::function<void(const std::string& what)> on_announce;

  // A kernel has broken the CUDA context: nothing more can be measured.
  void lose() { lost_ = true; }
  bool lost() const { return lost_; }

 private:
  Options options_;
  cudaStream_t stream_ = nullptr;
  std::optional<CacheFlush> flush_;
  std::vector<Subject> subjects_;
  bool lost_ = false;
};

// Every registered block, in the order of the file.
void run_benchmarks(Session& session, const detail::Done& done);

}  // namespace bench
