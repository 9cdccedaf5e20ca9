#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/error.h"
#include "scratch.h"
#include "train/kernels.h"
#include "train/options.h"
#include "train/training.h"
#include "train/training_json.h"

using grade::Backend;
using grade::resuming;
using grade::trainer_arguments;
using grade::TrainOptions;
using Words = std::vector<std::string>;

namespace {
// What the options are refused with; empty where they are good.
std::string objection(const TrainOptions& options) {
  try {
    grade::check_options(options);
  } catch (const grade::Error& error) {
    CHECK(error.exit() == grade::Exit::usage);
    return error.what();
  }
  return {};
}
}  // namespace

TEST_CASE("options of a training that exclude each other") {
  CHECK(objection({}) == "");
  CHECK(objection({.mine = true, .no_compare = true}) == "");
  CHECK(objection({.mine = true, .fast = true}) == "--mine and --fast exclude each other");
  CHECK(objection({.no_compare = true}) == "--no-compare goes with --mine");
  CHECK(objection({.fast = true, .no_compare = true}) == "--no-compare goes with --mine");
}

TEST_CASE("the ranges of a training's options") {
  CHECK(objection({.steps = 0}) == "--steps takes 1 to 10000000, not 0");
  CHECK(objection({.tokens = 1 << 21}) == "--tokens takes 1 to 1048576, not 2097152");
  CHECK(objection({.width = 0}) == "--width takes 1 to 16384, not 0");
  CHECK(objection({.hidden = -1}) == "--hidden takes 1 to 65536, not -1");
  CHECK(objection({.experts = 1025}) == "--experts takes 1 to 1024, not 1025");
  CHECK(objection({.gpus = 65}) == "--gpus takes 1 to 64, not 65");
  CHECK(objection({.lr = 0.0}) == "--lr takes a number above 0, not 0");
  CHECK(objection({.lr = std::numeric_limits<double>::infinity()}) ==
        "--lr takes a number above 0, not inf");
  CHECK(objection({.alpha = 0.0}) == "");
  CHECK(objection({.alpha = -0.5}) == "--alpha takes 0 or more, not -0.5");
  CHECK(objection({.alpha = std::numeric_limits<double>::quiet_NaN()}) ==
        "--alpha takes 0 or more, not nan");
}

TEST_CASE("a token has no more experts than there are, and at most 16") {
  CHECK(objection({.experts = 1}) == "--top takes 1 to 1, not 2");
  CHECK(objection({.experts = 4, .top = 4}) == "");
  CHECK(objection({.experts = 4, .top = 5}) == "--top takes 1 to 4, not 5");
  CHECK(objection({.experts = 64, .top = 17}) == "--top takes 1 to 16, not 17");
  // The checkpoint may have more experts than the default.
  CHECK(objection({.resume = true, .top = 16}) == "");
  CHECK(objection({.resume = true, .top = 17}) == "--top takes 1 to 16, not 17");
  CHECK(objection({.resume = true, .experts = 1}) == "");
}

TEST_CASE("no array of the layer is too large, unless the sizes are the checkpoint's") {
  const std::string large = "these sizes make an array of more than 2^31 - 4096 elements";
  CHECK(objection({.tokens = 1 << 20, .width = 1 << 10}) == large);   // pairs by width
  CHECK(objection({.tokens = 1 << 20, .hidden = 1 << 10}) == large);  // pairs by hidden width
  CHECK(objection({.width = 1 << 14, .hidden = 1 << 14}) == large);   // all weights
  CHECK(objection({.tokens = 1 << 20, .experts = 1 << 10}) == "");    // 2^30 logits
  CHECK(objection({.resume = true, .tokens = 1 << 20, .width = 1 << 10}) == "");
}

TEST_CASE("the trainer gets every setting, or with --resume those that were given") {
  CHECK((trainer_arguments({}) ==
         Words{"--tokens",  "256",  "--width",        "8",   "--hidden",     "16",
               "--experts", "8",    "--top",          "2",   "--activation", "relu",
               "--alpha",   "0.01", "--lr",           "0.3", "--seed",       "1",
               "--steps",   "300",  "--report-every", "3"}));
  CHECK((trainer_arguments({.resume = true}) == Words{"--steps", "300", "--report-every", "3"}));
  CHECK((trainer_arguments({.resume = true, .steps = 20, .top = 1, .activation = "gelu"}) ==
         Words{"--top", "1", "--activation", "gelu", "--steps", "20", "--report-every", "1"}));
  CHECK((trainer_arguments(
             {.resume = true, .steps = 1'000'000, .seed = 7, .gpus = 2, .exchange = "sockets"}) ==
         Words{"--seed", "7", "--steps", "1000000", "--report-every", "100", "--ranks", "2",
               "--exchange", "sockets"}));
}

