#include "train/kernels.h"

#include <fmt/core.h>

#include <optional>

#include "build/fast_kernel.h"
#include "build/kernel_compiler.h"
#include "cli/error.h"
#include "machine/machine.h"
#include "terminal/terminal.h"
#include "workspace/own_kernel.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// On the CPU kernels are built once more for training, without checks.
fs::path training_object(const BuildTree& tree, const std::string& name) {
  return tree.folder() / "kernels" / "train" / (name + ".so");
}

fs::path reference_object(const BuildTree& tree, const Lesson& lesson) {
  if (tree.backend() == Backend::cuda) return tree.reference(lesson.directory());
  return training_object(tree, lesson.directory());
}

fs::path fast_object(const BuildTree& tree, const Lesson& lesson) {
  if (tree.backend() == Backend::cuda) return tree.fast(lesson.directory());
  return training_object(tree, "fast_" + lesson.directory());
}

}  // namespace

void require_every_lesson(const Course& course) {
  for (int number = 1; number <= course.lesson_count(); ++number) {
    if (course.by_number(number) != nullptr) continue;
    throw Error(Exit::unavailable,
                fmt::format("training takes all {} lessons, and lesson {} is not in this copy",
                            course.lesson_count(), number),
                "An update may bring it.");
  }
}

std::vector<const Lesson*> fast_lessons(const Paths& paths, const Course& course, Backend backend,
                                        int processes) {
  if (processes == 1) return {&course.lessons.back()};
  std::vector<const Lesson*> lessons;
  for (const Lesson& lesson : course.lessons) {
    const FastKernel kernel = fast_kernel(paths, lesson.directory());
    if (kernel.exists && (backend == Backend::cuda || kernel.needs_gpu.empty())) {
      lessons.push_back(&lesson);
    }
  }
  return lessons;
}

void require_gpu_for_fast(const Paths& paths, const Course& course,
                          const std::vector<const Lesson*>& fast) {
  const std::optional<Gpu> gpu = find_gpu();
  const std::string last = course.lessons.back().directory();
  std::vector<std::string> lessons = fast_parts(paths, last, Backend::cuda);
  for (const Lesson* each : fast) lessons.push_back(each->directory());
  for (const std::string& lesson : lessons) {
    const std::string needed = fast_kernel(paths, lesson).needs_gpu;
    if (needed.empty() || !gpu || gpu->major + gpu->minor / 10.0 >= std::stod(needed)) continue;
    throw Error(Exit::unavailable,
                fmt::format("the fast kernel of {} needs a GPU of compute capability {}, and this "
                            "one has {}.{}",
                            lesson, needed, gpu->major, gpu->minor),
                "Without --fast the reference kernels train here.");
  }
}

std::vector<std::string> training_targets(Backend backend, const std::vector<const Lesson*>& fast) {
  std::vector<std::string> targets{"trainer", "train_kernels"};
  for (const Lesson* lesson : fast) {
    targets.push_back((backend == Backend::cuda ? "fast_" : "train_fast_") + lesson->directory());
  }
  return targets;
}

std::vector<fs::path> reference_objects(const Course& course, const BuildTree& tree) {
  std::vector<fs::path> objects;
  for (const Lesson& lesson : course.lessons) objects.push_back(reference_object(tree, lesson));
  return objects;
}

void take_fast(const Course& course, const BuildTree& tree, const std::vector<const Lesson*>& fast,
               std::vector<fs::path>& objects) {
  for (const Lesson* lesson : fast) {
    objects[static_cast<std::size_t>(lesson - course.lessons.data())] = fast_object(tree, *lesson);
  }
}

std::size_t take_own(const Paths& paths, const Course& course, const Progress& progress,
                     const BuildTree& tree, std::vector<fs::path>& objects) {
  const KernelCompiler compiler(paths, tree);
  terminal::StatusLine status;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Lesson& lesson = course.lessons[i];
    status.show("your kernels", i + 1, objects.size());
    if (own_kernel(progress, lesson) != OwnKernel::passed) continue;
    KernelSource source{lesson.kernel(), lesson.directory(), {}, KernelSource::Purpose::training};
    for (const std::string& call : lesson.calls) {
      source.may_call.push_back(reference_object(tree, course.find(call)));
    }
    const CompiledKernel kernel = compiler.compile(source);
    if (kernel.outcome != CompiledKernel::Outcome::compiled) continue;
    if (kernel.source_hash != passed_hash(progress, lesson)) continue;  // saved since
    objects[i] = kernel.object;
    ++taken;
  }
  return taken;
}

}  // namespace grade
