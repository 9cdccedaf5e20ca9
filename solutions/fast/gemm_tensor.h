// FP32 matrix products on Hopper's tensor cores, three TF32 products a term.
//
// TF32 keeps 11 bits of a float's 24. So each operand is split: x = big + small + rest, big is x
// rounded to TF32, small is x - big (exact) cut to TF32, and
//   a b = big_a big_b + big_a small_b + small_a big_b + what is dropped.
// With u = 2^-24: |small| <= 2^-11 |x|, so small_a small_b <= 2^-22 |a b| = 4 u |a b|. small has 12
// bits at most, and its rest <= 2^-23 |x|: another 2 u |a b| for each operand. Together 8 u a term.
//
// The tensor cores do not round their sums, they cut them, by half a unit of the last place on
// average and always towards zero: over a long sum that adds up, to 50 u of the magnitudes at 4096
// steps. So they sum up kPartDepth = 128 steps at most, and that part is added to a sum in ordinary
// registers, rounded to nearest. Small products come first, while the part is small, too. Measured
// on an H200, at 4096 steps and operands in [-1, 1]: at most 1.2 u of the magnitudes (0.7 with
// parts of 64 steps, 2.5 with 256), where cuBLAS's FP32 errs by 3.6 u; with operands in [0, 1], 22
// u and 62 u. The graders' bound there is 2 (4096 + 8) u.
//
// A block has 128 x 128 elements of C. One warpgroup brings B: it loads 32 steps, splits them, and
// stores both parts in shared memory as the tensor cores read it. Two warpgroups have 64 rows each:
// A goes from global memory to their registers, is split there, and is multiplied from there. At
// 4096, an H200 makes 116 to 125 TFLOP/s, of 143 that cuBLAS's TF32 would allow. Splitting
// is two integer operations and a subtraction, since cvt.rna.tf32 would cost a tenth of that.
// Making the two warpgroups take turns costs 2 %: they fall into turns by themselves.
#pragma once

#include <cfloat>
#include <cmath>

#include "gemm.h"
#include "warpgroup.h"

namespace fast {

// 2 warpgroups with 64 rows each, and one that brings B.
struct TensorTile {
  static constexpr int kConsumers = 2, kStages = 3, kPartDepth = 128;
  static constexpr int kRows = 64 * kConsumers, kCols = 128, kDepth = 32;
  static constexpr int kTilesOfPart = kPartDepth / kDepth;
  static constexpr int kThreads = 128 * (kConsumers + 1);
  // Of a thread of each role. All 65,536 of a multiprocessor are given out at launch.
  static constexpr int kRegistersOfProducers = 104;
  static constexpr int kRegistersOfConsumers = 200;
  static constexpr int kStageBytes = 2 * kCols * kDepth * 4;
  static constexpr int kSharedBytes = kStages * kStageBytes + 1024;

  __host__ __device__ static int down(int rows) { return (rows - 1) / kRows + 1; }
  __host__ __device__ static int across(int cols) { return (cols - 1) / kCols + 1; }
};

// One element the plain way. Infinities, NaN and values that round up to infinity do not survive
// the splitting: where they take part, the sum is not finite, and this is computed instead.
template <Lies kA, Lies kB>
__device__ __noinline__ float plain_element(const GemmTask& task, int row, int col) {
  const float* a = task.A + (kA == Lies::kTurned ? static_cast<std::size_t>(row) * task.stride_a
                                                 : static_cast<std::size_t>(row));
  const float* b = task.B + (kB == Lies::kTurned ? static_cast<std::size_t>(col) * task.stride_b
                                                 : static_cast<std::size_t>(col));
  const std::size_t step_a = kA == Lies::kTurned ? 1 : task.stride_a;
  const std::size_t step_b = kB == Lies::kTurned ? 1 : task.stride_b;
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 0; k < task.depth; ++k, a += step_a, b += step_b) sum += *a * *b;
  return sum;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Half a unit of the last place is added, and what is below it cut off: to nearest. small's low
// bits are left to the tensor cores, which do not look at them; small has 12 bits at most.
__device__ inline void split(float x, unsigned& big, unsigned& small) {
  big = (__float_as_uint(x) + 0x1000u) & 0xffffe000u;
  small = __float_as_uint(x - __uint_as_float(big));
}

// In a group of 8 steps, the tensor cores' step i is the sum's step 2 i, and step 4 + i is 2 i + 1:
// a lane's two are neighbours. Any order is right if it is that of both operands.

// A's part of a lane: two rows, and of each group of 8 steps two.
template <Lies kLies, int kPack>
class LaneOfA {
 public:
  int row[2];  // of C

