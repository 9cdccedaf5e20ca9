// The fifty-two functions of the workbook, one a lesson, and nothing else.
//
// Conventions (docs/conventions.md has them in full): device pointers, row-major, contiguous;
// T tokens, D model width, H hidden width, E experts, K experts a token, P = T*K pairs.
// A pair is p = t*K + j. A slot is a row of the expert-major buffer: expert e owns
// offsets[e] .. offsets[e+1]-1. Every launch and copy goes on `stream`.
#pragma once

#include <cuda_runtime.h>

#include "moe/types.h"

// ---- Part 1: CUDA building blocks ----

// 001: C[M,N] = A[M,K] B[K,N]
void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream);

// 002: C[M,N] = A[M,K] B[N,K]^T (input gradients)
void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream);

// 003: C[M,N] += A[K,M]^T B[K,N] (weight gradients accumulate)
void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream);

// 004: Y[r,c] = X[r,c] + b[c]; Y == X allowed
void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream);

// 005: db[c] += sum_r dY[r,c]
void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream);

// 006: out = a + b; may alias
void elementwise_add(const float* a, const float* b, float* out, int n, cudaStream_t stream);

// 007: out = a * b elementwise; may alias
void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream);

// 008: y = max(x, 0), NaN stays NaN
void relu_forward(const float* x, float* y, int n, cudaStream_t stream);

// 009: dx = dy where x > 0, else exactly 0, whatever dy and also for a NaN x
void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream);

// 010: tanh GELU
void gelu_forward(const float* x, float* y, int n, cudaStream_t stream);

// 011: dx = dy * gelu'(x); finite for abs(x) up to 1e4 (forward: 1e20)
void gelu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream);

// 012: stable softmax of each row; -inf entries give 0
void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream);

// 013: dx = y * (dy - <dy, y>) per row; y is a softmax output
void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream);

// ---- Part 2: top-k gating utilities ----

// 014: the k largest of each row, descending, lower index first on ties; 1 <= k <= cols, k <= 16;
// the k indices are always distinct, rows of -inf included
void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream);

// 015: gates = values / sum(values) per row; values of any sign, sum(values) >= 2^-60 and sum
// abs(values) <= 16 sum(values), k <= 16
void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream);

// 016: dv_i = (dg_i - sum_j dg_j g_j) / s
void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream);

// ---- Part 3: router ----

// 017: logits = X Wg; E is small, so the product is tall and narrow
void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream);

// 018: row softmax, a warp per token
void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream);

// 019: top-K of each row and the K values renormalised; when softmax saturates, exact ties (even
// at 0) follow the tie rule, and a chosen gate may be 0
void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream);

// 020: gates → probs (+ dprobs_aux, may be null) → logits; experts are the distinct top-K of
// probs; dlogits is an output; may call 002 and 003 after its own row kernel; dWg += X^T dlogits;
// dX = dlogits Wg^T
void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream);

// ---- Part 4: token dispatch and combine ----

// 021: how many pairs chose each expert
void count_tokens(const int* experts, int* counts, int pairs, int E, cudaStream_t stream);

// 022: exclusive scan, offsets[E] = total
void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream);

// 023: the stable slot of each pair and its inverse; offsets is the scan of the counts of these
// experts
void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream);

// 024: Xs[s] = X[pair_of_slot[s] / K]
void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream);

// 025: dX[t] = sum_j dXs[slot_of_pair[t*K+j]]
void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream);

// 026: out[t] = sum_j gates[t,j] Ys[slot(t,j)]
void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream);

// 027: dYs[s] = gates[p] dOut[p/K], p = pair_of_slot[s]
void combine_backward_experts(const float* dOut, const float* gates, const int* pair_of_slot,
                              float* dYs, int T, int D, int K, cudaStream_t stream);

// 028: dgates[t,j] = <dOut[t], Ys[slot(t,j)]>
void combine_backward_gates(const float* dOut, const float* Ys, const int* slot_of_pair,
                            float* dgates, int T, int D, int K, cudaStream_t stream);

// ---- Part 5: expert MLP forward and backward ----

// 029: Z[rows of e] = Xs[rows of e] W1[e], one grouped launch
void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream);

// 030: Z[rows of e] += b1[e], in place
void expert_up_bias(float* Z, const float* b1, const int* offsets, int P, int E, int H,
                    cudaStream_t stream);

// 031: A = act(Z) by 008 or 010; Z is kept for the backward
void expert_activation(const float* Z, float* A, int n, Activation act, cudaStream_t stream);

// 032: Ys[rows of e] = A[rows of e] W2[e]
void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream);

// 033: Ys[rows of e] += b2[e], in place
void expert_down_bias(float* Ys, const float* b2, const int* offsets, int P, int E, int D,
                      cudaStream_t stream);

// 034: the five steps, in order (Z includes the bias); what is launched is free, the outputs are
// the contract
void expert_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                    float* A, float* Ys, int P, int E, int D, int H, Activation act,
                    cudaStream_t stream);

// 035: db2[e] += column sums of its rows
void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream);

// 036: dW2[e] += A_e^T dYs_e
void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream);

// 037: dA_e = dYs_e W2[e]^T
void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream);

// 038: dZ = dA * act'(Z)
void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream);

// 039: dW1[e] += Xs_e^T dZ_e, db1[e] += column sums
void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream);

// 040: 035 to 039, then dXs_e = dZ_e W1[e]^T; the last product is expert_hidden_grad(dZ, W1,
// offsets, dXs, P, E, D, H), widths swapped; dA and dZ are left as 037 and 038 define them;
// grads.Wg is not touched
void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream);

// ---- Part 6: load-balancing auxiliary loss ----

// 041: f_e = counts[e] / pairs; 0 when pairs is 0
void dispatch_fractions(const int* counts, float* fractions, int pairs, int E, cudaStream_t stream);

// 042: means[e] = P_e, the mean over the tokens of expert e's probability; 0 when T is 0
void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream);

// 043: *loss = alpha E sum f_e P_e
void aux_loss(const float* fractions, const float* means, float* loss, int E, float alpha,
              cudaStream_t stream);

// 044: dprobs[t,e] = alpha E f_e / T
void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream);

// ---- Part 7: loss, optimizer and training loop ----

// 045: mean squared error; 0 when n is 0
void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream);

// 046: dy = 2 (y - target) / n
void mse_loss_backward(const float* y, const float* target, float* dy, int n, cudaStream_t stream);

// 047: every gradient buffer to 0
void zero_grads(const MoeParams& grads, const MoeConfig& config, cudaStream_t stream);

// 048: w -= lr g
void sgd_update(float* w, const float* g, int n, float lr, cudaStream_t stream);

// 049: router → dispatch → experts → combine; afterwards every forward field of ws, from logits to
// mean_probs, holds its lesson's value (Z with its bias), and ws.losses[1] = aux; ws.losses[0] is
// unspecified; gradient fields may serve as scratch
void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream);

// 050: the exact reverse, the auxiliary loss included; dX = dispatch part + router part; the saved
// forward fields of ws are read-only, its gradient fields are scratch, losses stays
void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream);

// 051: zero, forward, loss (ws.losses[0]), backward, update
void train_step(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, cudaStream_t stream);

// 052: loss_history[2*s], [2*s+1] (device memory) = mse and aux of step s, before its update;
// afterwards params are those after the last update, and out, dOut, dX, grads and ws.losses are
// the last step's. May capture a step on stream as a graph (graph objects are not allocations
// here) and fall back to plain calls where stream is null or already capturing; the copies into
// the history stay outside the graph
void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream);
