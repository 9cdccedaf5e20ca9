// CUDA's warp matrix functions (nvcuda::wmma): tiles of matrices, spread over the lanes of a warp,
// and their products.
//
// Which lane holds which element is no one's business, as on a GPU. Products are summed in double
// and rounded once to the accumulator's type.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
// From here on:
#include <simt/device_begin.h>

namespace simt::detail {
unsigned rank_in_block() noexcept;
}

namespace simt::wmma {

enum class ElementType { binary16, bfloat16, tf32, float32, float64, int8, uint8, int32 };

struct Tile {
  ElementType type;
  const void* elements;  // the running lane's
};

// All lanes of the warp come here before a tile is loaded or stored. Checks what the hardware asks
// of pointers: 32 bytes of alignment, rows of whole 16 bytes.
void begin_transfer(const char* function, const void* pointer, unsigned row_bytes) noexcept;
// d = a b + c, for an m x k and a k x n tile; each lane gets its elements of d.
void multiply_add(int m, int n, int k, const Tile& a, const Tile& b, const Tile& c,
                  ElementType result_type, void* result) noexcept;

}  // namespace simt::wmma

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace details {

using simt::wmma::ElementType;

template <class T>
struct Element;
#define SIMT_ELEMENT(T, Stored, element_type)                      \
  template <>                                                      \
  struct Element<T> {                                              \
    using Storage = Stored;                                        \
    static constexpr ElementType type = ElementType::element_type; \
  };
SIMT_ELEMENT(__half, __half, binary16)
SIMT_ELEMENT(__nv_bfloat16, __nv_bfloat16, bfloat16)
SIMT_ELEMENT(precision::tf32, float, tf32)
SIMT_ELEMENT(float, float, float32)
SIMT_ELEMENT(double, double, float64)
SIMT_ELEMENT(signed char, signed char, int8)
SIMT_ELEMENT(unsigned char, unsigned char, uint8)
SIMT_ELEMENT(int, int, int32)
#undef SIMT_ELEMENT

template <class Use, int m, int n, int k>
struct Extents;
template <int m, int n, int k>
struct Extents<matrix_a, m, n, k> {
  static constexpr int rows = m, columns = k;
};
template <int m, int n, int k>
struct Extents<matrix_b, m, n, k> {
  static constexpr int rows = k, columns = n;
};
template <int m, int n, int k>
struct Extents<accumulator, m, n, k> {
  static constexpr int rows = m, columns = n;
};

constexpr bool shape_exists(int m, int n, int k, ElementType type, bool accumulates) {
  const bool wide = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  const bool tf32 = m == 16 && n == 16 && k == 8;
  const bool doubles = m == 8 && n == 8 && k == 4;
  switch (type) {
    case ElementType::binary16:
      return wide;
    case ElementType::bfloat16:
    case ElementType::int8:
    case ElementType::uint8:
      return wide && !accumulates;
    case ElementType::tf32:
      return tf32 && !accumulates;
    case ElementType::float32:
      return (wide || tf32) && accumulates;
    case ElementType::int32:
      return wide && accumulates;
    case ElementType::float64:
      return doubles;
  }
  return false;
}

template <class A, class B>
constexpr bool same = __is_same(A, B);

}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  using Extents = details::Extents<Use, m, n, k>;
  static constexpr bool accumulates = details::same<Use, accumulator>;
  static_assert(details::shape_exists(m, n, k, details::Element<T>::type, accumulates),
                "wmma has no fragments of this shape and type");
  static_assert(accumulates ? details::same<Layout, void>
                            : details::same<Layout, row_major> || details::same<Layout, col_major>,
                "matrix_a and matrix_b have a layout, row_major or col_major; an accumulator none");
  static constexpr int size = Extents::rows * Extents::columns;

 public:
  using element_type = T;
  using storage_element_type = typename details::Element<T>::Storage;
  // Half-precision operands are held more than once.
  static constexpr int num_elements = details::same<T, __half> && !accumulates ? 16 : size / 32;
  storage_element_type x[num_elements];

  // The element of the tile, by rows, that is the running lane's i-th.
  __attribute__((always_inline)) static unsigned simt_place(int i) {
    return (static_cast<unsigned>(i) * 32 + simt::detail::rank_in_block() % 32) %
           static_cast<unsigned>(size);
  }
  static constexpr unsigned simt_columns = Extents::columns;
};

namespace details {

template <class Fragment, class Pointer>
__attribute__((always_inline)) inline auto& place_in_memory(Pointer pointer, int i, unsigned ldm,
                                                            bool by_rows) {
  const unsigned place = Fragment::simt_place(i);
  const unsigned row = place / Fragment::simt_columns;
  const unsigned column = place % Fragment::simt_columns;
  return pointer[by_rows ? row * ldm + column : column * ldm + row];
}

template <class Fragment, class T>
__attribute__((always_inline)) inline void load(Fragment& to, const T* from, unsigned ldm,
                                                bool by_rows) {
  simt::wmma::begin_transfer("load_matrix_sync", from, ldm * static_cast<unsigned>(sizeof(T)));
  for (int i = 0; i < Fragment::num_elements; ++i) {
    to.x[i] = place_in_memory<Fragment>(from, i, ldm, by_rows);
  }
}

}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout>
requires(!__is_same(Layout, void)) __attribute__((always_inline)) inline void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& to, const typename details::Element<T>::Storage* from,
    unsigned ldm) {
  details::load(to, from, ldm, details::same<Layout, row_major>);
}
template <int m, int n, int k, class T>
__attribute__((always_inline)) inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& to,
                                                            const T* from, unsigned ldm,
                                                            layout_t layout) {
  details::load(to, from, ldm, layout == mem_row_major);
}

template <int m, int n, int k, class T>
__attribute__((always_inline)) inline void store_matrix_sync(
    T* to, const fragment<accumulator, m, n, k, T>& from, unsigned ldm, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  simt::wmma::begin_transfer("store_matrix_sync", to, ldm * static_cast<unsigned>(sizeof(T)));
  for (int i = 0; i < Fragment::num_elements; ++i) {
    details::place_in_memory<Fragment>(to, i, ldm, layout == mem_row_major) = from.x[i];
  }
}

template <class Use, int m, int n, int k, class T, class Layout, class Value>
__attribute__((always_inline)) inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& to,
                                                         const Value& value) {
  for (auto& element : to.x) {
    element = static_cast<typename details::Element<T>::Storage>(value);
  }
}

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
__attribute__((always_inline)) inline void mma_sync(
    fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
    const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c) {
  simt::wmma::multiply_add(m, n, k, {details::Element<T>::type, a.x},
                           {details::Element<T>::type, b.x}, {details::Element<C>::type, c.x},
                           details::Element<D>::type, d.x);
}

// To the 10 bits of fraction that tf32 has, ties away from zero.
inline float __float_to_tf32(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  return __builtin_bit_cast(float, (bits + 0x1000) & ~0x1fffu);
}

}  // namespace nvcuda::wmma

#include <simt/device_end.h>
