// Sums and products: every right kernel is within the bounds, the usual mistakes are not.
#include <numeric>

#include "binary32.h"
#include "oracle/oracle.h"
#include "verdicts.h"

namespace oracle_test {
namespace {

namespace b32 = binary32;

// K, M and N that are all different, and odd sizes among them.
struct Shape {
  int M, N, K;
};
const std::vector<Shape> shapes{{1, 1, 1},  {3, 5, 2},  {2, 3, 31},  {5, 2, 33},
                                {4, 3, 64}, {2, 5, 97}, {1, 2, 257}, {3, 1, 1000}};

TEST_SUITE("bounds of sums and products") {
  TEST_CASE("001 to 003: right kernels in every order") {
    Verdicts verdicts;
    Draw draw(1);
    for (const Style& style : product_styles()) {
      Machine m(style);
      for (int repeat = 0; repeat < 12; ++repeat) {
        for (const auto& [M, N, K] : shapes) {
          const Floats A = draw.normals(M * K), B = draw.normals(K * N), C = draw.normals(M * N);
          verdicts.add(oracle::matmul_nn(A, B, M, N, K), b32::matmul_nn(m, A, B, M, N, K));
          verdicts.add(oracle::matmul_nt(A, B, M, N, K), b32::matmul_nt(m, A, B, M, N, K));
          verdicts.add(oracle::matmul_tn(A, B, C, M, N, K), b32::matmul_tn(m, A, B, C, M, N, K));
        }
      }
    }
    check_right(verdicts, "products");
  }

  TEST_CASE("001: adversarial operands") {
    Verdicts verdicts;
    Draw draw(2);
    const auto check = [&](const Floats& a, const Floats& b) {
      const int K = static_cast<int>(a.size());
      const oracle::Bounded want = oracle::matmul_nn(a, b, 1, 1, K);
      for (const Style& style : product_styles()) {
        Machine m(style);
        verdicts.add(want, b32::matmul_nn(m, a, b, 1, 1, K));
      }
    };
    for (int repeat = 0; repeat < 20; ++repeat) {
      Floats a, b, cancelling, ones(2000, 1), small, large, mixed;
      for (int i = 0; i < 300; ++i) {
        a.push_back(std::ldexp(draw.uniform(1, 2), draw.integer(-30, 30)));
        b.push_back(draw.normal());
        cancelling.push_back(i % 2 == 0 ? a.back() : -a[a.size() - 2]);
        small.push_back(std::ldexp(draw.uniform(-1, 1), -73));  // products below the normal range
        large.push_back(draw.uniform(1.0e15F, 1.0e16F));
        mixed.push_back(i == 0 ? 1.0e8F : draw.uniform(.1F, 1));
      }
      check(a, b);
      check(cancelling, Floats(300, 1));
      check(small, small);
      check(large, b);
      check(mixed, Floats(300, 1));
      check(Floats(2000, .1F), ones);  // errors that all go one way
    }
    check_right(verdicts, "adversarial products");
  }

  TEST_CASE("001: a plain loop over 2^20 equal terms stays within the bound") {
    const Floats a(1 << 20, .1F), b(1 << 20, .1F);
    Machine m({.order = Order::forward});
    Verdicts verdicts;
    verdicts.add(oracle::matmul_nn(a, b, 1, 1, 1 << 20), b32::matmul_nn(m, a, b, 1, 1, 1 << 20));
    check_right(verdicts, "long sum");
  }

  TEST_CASE("001 to 003: operands of fewer bits are rejected for K <= 32") {
    Draw draw(3);
    for (const Product product : {Product::tf32, Product::half, Product::bfloat16}) {
      Verdicts verdicts;
      Machine m({.product = product});
      for (const int K : {1, 2, 3, 7, 16, 31, 32}) {
        for (int repeat = 0; repeat < 40; ++repeat) {
          const int M = 8, N = 9;
          const Floats A = draw.normals(M * K), B = draw.normals(K * N), C = draw.normals(M * N);
          verdicts.add(oracle::matmul_nn(A, B, M, N, K), b32::matmul_nn(m, A, B, M, N, K));
          verdicts.add(oracle::matmul_tn(A, B, C, M, N, K), b32::matmul_tn(m, A, B, C, M, N, K));
        }
      }
      check_wrong(verdicts, "product style " + std::to_string(static_cast<int>(product)));
    }
  }

  TEST_CASE("001 and 003: terms missing, doubled, misplaced; C overwritten or kept") {
    Draw draw(4);
    Machine m({});
    Verdicts missing, doubled, transposed, overwritten, rounded_output;
    for (int repeat = 0; repeat < 300; ++repeat) {
      const int M = draw.integer(2, 6), N = draw.integer(2, 6), K = draw.integer(2, 200);
      const Floats A = draw.normals(M * K), B = draw.normals(K * N), C = draw.normals(M * N);
      const oracle::Bounded want = oracle::matmul_nn(A, B, M, N, K);
      Floats short_A, short_B(B.begin(), B.end() - N);
      for (int i = 0; i < M * K; ++i) {
        if (i % K != K - 1) short_A.push_back(A[static_cast<std::size_t>(i)]);
      }
      missing.add(want, b32::matmul_nn(m, short_A, short_B, M, N, K - 1));
      Floats long_A = A, long_B = B;
      long_A[0] *= 2;  // the first term of the first row twice
      doubled.add(want, b32::matmul_nn(m, long_A, long_B, M, N, K));
      transposed.add(want, b32::matmul_nt(m, A, B, M, N, K));
      overwritten.add(oracle::matmul_tn(A, B, C, M, N, K),
                      b32::matmul_tn(m, A, B, Floats(C.size()), M, N, K));
      Floats half = b32::matmul_nn(m, A, B, M, N, K);
      for (float& c : half) c = round_to_bits(c, 11);
      if (K <= 32) rounded_output.add(want, half);
    }
    check_wrong(missing, "last term missing");
    check_wrong(doubled, "first term doubled", .99);  // a small term among 200
    check_wrong(transposed, "B read transposed");
    check_wrong(overwritten, "C overwritten");
    check_wrong(rounded_output, "output in half precision");
  }

  TEST_CASE("001: denormal sums pass, and so do atomics, which flush them") {
    Draw draw(5);
    Verdicts kept, flushed, lost;
    Machine m({});
    for (int repeat = 0; repeat < 200; ++repeat) {
      const int K = draw.integer(1, 32);
      Floats a = draw.normals(K), b(static_cast<std::size_t>(K));
      for (float& x : a) x = std::ldexp(x, -60);
      for (float& x : b) x = std::ldexp(draw.normal(), -72);
      const oracle::Bounded want = oracle::matmul_nn(a, b, 1, 1, K);
      kept.add(want, b32::matmul_nn(m, a, b, 1, 1, K));
      flushed.add(want, 0);
      // As wrong as that is no sum of normal numbers.
      Floats larger = a;
      for (float& x : larger) x = std::ldexp(x, 20);
      lost.add(oracle::matmul_nn(larger, b, 1, 1, K), 0);
    }
    check_right(kept, "denormal sums");
    check_right(flushed, "denormals flushed to 0");
    check_wrong(lost, "a normal sum lost", .99);
  }

  TEST_CASE("003 and 005: with nothing to add, the old value stays exactly") {
    const Floats C{1.5F, -2, 3e-40F};
    CHECK(oracle::matmul_tn(Floats{}, Floats{}, C, 3, 1, 0).bound == std::vector<double>(3));
    CHECK(oracle::bias_grad(Floats{}, C, 0, 3).bound == std::vector<double>(3));
    CHECK(oracle::bias_grad(Floats{}, C, 0, 3).value[2] == static_cast<double>(3e-40F));
  }

  TEST_CASE("004, 006, 007, 027: one rounding, no more") {
    Draw draw(6);
    Verdicts sum, product, sum_half, product_flushed;
    for (int repeat = 0; repeat < 2000; ++repeat) {
      const Floats a = draw.normals(5), b = draw.normals(5);
      Floats added, multiplied, half;
      for (std::size_t i = 0; i < 5; ++i) {
        added.push_back(a[i] + b[i]);
        multiplied.push_back(a[i] * b[i]);
        half.push_back(round_to_bits(a[i] + b[i], 11));
      }
      sum.add(oracle::elementwise_add(a, b), added);
      sum.add(oracle::bias_add(a, b, 1, 5), added);
      sum_half.add(oracle::elementwise_add(a, b), half);
      product.add(oracle::elementwise_multiply(a, b), multiplied);
      const Floats small{std::ldexp(a[0], -70)}, smaller{std::ldexp(b[0], -70)};
      const oracle::Bounded tiny = oracle::elementwise_multiply(small, smaller);
      product.add(tiny, small[0] * smaller[0]);
      if (std::fabs(tiny.value[0]) > 0x1p-148) product_flushed.add(tiny, 0);
    }
    check_right(sum, "sum of two");
    check_right(product, "product of two");
    check_wrong(sum_half, "sum in half precision");
    check_wrong(product_flushed, "denormal product flushed");
  }

  TEST_CASE("005, 025, 035: column sums in every order") {
    Draw draw(7);
    Verdicts right, missing, overwritten;
    for (const Style& style : product_styles()) {
      Machine m(style);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const int cols = draw.integer(1, 6), rows = draw.integer(1, 300);
        Floats dY = draw.normals(rows * cols);
        if (repeat % 4 == 0) {
          for (float& x : dY) x = .1F;
        }
        const Floats db = draw.normals(cols);
        const oracle::Bounded want = oracle::bias_grad(dY, db, rows, cols);
        right.add(want, b32::column_sums(m, dY, db, cols));
        missing.add(want, b32::column_sums(m, {dY.begin(), dY.end() - cols}, db, cols));
        overwritten.add(want, b32::column_sums(m, dY, Floats(db.size()), cols));
      }
    }
    check_right(right, "column sums");
    check_wrong(missing, "last row missing");
    check_wrong(overwritten, "db overwritten");
  }