  // first: the warp's first row of 16.
  __device__ LaneOfA(const GemmTask& task, int first) : stride_(task.stride_a) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    step_ = lane % 4 * 2;
    if constexpr (kLies == Lies::kTurned) {
      row[0] = first + lane / 4, row[1] = row[0] + 8;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        from_[h] = task.A + static_cast<std::size_t>(min(row[h], task.rows - 1)) * stride_ + step_;
      }
    } else {  // neighbours in memory
      row[0] = first + lane / 4 * 2, row[1] = row[0] + 1;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int there = kPack == 2 ? min(row[0], task.rows - 2) + h : min(row[h], task.rows - 1);
        from_[h] = task.A + static_cast<std::size_t>(step_) * stride_ + there;
      }
    }
  }

  // values[4 s + 2 i + h]: group s, step i, row h.
  template <bool kWhole>
  __device__ void load(float (&values)[16], int left) const {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      if constexpr (kLies == Lies::kTurned && kPack == 2) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          float2 two = make_float2(0.0f, 0.0f);
          if (kWhole || 8 * s + step_ < left) {
            two = *reinterpret_cast<const float2*>(from_[h] + 8 * s);
          }
          values[4 * s + h] = two.x, values[4 * s + 2 + h] = two.y;
        }
      } else if constexpr (kLies == Lies::kStraight && kPack == 2) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float2 two = make_float2(0.0f, 0.0f);
          if (kWhole || 8 * s + step_ + i < left) {
            two = *reinterpret_cast<const float2*>(from_[0] + (8 * s + i) * stride_);
          }
          values[4 * s + 2 * i] = two.x, values[4 * s + 2 * i + 1] = two.y;
        }
      } else {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const std::size_t k = static_cast<std::size_t>(8 * s + i);
            const float* const at = from_[h] + (kLies == Lies::kTurned ? k : k * stride_);
            values[4 * s + 2 * i + h] = kWhole || 8 * s + step_ + i < left ? *at : 0.0f;
          }
        }
      }
    }
  }

  __device__ void load_next(float (&values)[16], int left) {
    if (left >= 32) {
      load<true>(values, left);
    } else {
      load<false>(values, left);
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) from_[h] += kLies == Lies::kTurned ? 32 : 32 * stride_;
  }

 private:
  std::size_t stride_;
  int step_;
  const float* from_[2];
};

// A thread's part of a tile of B: 32 floats, which it splits and stores k-major.
template <Lies kLies, int kPack>
class ThreadOfB;

// In memory the columns are side by side: a thread has a column.
template <int kPack>
class ThreadOfB<Lies::kStraight, kPack> {
 public:
  __device__ explicit ThreadOfB(const GemmTask& task)
      : stride_(task.stride_b),
        from_(task.B + min(task.col + static_cast<int>(threadIdx.x), task.cols - 1)) {}

  __device__ void load_next(float (&values)[32], int left) {
    if (left >= 32) {
#pragma unroll
      for (int k = 0; k < 32; ++k) values[k] = from_[static_cast<std::size_t>(k) * stride_];
    } else {
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        values[k] = k < left ? from_[static_cast<std::size_t>(k) * stride_] : 0.0f;
      }
    }
    from_ += 32 * stride_;
  }

  // Of the group of 8 steps that begins at values[8 g].
  __device__ static int column(int) {
    return static_cast<int>(threadIdx.x);
  }
  __device__ static int group(int g) {
    return g;
  }

 private:
  std::size_t stride_;
  const float* from_;
};

// The steps are: 4 threads have the 32 steps of a column, and 4 columns each.
template <int kPack>
class ThreadOfB<Lies::kTurned, kPack> {
 public:
  __device__ explicit ThreadOfB(const GemmTask& task) {
#pragma unroll
    for (int g = 0; g < 4; ++g) {
      from_[g] =
          task.B +
          static_cast<std::size_t>(min(task.col + column(g), task.cols - 1)) * task.stride_b +
          8 * group(g);
    }
  }

  __device__ void load_next(float (&values)[32], int left) {
    const int here = left - 8 * group(0);
#pragma unroll
    for (int g = 0; g < 4; ++g) {
      if (kPack == 4 && left >= 32) {
#pragma unroll
        for (int i = 0; i < 8; i += 4) {
          const float4 four = load4(from_[g] + i);
          values[8 * g + i] = four.x, values[8 * g + i + 1] = four.y;
          values[8 * g + i + 2] = four.z, values[8 * g + i + 3] = four.w;
        }
      } else {
#pragma unroll
        for (int i = 0; i < 8; ++i) values[8 * g + i] = i < here ? from_[g][i] : 0.0f;
      }
      from_[g] += 32;
    }
  }

