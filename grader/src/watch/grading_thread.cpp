#include "watch/grading_thread.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "system/files.h"
#include "terminal/terminal.h"
#include "workspace/workspace.h"

namespace grade {

struct GradingThread::Job {
  std::atomic<bool> cancelled{false};
  std::atomic<bool> finished{false};
  mutable std::mutex mutex;  // of what follows
  std::string step = "starting";
  GradedKernel result;
  bool taken = false;

  void say(std::string_view text, void (*wake)()) {
    {
      const std::lock_guard lock(mutex);
      step = std::string(text);
    }
    wake();
  }

  void work(const Paths& paths, const Course& course, const Order& order, void (*wake)()) {
    Grading grading(paths, course, order.choice);
    grading.prepare({order.lesson}, {}, &cancelled);
    GradeRequest request;
    request.lesson = order.lesson;
    request.file = order.lesson->kernel();
    request.fresh = order.fresh;
    request.timeout = order.timeout;
    request.shards = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
    request.cancelled = &cancelled;
    request.on_step = [&](const std::string& what) { say(what, wake); };
    {
      const std::lock_guard lock(mutex);
      result.hash = content_hash(read_file(request.file));
      result.untouched = Workspace(paths).untouched(*order.lesson);
    }
    GradeOutcome outcome = grading.grade(request);
    const std::lock_guard lock(mutex);
    // Of a file saved meanwhile, which is graded once more as soon as the save is noticed.
    if (outcome.kernel_hash != result.hash) {
      result.untouched = Workspace(paths).untouched(*order.lesson);
    }
    result.outcome = std::move(outcome);
  }

  void run(const Paths& paths, const Course& course, const Order& order, void (*wake)()) {
    terminal::StatusLine::redirect_this_thread(
        [&](std::string_view text) { say(text.empty() ? "grading" : text, wake); });
    std::optional<Error> error;
    try {
      work(paths, course, order, wake);
    } catch (const Cancelled&) {
    } catch (const Error& thrown) {
      error = thrown;
    } catch (const std::exception& thrown) {
      error = Error(Exit::unavailable, thrown.what(),
                    "This is a fault of the tool itself. Please report it.");
    }
    {
      const std::lock_guard lock(mutex);
      result.error = std::move(error);
    }
    finished = true;
    wake();
  }
};

GradingThread::GradingThread(const Paths& paths, const Course& course, void (*wake)())
    : paths_(paths), course_(course), wake_(wake) {}

GradingThread::~GradingThread() {
  stop();
  reap(true);
}

void GradingThread::start(const Order& order) {
  stop();
  reap(false);
  job_ = std::make_shared<Job>();
  job_->result.lesson = order.lesson;
  threads_.emplace_back(
      job_, std::thread([this, job = job_, order] { job->run(paths_, course_, order, wake_); }));
}

void GradingThread::stop() {
  if (job_) job_->cancelled = true;
  job_.reset();
}

void GradingThread::reap(bool all) {
  std::erase_if(threads_, [&](auto& each) {
    auto& [job, thread] = each;
    if (!all && !job->finished) return false;
    thread.join();
    return true;
  });
}

bool GradingThread::busy() const {
  return job_ && !job_->taken;
}

std::string GradingThread::step() const {
  if (!busy()) return {};
  const std::lock_guard lock(job_->mutex);
  return job_->step;
}

std::string GradingThread::taken_up() const {
  if (!job_) return {};
  const std::lock_guard lock(job_->mutex);
  return job_->result.hash;
}

std::optional<GradedKernel> GradingThread::take() {
  if (!busy() || !job_->finished) return std::nullopt;
  job_->taken = true;
  const std::lock_guard lock(job_->mutex);
  return job_->result;
}

}  // namespace grade
