// The products of all experts in one launch. Only the device knows how many rows each expert has.
#pragma once

#include "gemm.h"

namespace fast {

// out[rows of e] = in[rows of e] W[e], or times W[e] transposed.
//
// Row tiles are numbered without a scan over the experts: those of e begin at number
// offsets[e] / kRows + e, which leaves it as many as it can need, one more at most. A block finds
// its expert by bisection; experts that have many rows have many blocks, and the blocks of a number
// too many end at once.
struct ExpertRows {
  const float* in;
  const float* W;
  const int* offsets;
  float* out;
  int P, E, cols, depth;  // of out, and of the sum
  int stride_w;

  GemmOperand a() const { return {in, depth}; }
  GemmOperand b() const { return {W, stride_w}; }
  ProductShape shape() const { return {E, (P - 1) / E + 1, cols}; }

  template <class Tile>
  unsigned blocks() const {
    return static_cast<unsigned>((P / Tile::kRows + E) * Tile::across(cols));
  }

  template <class Tile>
  __device__ bool find(int block, GemmTask& task) const {
    const TilePlace place = place_of(block, P / Tile::kRows + E, Tile::across(cols));
    int e = 0;
    for (int past = E; past - e > 1;) {
      const int middle = (e + past) / 2;
      if (offsets[middle] / Tile::kRows + middle <= place.down) {
        e = middle;
      } else {
        past = middle;
      }
    }
    const int begin = offsets[e], rows = offsets[e + 1] - begin;
    const int first = begin / Tile::kRows + e, next = (begin + rows) / Tile::kRows + e + 1;
    // The number too many is the first one.
    const int tile = place.down - first - (next - first - (rows + Tile::kRows - 1) / Tile::kRows);
    if (tile < 0) return false;
    task = {in + static_cast<std::size_t>(begin) * depth,
            W + static_cast<std::size_t>(e) * depth * cols,
            out + static_cast<std::size_t>(begin) * cols,
            depth,
            stride_w,
            rows,
            cols,
            depth,
            tile * Tile::kRows,
            place.across * Tile::kCols,
            nullptr};
    return true;
  }
};

// dW[e] += in_e^T dout_e, and column sums of dout_e into db[e], unless db is null.
struct ExpertWeightGrads {
  const float* in;    // [P,M]
  const float* dout;  // [P,N]
  const int* offsets;
  float* dW;  // [E,M,N]
  float* db;  // [E,N]
  int E, M, N;

  GemmOperand a() const { return {in, M}; }
  GemmOperand b() const { return {dout, N}; }
  ProductShape shape() const { return {E, M, N}; }

  template <class Tile>
  unsigned blocks() const {
    return static_cast<unsigned>(E * tiles_of<Tile>(M, N));
  }

  template <class Tile>
  __device__ bool find(int block, GemmTask& task) const {
    const int down = Tile::down(M), across = Tile::across(N);
    const int e = block / (down * across);
    const int begin = offsets[e], rows = offsets[e + 1] - begin;
    if (rows == 0) return false;
    const TilePlace place = place_of(block - e * down * across, down, across);
    task = {in + static_cast<std::size_t>(begin) * M, dout + static_cast<std::size_t>(begin) * N,
            dW + static_cast<std::size_t>(e) * M * N, M, N, M, N, rows, place.down * Tile::kRows,
            place.across * Tile::kCols,
            // The first row of tiles sees every column.
            db == nullptr || place.down > 0 ? nullptr : db + static_cast<std::size_t>(e) * N};
    return true;
  }
};

}  // namespace fast
