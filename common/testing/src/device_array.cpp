#include "device_array.h"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "backend.h"
#include "session.h"

namespace testing {
namespace {

constexpr std::size_t band = 1024;  // words on either side
constexpr std::size_t slack = 64;   // room for the shift
constexpr std::uint32_t band_word =
    0x7fe5a5a5;  // a NaN, and a large int: read by mistake, it shows

void copy(void* to, const void* from, std::size_t words, cudaMemcpyKind kind) {
  if (words == 0) return;
  const cudaError_t status = cudaMemcpy(to, from, words * sizeof(std::uint32_t), kind);
  if (status != cudaSuccess) {
    throw std::runtime_error(
        fmt::format("the grader cannot reach the device: {}", cudaGetErrorString(status)));
  }
}

bool damaged(std::uint32_t word) {
  return word != band_word;
}

}  // namespace

DeviceArray::~DeviceArray() {
  array_.device = nullptr;
  if (allocation_ != nullptr && generation_ == device_generation()) cudaFree(allocation_);
}

std::size_t DeviceArray::first_word() const {
  return band + shift_;
}

std::size_t DeviceArray::total_words() const {
  return band + slack + array_.count + band;
}

void DeviceArray::prepare(std::size_t shift, std::uint32_t poison) {
  static const std::vector<std::uint32_t> blank(band + slack, band_word);
  shift_ = shift;
  const std::size_t bytes = total_words() * sizeof(std::uint32_t);
  if (allocation_ == nullptr) {
    void* memory = nullptr;
    if (const cudaError_t status = cudaMalloc(&memory, bytes); status != cudaSuccess) {
      throw std::runtime_error(fmt::format("the grader cannot allocate {} bytes: {}", bytes,
                                           cudaGetErrorString(status)));
    }
    allocation_ = static_cast<std::uint32_t*>(memory);
    generation_ = device_generation();
  }
  backend::unguard(allocation_, bytes);
  array_.device = allocation_ + first_word();
  std::uint32_t* const end = array_.device + array_.count;
  copy(allocation_, blank.data(), first_word(), cudaMemcpyHostToDevice);
  copy(end, blank.data(), band + slack - shift_, cudaMemcpyHostToDevice);
  if (array_.role != Role::output) {
    copy(array_.device, array_.content.data(), array_.count, cudaMemcpyHostToDevice);
  }
  backend::guard(allocation_, array_.device, array_);
  if (array_.role == Role::output) backend::poison(array_.device, array_.count, poison);
}

void DeviceArray::collect() {
  backend::unguard(allocation_, total_words() * sizeof(std::uint32_t));
  before_.resize(first_word());
  after_.resize(band + slack - shift_);
  words_.resize(array_.count);
  copy(before_.data(), allocation_, before_.size(), cudaMemcpyDeviceToHost);
  copy(words_.data(), array_.device, words_.size(), cudaMemcpyDeviceToHost);
  copy(after_.data(), array_.device + array_.count, after_.size(), cudaMemcpyDeviceToHost);
}

std::optional<std::string> DeviceArray::damage() const {
  const auto count =
      std::ranges::count_if(before_, damaged) + std::ranges::count_if(after_, damaged);
  if (count == 0) return std::nullopt;
  const std::string values = count == 1 ? "A value was" : fmt::format("{} values were", count);
  if (const auto hit = std::ranges::find_if(after_, damaged); hit != after_.end()) {
    return fmt::format(
        "{} written outside {}: the nearest at index {}, past its {}", values, array_.name,
        array_.count + static_cast<std::size_t>(hit - after_.begin()),
        array_.count == 1 ? "one element" : fmt::format("{} elements", array_.count));
  }
  const auto hit = std::find_if(before_.rbegin(), before_.rend(), damaged);
  return fmt::format("{} written outside {}: the nearest at index -{}, before its first element",
                     values, array_.name, hit - before_.rbegin() + 1);
}

}  // namespace testing
