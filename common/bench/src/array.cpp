#include "bench/array.h"

#include <cuda_runtime.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bench/check.h"

namespace bench {
namespace {

constexpr int kPoison = 0xff;  // a byte of NaN, and of -1
constexpr float kPartOfLargest = 1e-3f;

}  // namespace

ArrayMemory::ArrayMemory(Role role, std::size_t count, std::vector<std::uint32_t> initial,
                         bool integer)
    : role_(role), count_(count), integer_(integer), initial_(std::move(initial)) {}

ArrayMemory::~ArrayMemory() {
  for (std::uint32_t* each : copies_) cudaFree(each);
}

void ArrayMemory::allocate(int copies) {
  for (int i = 0; i < copies; ++i) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(bytes(), 4)), "memory for an array");
    copies_.push_back(static_cast<std::uint32_t*>(memory));
    begin(copies_.back(), 0);
  }
}

void ArrayMemory::set_back() {
  if (!checked()) return;
  for (std::uint32_t* each : copies_) begin(each, kPoison);
}

void ArrayMemory::begin(std::uint32_t* copy, int otherwise) {
  if (bytes() == 0) return;
  check(initial_.empty() ? cudaMemset(copy, otherwise, bytes())
                         : cudaMemcpy(copy, initial_.data(), bytes(), cudaMemcpyHostToDevice),
        "filling an array");
}

void* ArrayMemory::copy(int turn) const {
  return copies_[static_cast<std::size_t>(turn) % copies_.size()];
}

std::vector<std::uint32_t> ArrayMemory::contents(int turn) const {
  std::vector<std::uint32_t> words(count_);
  if (!words.empty()) {
    check(cudaMemcpy(words.data(), copy(turn), bytes(), cudaMemcpyDeviceToHost),
          "reading an array");
  }
  return words;
}

std::string ArrayMemory::difference(const std::vector<std::uint32_t>& expected, int turn) const {
  const std::vector<std::uint32_t> got = contents(turn);
  float largest = 0;
  for (const std::uint32_t word : expected) {
    if (const float value = std::bit_cast<float>(word); !integer_ && std::isfinite(value)) {
      largest = std::max(largest, std::fabs(value));
    }
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    if (integer_) {
      return fmt::format("element {} is {}, expected {}", i, static_cast<std::int32_t>(got[i]),
                         static_cast<std::int32_t>(expected[i]));
    }
    const float value = std::bit_cast<float>(got[i]);
    const float wanted = std::bit_cast<float>(expected[i]);
    if (!(std::fabs(value - wanted) <= kPartOfLargest * largest)) {
      return fmt::format("element {} is {:g}, expected {:g}", i, value, wanted);
    }
  }
  return {};
}

}  // namespace bench