  __device__ static int column(int g) {
    return static_cast<int>(threadIdx.x) / 4 + 32 * g;
  }
  __device__ static int group(int) {
    return static_cast<int>(threadIdx.x) % 4;
  }

 private:
  const float* from_[4];
};

// TF32 ends at 2^-136: of a number below kTiny, which has digits below that, more is lost than of
// others, but no more than 2^-136. Multiplied by no more than kLarge that is at most 2^-126, where
// FP32's own range ends, and graders allow as much. Elements for which a tiny number may meet a
// large one are computed plainly.
constexpr float kTiny = 0x1p-112f;
constexpr float kLarge = 0x1p+10f;

// Which of a tile's rows and columns have such numbers, a bit each.
struct Extremes {
  unsigned tiny_rows[4], large_rows[4], tiny_cols[4], large_cols[4];
  int largest;  // the bits of the largest magnitude in the tile's rows and columns

  __device__ void clear() {
    for (int i = 0; i < 4; ++i) tiny_rows[i] = large_rows[i] = tiny_cols[i] = large_cols[i] = 0;
    largest = 0;
  }

  // By each thread, with the largest it saw.
  __device__ void note(float value) {
    const int of_warp = __reduce_max_sync(~0u, __float_as_int(value));
    if (threadIdx.x % 32 == 0) atomicMax(&largest, of_warp);
  }

  // By 256 threads together, of which `thread` is one: all operands of a tile of 128 x 128.
  template <Lies kA, Lies kB>
  __device__ __noinline__ void find(const GemmTask& task, int thread) {
    find<kA>(tiny_rows, large_rows, task.A, task.stride_a, task.row, task.rows, task.depth, thread);
    find<kB>(tiny_cols, large_cols, task.B, task.stride_b, task.col, task.cols, task.depth, thread);
  }

  __device__ bool meet(int row, int col) const {
    const auto has = [](const unsigned(&set)[4], int i) {
      return (set[i / 32] >> i % 32 & 1) != 0;
    };
    return (has(tiny_rows, row) && has(large_cols, col)) ||
           (has(large_rows, row) && has(tiny_cols, col));
  }

 private:
  template <Lies kLies>
  __device__ static void find(unsigned (&tiny)[4], unsigned (&large)[4], const float* operand,
                              std::size_t stride, int first, int end, int depth, int thread) {
    const int count = min(128, end - first);
    if constexpr (kLies == Lies::kTurned) {  // a warp goes along a row
      for (int row = thread / 32; row < count; row += 8) {
        look(tiny, large, row, operand + (first + row) * stride, 1, thread % 32, 32, depth);
      }
    } else if (thread % 128 < count) {
      look(tiny, large, thread % 128, operand + first + thread % 128, stride, thread / 128, 2,
           depth);
    }
  }

  __device__ static void look(unsigned (&tiny)[4], unsigned (&large)[4], int index,
                              const float* from, std::size_t stride, int begin, int step,
                              int depth) {
    bool is_tiny = false, is_large = false;
#pragma unroll 16
    for (int k = begin; k < depth; k += step) {
      const float size = fabsf(from[k * stride]);
      is_tiny |= size < kTiny && size > 0.0f;
      is_large |= size > kLarge;
    }
    if (is_tiny) atomicOr(&tiny[index / 32], 1u << index % 32);
    if (is_large) atomicOr(&large[index / 32], 1u << index % 32);
  }
};

// A consumer's sums to C.
template <Lies kA, Lies kB, bool kAccumulate>
__device__ void store_sums(const GemmTask& task, const float (&sums)[64], const int (&row)[2]) {
  const int first = task.col + static_cast<int>(threadIdx.x) % 4 * 2;
  const bool pairs = task.cols % 2 == 0 && reinterpret_cast<std::size_t>(task.C) % 8 == 0;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    if (row[h] >= task.rows) continue;
    float* const to = task.C + static_cast<std::size_t>(row[h]) * task.cols;
    // What is there is asked for together: the compiler lets no load pass a store.
    float old[kAccumulate ? 32 : 1];
    if constexpr (kAccumulate) {
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        const int col = first + 8 * j;
        float2 two = make_float2(0.0f, 0.0f);
        if (pairs && col < task.cols) {
          two = *reinterpret_cast<const float2*>(to + col);
        } else if (!pairs) {
          if (col < task.cols) two.x = to[col];
          if (col + 1 < task.cols) two.y = to[col + 1];
        }
        old[2 * j] = two.x, old[2 * j + 1] = two.y;
      }
    }
    unsigned not_finite = 0;  // bits
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      const int col = first + 8 * j;
      float x = sums[4 * j + 2 * h], y = sums[4 * j + 2 * h + 1];
      const bool x_finite = fabsf(x) <= FLT_MAX, y_finite = fabsf(y) <= FLT_MAX;
      if constexpr (kAccumulate) x += old[2 * j], y += old[2 * j + 1];
      if (!x_finite) not_finite |= 1u << (2 * j);
      if (!y_finite) not_finite |= 2u << (2 * j);
      if (pairs && x_finite && y_finite) {
        if (col < task.cols) *reinterpret_cast<float2*>(to + col) = make_float2(x, y);
      } else {
        if (x_finite && col < task.cols) to[col] = x;
        if (y_finite && col + 1 < task.cols) to[col + 1] = y;
      }
    }
