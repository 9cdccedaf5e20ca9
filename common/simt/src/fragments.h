// Where the meetings of a warp hand out what its lanes brought to a matrix product.
#pragma once

#include <cstdint>

#include "device.h"

namespace simt::wmma {

// `arrived`: the lanes that are there; absent ones, after a report, are replaced by the asking one.
void share_contributions(Thread* lanes, std::uint32_t arrived);

}  // namespace simt::wmma
