// Names of things in reports: threads, blocks, arrays and their elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heap.h"
#include "shared_memory.h"

namespace simt::names {

std::string triple(uint3 index);  // "(37,0,0)"
std::string thread(unsigned linear);
std::string block(std::size_t linear);
std::string grouped(std::size_t n);                      // "65,535"
std::string count(std::size_t n, const char* singular);  // "1 byte", "12 bytes"

// "A[m=7, k=0]": the element at the address, which need not lie inside the array.
struct Element {
  std::string text;
  std::string array;  // "A"
  long index = 0;     // linear
  long length = 0;    // elements in the array
  std::size_t element_bytes = 4;
  std::string where;          // "in shared memory", empty for global memory
  bool dynamic = false;       // sized by the launch
  std::uintptr_t begin = 0;   // address of element 0
  std::vector<long> extents;  // slowest first; none: only the length is known
  std::vector<std::string> axes;
};
Element element(std::uintptr_t address, std::size_t access_bytes);

}  // namespace simt::names
