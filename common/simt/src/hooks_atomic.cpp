// The atomics that -fsanitize=thread hands over: std::atomic and the guards of function-local
// statics, in host code. The operation must be performed here.
#include <cstdint>

extern "C" {

#define SIMT_HOST_ATOMIC(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                         \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                      \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                \
  T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) {                                      \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) {                                     \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) {                                     \
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_and(volatile T* p, T v, int) {                                     \
    return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_or(volatile T* p, T v, int) {                                      \
    return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_xor(volatile T* p, T v, int) {                                     \
    return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_nand(volatile T* p, T v, int) {                                    \
    return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {   \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T v, int, int) {     \
    return __atomic_compare_exchange_n(p, expected, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
  }                                                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) {         \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return expected;                                                                               \
  }

SIMT_HOST_ATOMIC(8, std::uint8_t)
SIMT_HOST_ATOMIC(16, std::uint16_t)
SIMT_HOST_ATOMIC(32, std::uint32_t)
SIMT_HOST_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // extern "C"
