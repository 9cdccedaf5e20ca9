// Lessons 001 to 003. With operands that carry errors ea and eb, sum (a + da)(b + db) differs from
// sum a b by at most sum |a| eb + ea |b| + ea eb; to that comes the rounding of the sum itself.
#include "oracle/building_blocks.h"
#include "product_sums.h"
#include "sizes.h"

namespace oracle {

Bounded matmul_nn(const Input& A, const Input& B, int M, int N, int K) {
  const std::size_t rows = to_size(M), columns = to_size(N), inner = to_size(K);
  require_size(A, rows * inner, "A");
  require_size(B, inner * columns, "B");
  ProductSums sums(rows * columns);
  sums.add_product({A, 0, inner, 1}, {B, 0, columns, 1}, 0, rows, columns, inner);
  return sums.result();
}

Bounded matmul_nt(const Input& A, const Input& B, int M, int N, int K) {
  const std::size_t rows = to_size(M), columns = to_size(N), inner = to_size(K);
  require_size(A, rows * inner, "A");
  require_size(B, columns * inner, "B");
  ProductSums sums(rows * columns);
  sums.add_product({A, 0, inner, 1}, {B, 0, 1, inner}, 0, rows, columns, inner);
  return sums.result();
}

Bounded matmul_tn(const Input& A, const Input& B, const Input& C0, int M, int N, int K) {
  const std::size_t rows = to_size(M), columns = to_size(N), inner = to_size(K);
  require_size(A, inner * rows, "A");
  require_size(B, inner * columns, "B");
  require_size(C0, rows * columns, "C");
  ProductSums sums(rows * columns);
  sums.add_starts(C0);
  sums.add_product({A, 0, 1, rows}, {B, 0, columns, 1}, 0, rows, columns, inner);
  return sums.result();
}

}  // namespace oracle