TEST_CASE("the command that goes on with a training") {
  CHECK(resuming({}).ends_with("grade train --resume --steps 300"));
  CHECK(resuming({.mine = true, .tokens = 64, .seed = 3})
            .ends_with("grade train --resume --steps 300 --mine"));
  CHECK(resuming({.fast = true, .steps = 9, .backend = "cuda", .gpus = 2, .exchange = "sockets"})
            .ends_with(" --steps 9 --fast --backend cuda --gpus 2 --exchange sockets"));
  CHECK(resuming({.out = "a b"}).ends_with(" --steps 300 --out 'a b'"));
  CHECK(resuming({.out = "-x"}).ends_with(" --out ./-x"));
}

TEST_CASE("a training takes every lesson of the course") {
  const Scratch scratch;
  const grade::Paths paths = scratch.course();
  CHECK_THROWS_WITH_AS(grade::require_every_lesson(grade::Course::load(paths)),
                       "training takes all 5 lessons, and lesson 3 is not in this copy",
                       grade::Error);
}

TEST_CASE("which fast kernels train: the last one, or with several processes each that there is") {
  const Scratch scratch;
  const grade::Paths paths = scratch.course();
  scratch.write("solutions/001_add_one/fast.cu", "// one\n");
  scratch.write("solutions/002_add_two/fast.cu", "// two\n// needs-gpu: 9.0\n");
  const grade::Course course = grade::Course::load(paths);
  const auto targets = [&](Backend backend, int processes) {
    return training_targets(backend, fast_lessons(paths, course, backend, processes));
  };
  CHECK(
      (targets(Backend::cpu, 1) == Words{"trainer", "train_kernels", "train_fast_004_scale_rows"}));
  CHECK((targets(Backend::cpu, 2) == Words{"trainer", "train_kernels", "train_fast_001_add_one"}));
  CHECK((targets(Backend::cuda, 2) ==
         Words{"trainer", "train_kernels", "fast_001_add_one", "fast_002_add_two"}));
}

TEST_CASE("fast kernels take the references' places") {
  const Scratch scratch;
  const grade::Paths paths = scratch.course();
  const grade::Course course = grade::Course::load(paths);
  const grade::BuildTree tree(paths, Backend::cpu);
  const auto references = reference_objects(course, tree);
  REQUIRE(references.size() == 3);
  CHECK(references[1] == tree.folder() / "kernels/train/002_add_two.so");
  auto chosen = references;
  take_fast(course, tree, {&course.lessons[1]}, chosen);
  CHECK(chosen[0] == references[0]);
  CHECK(chosen[1] == tree.folder() / "kernels/train/fast_002_add_two.so");
  CHECK(chosen[2] == references[2]);
}

TEST_CASE("a training as JSON, with a loss that is no number and the reference's run within") {
  grade::Training training;
  training.status = "diverged";
  training.mse = {1.5, std::numeric_limits<double>::quiet_NaN()};
  CHECK(nlohmann::json::parse(training_json(training, "mine")).count("reference") == 0);
  grade::Training reference;
  reference.mse = {1.25};
  const auto json = nlohmann::json::parse(training_json(training, "mine", &reference));
  CHECK(json["kernels"] == "mine");
  CHECK(json["status"] == "diverged");
  CHECK(json["mse"][0] == 1.5);
  CHECK(json["mse"][1].is_null());
  CHECK(json["reference"]["kernels"] == "reference");
  CHECK(json["reference"]["mse"][0] == 1.25);
}

TEST_CASE("a loss is trained below a tenth of where it began") {
  grade::Training training;
  CHECK_FALSE(trained(training));
  training.mse = {2, 0.2};
  CHECK_FALSE(trained(training));
  training.mse.push_back(0.19);
  CHECK(trained(training));
}
