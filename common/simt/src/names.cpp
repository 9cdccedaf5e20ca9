#include "names.h"

#include "arena.h"
#include "launch.h"
#include "symboliser.h"

namespace simt::names {
namespace {

long product(const std::vector<long>& extents) {
  long result = 1;
  for (long extent : extents) result *= extent;
  return result;
}

long floor_divided(long a, long b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The indices of a row-major element; the first one takes whatever is outside.
std::string indices(long index, const std::vector<long>& extents,
                    const std::vector<std::string>& axes) {
  std::vector<long> parts(extents.size());
  for (std::size_t i = extents.size(); i-- > 1;) {
    const long quotient = floor_divided(index, extents[i]);
    parts[i] = index - quotient * extents[i];
    index = quotient;
  }
  parts[0] = index;
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool named = i < axes.size() && !axes[i].empty();
    if (axes.empty()) {
      text += "[" + std::to_string(parts[i]) + "]";
    } else {
      text += (i == 0 ? "[" : ", ") + (named ? axes[i] + "=" : "") + std::to_string(parts[i]);
    }
  }
  return axes.empty() ? text : text + "]";
}

void finish(Element& element, std::uintptr_t address, std::uintptr_t begin, std::size_t bytes,
            const std::vector<long>& extents, const std::vector<std::string>& axes) {
  const auto distance = static_cast<long>(address) - static_cast<long>(begin);
  const auto size = static_cast<long>(element.element_bytes);
  element.index = floor_divided(distance, size);
  element.length = static_cast<long>(bytes) / size;
  element.begin = begin;
  const bool shaped = !extents.empty() && product(extents) > 0;
  if (shaped) {
    element.extents = extents;
    element.axes = axes;
  }
  element.text = element.array + (shaped ? indices(element.index, extents, axes)
                                         : "[" + std::to_string(element.index) + "]");
}

Element of_shared(std::uintptr_t address, std::size_t access_bytes) {
  Element element;
  element.where = "in shared memory";
  const shared_memory::Variable* variable = shared_memory::nearest(address - hot.base);
  if (variable == nullptr) {
    element.text = element.array = "shared memory (the kernel declares none)";
    return element;
  }
  element.array = variable->name;
  element.dynamic = variable->dynamic;
  element.element_bytes =
      variable->shape.element_bytes != 0 ? variable->shape.element_bytes : access_bytes;
  std::vector<long> extents;
  for (int i = 0; i < variable->shape.rank && i < 4; ++i) {
    extents.push_back(static_cast<long>(variable->shape.extents[i]));
  }
  finish(element, address, arena::address(variable->begin), variable->bytes, extents, {});
  if (extents.empty() && !variable->dynamic && element.index == 0) element.text = element.array;
  return element;
}

}  // namespace

std::string triple(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}
std::string thread(unsigned linear) {
  return triple(current_launch->thread_index(linear));
}
std::string block(std::size_t linear) {
  return triple(current_launch->block_index(linear));
}

std::string grouped(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string count(std::size_t n, const char* singular) {
  return std::to_string(n) + " " + singular + (n == 1 ? "" : "s");
}

Element element(std::uintptr_t address, std::size_t access_bytes) {
  if (arena::contains(address) && address - hot.base >= hot.shared_begin) {
    return of_shared(address, access_bytes);
  }
  Element element;
  const Allocation* allocation =
      arena::contains(address) ? heap::find(address) : heap::nearest_symbol(address);
  if (allocation == nullptr && arena::contains(address)) allocation = heap::nearest(address);
  if (allocation == nullptr) {
    element.text = element.array = "memory that is not the device's";
    return element;
  }
  const std::size_t bytes = allocation->valid_end - allocation->valid_begin;
  const long elements = product(allocation->extents);
  if (allocation->element_bytes != 0) {
    element.element_bytes = allocation->element_bytes;
  } else if (!allocation->extents.empty() && elements > 0 &&
             bytes % static_cast<std::size_t>(elements) == 0 && bytes > 0) {
    element.element_bytes = bytes / static_cast<std::size_t>(elements);
  } else {
    element.element_bytes = allocation->extents.empty() ? access_bytes : 4;
  }
  if (element.element_bytes == 0) element.element_bytes = 4;
  if (!allocation->name.empty()) {
    element.array = allocation->name;
  } else {
    const symboliser::Position& origin = symboliser::position(allocation->origin);
    element.array = "the array of " + count(allocation->bytes, "byte") +
                    (origin.line != 0 ? " from " + symboliser::short_name(origin) : "");
  }
  finish(element, address, allocation->valid_begin, bytes, allocation->extents, allocation->axes);
  if (allocation->name.empty()) {
    element.text = "element " + std::to_string(element.index) + " of " + element.array;
  }
  return element;
}

}  // namespace simt::names
