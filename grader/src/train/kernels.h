// Which kernels a training runs: an object for each lesson, callees first. The references, or in
// their places the workbook's fast ones or the learner's own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "course/course.h"
#include "progress/progress.h"
#include "system/paths.h"

namespace grade {

// Throws Error(unavailable) where this copy of the workbook lacks one.
void require_every_lesson(const Course& course);

// The lessons whose fast kernels train. With one process the last, which has the whole step in it;
// the references are there for what is asked before and after. Several processes call lesson by
// lesson, as rows travel between.
std::vector<const Lesson*> fast_lessons(const Paths& paths, const Course& course, Backend backend,
                                        int processes);

// Throws Error(unavailable) where one of these, or what it calls, takes a newer GPU than this one.
void require_gpu_for_fast(const Paths& paths, const Course& course,
                          const std::vector<const Lesson*>& fast);

// What the build has to bring up to date: the trainer, the references and these fast kernels.
std::vector<std::string> training_targets(Backend backend, const std::vector<const Lesson*>& fast);

std::vector<std::filesystem::path> reference_objects(const Course& course, const BuildTree& tree);

// Puts these lessons' fast kernels in the references' places.
void take_fast(const Course& course, const BuildTree& tree, const std::vector<const Lesson*>& fast,
               std::vector<std::filesystem::path>& objects);

// Compiles the learner's kernels whose file is the one that passed, and puts them there. Returns
// how many.
std::size_t take_own(const Paths& paths, const Course& course, const Progress& progress,
                     const BuildTree& tree, std::vector<std::filesystem::path>& objects);

}  // namespace grade