#pragma unroll 1
    while (not_finite != 0) {
      const int bit = __ffs(static_cast<int>(not_finite)) - 1;
      not_finite &= not_finite - 1;
      const int col = first + bit / 2 * 8 + bit % 2;
      if (col >= task.cols) continue;
      const float sum = plain_element<kA, kB>(task, row[h], col);
      to[col] = kAccumulate ? to[col] + sum : sum;
    }
  }
}

#endif

template <Lies kA, Lies kB, int kPackA, int kPackB, bool kAccumulate, bool kColumnSums, class Tasks>
__global__ void __launch_bounds__(TensorTile::kThreads, 1)
tensor_kernel(const Tasks tasks) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using Tile = TensorTile;
  constexpr int kStages = Tile::kStages, kDepth = Tile::kDepth;
  constexpr int kTileBytes = Tile::kStageBytes / 2;  // of one part of B
  extern __shared__ unsigned char unaligned[];
  __shared__ PhaseBarrier full[kStages], empty[kStages];
  __shared__ Extremes extremes;

  GemmTask task;
  if (!tasks.template find<Tile>(static_cast<int>(blockIdx.x), task)) return;  // the whole block

  unsigned char* const stages = unaligned + (1024 - shared_address(unaligned) % 1024) % 1024;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      full[i].init(128);
      empty[i].init(4 * Tile::kConsumers);
    }
    show_to_tensor_cores();
    extremes.clear();
  }
  __syncthreads();
  constexpr int kAllSeen = 1;  // the barrier behind which extremes.largest is that of all
  float largest = 0.0f;        // magnitude that this thread has seen

  const int count = (task.depth + kDepth - 1) / kDepth;
  int stage = 0;
  unsigned parity = 0;
  const auto next_stage = [&] {
    if (++stage == kStages) stage = 0, parity ^= 1;
  };

  if (threadIdx.x < 128) {
    give_registers<Tile::kRegistersOfProducers>();
    ThreadOfB<kB, kPackB> b(task);
    float column_sums[4] = {};  // of its column, every fourth step each
    const auto store = [&](const float(&values)[32]) {
      if constexpr (kColumnSums) {
        if (task.column_sums != nullptr) {
#pragma unroll
          for (int k = 0; k < 32; ++k) column_sums[k % 4] += values[k];
        }
      }
      empty[stage].wait(parity ^ 1);
      unsigned char* const tile = stages + stage * Tile::kStageBytes;
#pragma unroll
      for (int g = 0; g < 4; ++g) {
        const int column = b.column(g);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          uint4 big, small;
#pragma unroll
          for (int k = 0; k < 8; k += 2) largest = fmaxf(largest, fabsf(values[8 * g + i + k]));
          split(values[8 * g + i], big.x, small.x);
          split(values[8 * g + i + 2], big.y, small.y);
          split(values[8 * g + i + 4], big.z, small.z);
          split(values[8 * g + i + 6], big.w, small.w);
          unsigned char* const to =
              tile + column * 128 + ((b.group(g) * 2 + i) ^ (column % 8)) * 16;
          *reinterpret_cast<uint4*>(to) = big;
          *reinterpret_cast<uint4*>(to + kTileBytes) = small;
        }
      }
      show_to_tensor_cores();
      full[stage].arrive();
      next_stage();
    };
    // Two tiles in registers: one comes while the other is stored.
    float even[32], odd[32];
    b.load_next(even, task.depth);
