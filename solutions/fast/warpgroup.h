// What only Hopper has for matrix products (sm_90a): four warps that multiply together, barriers
// that count arrivals, and registers handed from one warpgroup to another.
//
// The words are PTX; the PTX ISA's chapters "Asynchronous warpgroup level matrix instructions" and
// "mbarrier" say what they promise.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace fast {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// A barrier in shared memory. It has phases: a phase ends when `arrivals` threads have arrived.
class PhaseBarrier {
 public:
  __device__ void init(unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)),
                 "r"(arrivals)
                 : "memory");
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  // Until the phase of this parity (0, 1, 0 ...) has ended. The one before the first counts as
  // ended, with parity 1.
  __device__ void wait(unsigned parity) {
    unsigned done;
    do {
      asm volatile(
          "{\n.reg .pred done;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
          "selp.u32 %0, 1, 0, done;\n}"
          : "=r"(done)
          : "r"(shared_address(this)), "r"(parity)
          : "memory");
    } while (done == 0);
  }

 private:
  std::uint64_t state_;
};

// What this thread stored in shared memory, the tensor cores may read after the next barrier.
__device__ inline void show_to_tensor_cores() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

template <int kRegisters>
__device__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

template <int kRegisters>
__device__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

// How a warpgroup finds an operand: rows of 128 bytes, k-major, whose pieces of 16 bytes are
// exchanged: piece p of row r lies at p ^ (r % 8). Groups of 8 rows lie 1,024 bytes apart, and the
// first begins at a multiple of that.
__device__ inline std::uint64_t swizzled_rows(const void* tile) {
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
  constexpr std::uint64_t kGroupStride = std::uint64_t{1024 / 16} << 32;
  return kSwizzle128 | kGroupStride | std::uint64_t{1} << 16 |
         (shared_address(tile) & 0x3ffff) >> 4;
}

// The next `bytes` of every row.
__device__ inline std::uint64_t further(std::uint64_t rows, int bytes) {
  return rows + static_cast<std::uint64_t>(bytes / 16);
}

__device__ inline void begin_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Barriers of the block besides __syncthreads(), 1 to 15: waits until `threads` threads have come
// here or passed by.
__device__ inline void come_to(int barrier, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ inline void pass_by(int barrier, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// sums += a b (with `add`; else sums = a b) for 64 rows of a, 8 steps, and 128 columns. A lane has
// of a the rows lane / 4 and 8 further of its warp's 16, at the steps lane % 4 (a[0], a[1]) and 4
// further, and of the sums those rows at the columns 8 j + lane % 4 * 2 and the next (sums[4 j],
// sums[4 j + 1]; the lower row's follow).
__device__ inline void multiply_64x128x8(float (&sums)[64], const unsigned* a, std::uint64_t b,
                                         bool add = true) {
#define FAST_SUMS_4(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3])
#define FAST_SUMS_16(i) FAST_SUMS_4(i), FAST_SUMS_4(i + 4), FAST_SUMS_4(i + 8), FAST_SUMS_4(i + 12)
  asm volatile(
      "{\n.reg .pred add;\n"
      "setp.ne.b32 add, %69, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 "
      "}, {%64, %65, %66, %67}, %68, add, 1, 1;\n}"
      : FAST_SUMS_16(0), FAST_SUMS_16(16), FAST_SUMS_16(32), FAST_SUMS_16(48)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
#undef FAST_SUMS_16
#undef FAST_SUMS_4
}

// For the compiler: what is computed before this point, and read after it, is in registers here.
template <int kCount>
__device__ void hold(float (&values)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(values[i])::"memory");
}

template <int kCount>
__device__ void hold(unsigned (&values)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(values[i])::"memory");
}

#endif

}  // namespace fast
