// Lessons 001 to 013: products, bias, elementwise work, activations, row softmax.
//
// All arrays are row-major and contiguous. `C0`, `db0`, … are the contents before the call of an
// output that accumulates.
#pragma once

#include "oracle/bounded.h"

namespace oracle {

Bounded matmul_nn(const Input& A, const Input& B, int M, int N, int K);  // 001: A[M,K] B[K,N]
Bounded matmul_nt(const Input& A, const Input& B, int M, int N, int K);  // 002: A[M,K] B[N,K]^T
// 003: C0[M,N] + A[K,M]^T B[K,N]; the bound holds for any number of partial sums added onto C.
Bounded matmul_tn(const Input& A, const Input& B, const Input& C0, int M, int N, int K);

Bounded bias_add(const Input& X, const Input& b, int rows, int cols);      // 004
Bounded bias_grad(const Input& dY, const Input& db0, int rows, int cols);  // 005

// 006 and 007: one rounding, which the bound of half an ulp allows.
Bounded elementwise_add(const Input& a, const Input& b);
Bounded elementwise_multiply(const Input& a, const Input& b);

// 008 and 009: exact. A NaN stays a NaN forward and stops the gradient backward.
Bounded relu_forward(const Input& x);
Bounded relu_backward(const Input& x, const Input& dy);

// 010: the tanh form. 011: its derivative times dy. From |x| of about 5.4 on, where
// exp(-2|u|) < 2^-30, a kernel must have saturated: what is lost there is at most the value itself.
Bounded gelu_forward(const Input& x);
Bounded gelu_backward(const Input& x, const Input& dy);

// 012: softmax of each row. An entry of -inf gives exactly 0; each row has a finite entry.
Bounded softmax_rows(const Input& x, int rows, int cols);
// 013: y * (dy - <dy, y>) of each row.
Bounded softmax_rows_backward(const Input& y, const Input& dy, int rows, int cols);

}  // namespace oracle