#pragma unroll 1
    for (int tile = 0; tile < count; tile += 2) {
      if (tile + 1 < count) b.load_next(odd, task.depth - (tile + 1) * kDepth);
      store(even);
      if (tile + 1 >= count) break;
      if (tile + 2 < count) b.load_next(even, task.depth - (tile + 2) * kDepth);
      store(odd);
    }
    extremes.note(largest);
    pass_by(kAllSeen, Tile::kThreads);
    if constexpr (kColumnSums) {
      const int col = task.col + static_cast<int>(threadIdx.x);
      if (task.column_sums != nullptr && col < task.cols) {
        task.column_sums[col] +=
            (column_sums[0] + column_sums[1]) + (column_sums[2] + column_sums[3]);
      }
    }
  } else {
    take_registers<Tile::kRegistersOfConsumers>();
    const int warp = static_cast<int>(threadIdx.x) / 32 - 4;
    LaneOfA<kA, kPackA> a(task, task.row + warp * 16);
    float values[16];
    float sums[64], part[64];
#pragma unroll
    for (int i = 0; i < 64; ++i) sums[i] = part[i] = 0.0f;
    a.load_next(values, task.depth);
    int of_part = 0;  // tiles in `part`
#pragma unroll 1
    for (int tile = 0; tile < count; ++tile) {
      unsigned big[16], small[16];
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        largest = fmaxf(largest, fabsf(values[i]));
        split(values[i], big[i], small[i]);
      }
      hold(big);
      hold(small);
      if (tile + 1 < count) a.load_next(values, task.depth - (tile + 1) * kDepth);
      const unsigned char* const b = stages + stage * Tile::kStageBytes;
      const std::uint64_t big_b = swizzled_rows(b), small_b = swizzled_rows(b + kTileBytes);
      full[stage].wait(parity);
      begin_products();
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        multiply_64x128x8(part, small + 4 * s, further(big_b, 32 * s), s > 0 || of_part > 0);
      }
#pragma unroll
      for (int s = 0; s < 4; ++s) multiply_64x128x8(part, big + 4 * s, further(small_b, 32 * s));
#pragma unroll
      for (int s = 0; s < 4; ++s) multiply_64x128x8(part, big + 4 * s, further(big_b, 32 * s));
      commit_products();
      wait_for_products();
      hold(part);
      if (threadIdx.x % 32 == 0) empty[stage].arrive();
      next_stage();
      if (++of_part == Tile::kTilesOfPart || tile + 1 == count) {
#pragma unroll
        for (int i = 0; i < 64; ++i) sums[i] += part[i];
        of_part = 0;
      }
    }
    extremes.note(largest);
    come_to(kAllSeen, Tile::kThreads);
    if (extremes.largest > __float_as_int(kLarge)) {  // all or none
      extremes.find<kA, kB>(task, static_cast<int>(threadIdx.x) - 128);
      come_to(kAllSeen, 256);
      const int col = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
      for (int i = 0; i < 64; ++i) {
        if (extremes.meet(a.row[i / 2 % 2] - task.row, col + i / 4 * 8 + i % 2)) sums[i] = NAN;
      }
    }
    store_sums<kA, kB, kAccumulate>(task, sums, a.row);
  }
#endif
}

// A few large tiles are enough: at 768, 36 of them are done in two thirds of the time that small
// ones take on the CUDA cores; at 512, 16 in the same time. But not if much of the tiles would be
// empty.
inline bool suits_tensor_cores(const ProductShape& shape) {
  const long long tiles = shape.tiles<LargeTile>();
  return tiles >= 32 && tiles * 3 <= shape.tiles<SmallTile>();
}

// Whether the kernel was launched. It has nothing to run where it was not compiled for sm_90a, and
// then no barriers in shared memory either.
template <Lies kA, Lies kB, bool kAccumulate, bool kColumnSums = false, class Tasks>
bool tensor_gemm(const Tasks& tasks, cudaStream_t stream) {
  using Tile = TensorTile;
  const auto launch = [&](auto pack_a, auto pack_b) {
    auto* const kernel = tensor_kernel<kA, kB, decltype(pack_a)::value, decltype(pack_b)::value,
                                       kAccumulate, kColumnSums, Tasks>;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess ||
        attributes.sharedSizeBytes == 0 ||
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             Tile::kSharedBytes) != cudaSuccess) {
      return false;
    }
    kernel<<<tasks.template blocks<Tile>(), Tile::kThreads, Tile::kSharedBytes, stream>>>(tasks);
    return true;
  };
  constexpr int kMostB = kB == Lies::kTurned ? 4 : 1;
  constexpr std::integral_constant<int, 1> kSingle;
  if (tasks.a().has_packs_of(2) && tasks.b().has_packs_of(kMostB)) {
    return launch(std::integral_constant<int, 2>{}, std::integral_constant<int, kMostB>{});
  }
  return launch(kSingle, kSingle);
}

}  // namespace fast
