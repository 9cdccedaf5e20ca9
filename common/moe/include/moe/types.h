// The types that the host side of the layer passes around. Every pointer is device memory.
#pragma once

enum class Activation { relu, gelu };

// Sizes and choices of one layer. 1 <= E <= 1024, 1 <= K <= min(E, 16), T >= 0, D and H >= 1.
struct MoeConfig {
  int T;  // tokens
  int D;  // model width
  int H;  // hidden width of an expert
  int E;  // experts
  int K;  // experts per token
  Activation activation;
  float aux_alpha;  // weight of the load-balancing loss
};

// The learned arrays, or their gradients: both have these shapes.
struct MoeParams {
  float* Wg;  // [D,E]
  float* W1;  // [E,D,H]
  float* b1;  // [E,H]
  float* W2;  // [E,H,D]
  float* b2;  // [E,D]
};

// Every buffer that the forward saves for the backward, and scratch. P = T*K.
struct MoeWorkspace {
  float* logits;      // [T,E]
  float* probs;       // [T,E]
  int* experts;       // [T,K]
  float* gates;       // [T,K]
  int* counts;        // [E]
  int* offsets;       // [E+1]
  int* slot_of_pair;  // [P]
  int* pair_of_slot;  // [P]
  float* Xs;          // [P,D]
  float* Z;           // [P,H]
  float* A;           // [P,H]
  float* Ys;          // [P,D]
  float* fractions;   // [E]
  float* mean_probs;  // [E]
  float* dgates;      // [T,K]
  float* dprobs;      // [T,E]
  float* dlogits;     // [T,E]
  float* dYs;         // [P,D]
  float* dA;          // [P,H]
  float* dZ;          // [P,H]
  float* dXs;         // [P,D]
  float* dX_router;   // [T,D]
  float* losses;      // [2]: mse, aux
};
