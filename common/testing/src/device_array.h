// A trial's array on the device: one plain allocation of its own, with a guard band on either side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testing/array.h"

namespace testing {

class DeviceArray {
 public:
  explicit DeviceArray(detail::ArrayState& array) : array_(array) {}
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  // Lays the array out `shift` words past a 256-byte boundary, writes its content or the fill
  // `poison`, and the bands.
  void prepare(std::size_t shift, std::uint32_t poison);

  // Reads everything back.
  void collect();

  // After collect(): the elements, and what was written outside them.
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::optional<std::string> damage() const;

 private:
  detail::ArrayState& array_;
  std::uint32_t* allocation_ = nullptr;
  int generation_ = 0;
  std::size_t shift_ = 0;
  std::vector<std::uint32_t> before_, after_;  // the bands as they came back
  std::vector<std::uint32_t> words_;

  std::size_t first_word() const;
  std::size_t total_words() const;
};

}  // namespace testing
