// Access records and shadow cells: what the runtime remembers of each 4-byte word.
#pragma once

#include <cstdint>

namespace simt {

// An access: a stamp (who and when) in the upper 40 bits, the offset of the instruction in its
// module's text in the lower 24. Stamps grow; those of one warp between two synchronisations are a
// group of 32, one for each lane.
using Record = std::uint64_t;

inline constexpr int pc_bits = 24;
inline constexpr int lane_bits = 5;
inline constexpr Record pc_mask = (Record{1} << pc_bits) - 1;

inline constexpr Record group_record(std::uint64_t group) {
  return group << (lane_bits + pc_bits);
}
inline constexpr std::uint64_t group_of(Record record) {
  return record >> (lane_bits + pc_bits);
}
inline constexpr unsigned lane_of(Record record) {
  return (record >> pc_bits) & 31;
}
inline constexpr std::uint32_t pc_of(Record record) {
  return static_cast<std::uint32_t>(record & pc_mask);
}
inline constexpr bool same_stamp(Record a, Record b) {
  return ((a ^ b) >> pc_bits) == 0;
}

// The state word of a cell. Each mask has a bit for each of the word's bytes.
namespace state {
inline constexpr int addressable_shift = 0;
inline constexpr int initialised_shift = 4;
inline constexpr int write_shift = 8;
inline constexpr int read1_shift = 12;
inline constexpr int read2_shift = 16;
// How the last write and the kept reads were made: an AccessStrength each.
inline constexpr int write_strength_shift = 20;
inline constexpr int read1_strength_shift = 22;
inline constexpr int read2_strength_shift = 24;
inline constexpr std::uint64_t raced = std::uint64_t{1} << 26;
// In the place of the second read stands a plain store that an atomic one came after.
inline constexpr std::uint64_t read2_stores = std::uint64_t{1} << 27;

inline constexpr std::uint64_t addressable = 0xF << addressable_shift;
inline constexpr std::uint64_t initialised = 0xF << initialised_shift;
inline constexpr std::uint64_t records =
    (0xF << write_shift) | (0xF << read1_shift) | (0xF << read2_shift);
// All four bytes addressable, written, and touched only by plain accesses of all four bytes.
inline constexpr std::uint64_t normal = addressable | initialised | records;
}  // namespace state

enum class AccessStrength : std::uint8_t { plain, block_atomic, device_atomic, strong };

struct Cell {
  Record write;
  Record read1;
  Record read2;
  std::uint64_t state;
};
static_assert(sizeof(Cell) == 32);

}  // namespace simt