  TEST_CASE("026 and 028: combine and its gradient by the gates") {
    Draw draw(8);
    Verdicts out, gates, swapped, one_gate;
    for (const Style& style : product_styles()) {
      Machine m(style);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const int T = draw.integer(1, 5), D = draw.integer(1, 40), K = draw.integer(1, 4);
        const int P = T * K;
        Ints slot(static_cast<std::size_t>(P));
        std::iota(slot.begin(), slot.end(), 0);
        std::shuffle(slot.begin(), slot.end(), draw.engine());
        const Floats Ys = draw.normals(P * D), g = draw.normals(P), dOut = draw.normals(T * D);
        const oracle::Bounded want = oracle::combine_tokens(Ys, slot, g, T, D, K);
        out.add(want, b32::combine_tokens(m, Ys, slot, g, T, D, K));
        one_gate.add(want, b32::combine_tokens(m, Ys, slot, Floats(g.size(), 1), T, D, K));
        gates.add(oracle::combine_backward_gates(dOut, Ys, slot, T, D, K),
                  b32::combine_backward_gates(m, dOut, Ys, slot, T, D, K));
        const Ints inverse = oracle::inverse_permutation(slot);
        if (inverse != slot) {
          const oracle::Bounded other = oracle::combine_tokens(Ys, inverse, g, T, D, K);
          swapped.add(want, Floats(other.value.begin(), other.value.end()));
        }
      }
    }
    check_right(out, "combine");
    check_right(gates, "gate gradients");
    check_wrong(swapped, "the two slot arrays exchanged");
    check_wrong(one_gate, "gates forgotten");
  }
}

}  // namespace
}  // namespace oracle_test
