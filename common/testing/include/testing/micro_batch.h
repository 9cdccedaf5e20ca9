// The micro-batch that runs through the book (lessons/micro_batch.json, built in): every first case
// uses it.
#pragma once

#include <string_view>
#include <vector>

namespace testing::micro_batch {

// An entry of the lesson's worked example: example_int("001_matmul_nn", "M").
int example_int(std::string_view lesson, std::string_view name);
std::vector<float> example(std::string_view lesson, std::string_view name);

// An array of the whole layer: X, Wg, W1, probs, experts, ...
std::vector<float> floats(std::string_view array);
std::vector<int> ints(std::string_view array);
// A number of the whole layer: mse, aux, ...
double scalar(std::string_view name);

}  // namespace testing::micro_batch
