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

void must(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(fmt::format("{}: {}", what, cudaGetErrorString(status)));
  }
}

}  // namespace

DeviceArray::~DeviceArray() {
  array_.device = nullptr;
  if (allocation_ != nullptr && generation_ == device_generation()) cudaFree(allocation_);
}

std::size_t DeviceArray::first_word() const {
  return band + shift_;
}

void DeviceArray::prepare(std::size_t shift, std::uint32_t poison) {
  shift_ = shift;
  image_.assign(band + slack + array_.count + band, band_word);
  if (array_.role == Role::output) {
    std::fill_n(image_.begin() + static_cast<std::ptrdiff_t>(first_word()), array_.count, poison);
  } else {
    std::ranges::copy(array_.content, image_.begin() + static_cast<std::ptrdiff_t>(first_word()));
  }
  const std::size_t bytes = image_.size() * sizeof(std::uint32_t);
  if (allocation_ == nullptr) {
    must(cudaMalloc(&allocation_, bytes), "cudaMalloc in the grader");
    generation_ = device_generation();
  }
  backend::unguard(allocation_, bytes);
  must(cudaMemcpy(allocation_, image_.data(), bytes, cudaMemcpyHostToDevice),
       "cudaMemcpy to the device in the grader");
  array_.device = static_cast<std::uint32_t*>(allocation_) + first_word();
  backend::guard(allocation_, array_.device, array_);
  if (array_.role == Role::output) backend::poison(array_.device, array_.count, poison);
}

void DeviceArray::collect() {
  const std::size_t bytes = image_.size() * sizeof(std::uint32_t);
  backend::unguard(allocation_, bytes);
  must(cudaMemcpy(image_.data(), allocation_, bytes, cudaMemcpyDeviceToHost),
       "cudaMemcpy from the device in the grader");
  const auto begin = image_.begin() + static_cast<std::ptrdiff_t>(first_word());
  words_.assign(begin, begin + static_cast<std::ptrdiff_t>(array_.count));
}

std::optional<std::string> DeviceArray::damage() const {
  const std::size_t begin = first_word(), end = begin + array_.count;
  const auto damaged = [&](std::size_t i) { return image_[i] != band_word; };
  std::size_t count = 0;
  for (std::size_t i = 0; i < image_.size(); ++i) {
    if ((i < begin || i >= end) && damaged(i)) ++count;
  }
  if (count == 0) return std::nullopt;
  const std::string words = count == 1 ? "a value" : fmt::format("{} values", count);
  for (std::size_t i = end; i < image_.size(); ++i) {
    if (damaged(i)) {
      return fmt::format("{} written outside {}: the nearest at index {}, past its {} elements",
                         words, array_.name, i - begin, array_.count);
    }
  }
  for (std::size_t i = begin; i-- > 0;) {
    if (damaged(i)) {
      return fmt::format(
          "{} written outside {}: the nearest at index -{}, before its first element", words,
          array_.name, begin - i);
    }
  }
  return std::nullopt;
}

}  // namespace testing
