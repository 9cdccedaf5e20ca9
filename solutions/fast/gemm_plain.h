// 001 to 003: one product, of which each block has a tile.
#pragma once

#include "gemm.h"

namespace fast {

struct PlainProduct {
  const float* A;
  const float* B;
  float* C;
  int stride_a, stride_b;
  int M, N, K;

  GemmOperand a() const { return {A, stride_a}; }
  GemmOperand b() const { return {B, stride_b}; }
  ProductShape shape() const { return {1, M, N}; }

  template <class Tile>
  unsigned blocks() const {
    return static_cast<unsigned>(tiles_of<Tile>(M, N));
  }

  template <class Tile>
  __device__ bool find(int block, GemmTask& task) const {
    const TilePlace place = place_of(block, Tile::down(M), Tile::across(N));
    task = {A,
            B,
            C,
            stride_a,
            stride_b,
            M,
            N,
            K,
            place.down * Tile::kRows,
            place.across * Tile::kCols,
            nullptr};
    return true;
  }
};

}  // namespace fast
