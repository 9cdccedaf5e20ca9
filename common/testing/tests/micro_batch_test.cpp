#include "testing/micro_batch.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace testing;

TEST_CASE("the micro-batch is built in") {
  CHECK(micro_batch::floats("X") == std::vector<float>{1, 0, 0, 1, 1, 1});
  CHECK(micro_batch::ints("experts") == std::vector<int>{2, 0, 0, 3, 0, 2});
  CHECK(micro_batch::scalar("mse") == 0.8);
  CHECK(micro_batch::example_int("001_matmul_nn", "N") == 4);
  CHECK(micro_batch::example("003_matmul_tn", "C_before").size() == 8);
  CHECK_THROWS_AS(micro_batch::floats("nothing"), std::runtime_error);
}
