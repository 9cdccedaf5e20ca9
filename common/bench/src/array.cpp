#include "bench/array.h"

#include <cuda_runtime.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bench/check.h"

namespace bench {
namespace {

constexpr std::uint32_t kNaN = 0x7fc0dead;
constexpr float kPartOfLargest = 1e-3f;

void upload(std::uint32_t* to, const std::vector<std::uint32_t>& from) {
  check(cudaMemcpy(to, from.data(), from.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
        "filling an array");
}

}  // namespace

ArrayMemory::ArrayMemory(Role role, std::vector<std::uint32_t> initial, bool integer)
    : role_(role), integer_(integer), initial_(std::move(initial)) {}

ArrayMemory::~ArrayMemory() {
  for (std::uint32_t* each : copies_) cudaFree(each);
}

void ArrayMemory::allocate(int copies) {
  for (int i = 0; i < copies; ++i) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(bytes(), 4)), "memory for an array");
    copies_.push_back(static_cast<std::uint32_t*>(memory));
    if (bytes() > 0) upload(copies_.back(), initial_);
  }
}

void ArrayMemory::set_back() {
  if (!checked() || bytes() == 0) return;
  const std::vector<std::uint32_t> poison(role_ == Role::output ? initial_.size() : 0, kNaN);
  for (std::uint32_t* each : copies_) upload(each, role_ == Role::output ? poison : initial_);
}

void* ArrayMemory::copy(int turn) const {
  return copies_[static_cast<std::size_t>(turn) % copies_.size()];
}

std::vector<std::uint32_t> ArrayMemory::contents(int turn) const {
  std::vector<std::uint32_t> words(initial_.size());
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
