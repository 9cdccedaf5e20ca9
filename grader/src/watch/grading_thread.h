// Grades one lesson's kernel at a time beside the thread that listens to the keys.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cli/error.h"
#include "course/course.h"
#include "run/grading.h"
#include "system/paths.h"

namespace grade {

struct GradedKernel {
  const Lesson* lesson = nullptr;
  std::string hash;  // of the file when grading began
  bool untouched = false;
  std::optional<GradeOutcome> outcome;
  std::optional<Error> error;  // instead of an outcome
};

class GradingThread {
 public:
  // `wake` is called, from other threads, when there is something new to ask for.
  GradingThread(const Paths& paths, const Course& course, void (*wake)());
  ~GradingThread();  // ends what goes on, and waits for it
  GradingThread(const GradingThread&) = delete;
  GradingThread& operator=(const GradingThread&) = delete;

  struct Order {
    const Lesson* lesson = nullptr;
    BackendChoice choice = BackendChoice::automatic;
    bool fresh = false;  // no remembered verdict
    std::chrono::milliseconds timeout{20'000};
  };
  // Ends what goes on, without waiting for it, and begins anew.
  void start(const Order& order);
  void stop();

  bool busy() const;
  std::string step() const;  // what goes on, in a few words
  // What the kernel in work holds (its hash). Empty while it has not been read: a file saved before
  // that needs no new start.
  std::string taken_up() const;

  // The result of what was started last, once.
  std::optional<GradedKernel> take();

 private:
  struct Job;
  void reap(bool all);

  const Paths& paths_;
  const Course& course_;
  void (*wake_)();
  std::shared_ptr<Job> job_;
  std::list<std::pair<std::shared_ptr<Job>, std::thread>> threads_;
};

}  // namespace grade
