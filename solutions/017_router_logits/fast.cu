// 017 router_logits, fast: a thread computes a small rectangle of the logits from registers.
//
// The clear version loads an element of X and one of Wg for each product. Here a thread has 8
// tokens x 8 experts: 16 numbers from shared memory for 64 products. The next chunks of both
// matrices are copied to shared memory while one is used, three stages and one barrier a chunk;
// with 32 columns a chunk there are few of these. T x E is small beside T x D, so two teams of a
// block share a chunk's columns and add up at the end: twice the warps for the same tile. Blocks
// are small, so that a multiprocessor has several, and one computes while another waits at its
// barrier. Where that would leave multiprocessors idle, or E is narrow, tiles are smaller.
#include "../fast/copy_ahead.h"
#include "../fast/shared_memory.h"
#include "moe/kernels.h"

namespace {

constexpr int kTeams = 2;
constexpr int kAlongExperts = 8;
constexpr int kStages = 3;

// A team has `along` threads along the tokens x 8 along the experts. A thread has `tokens` x
// `experts` logits; a stage holds `columns` of X. Memory is read `width` floats at a time.
template <int along, int tokens, int experts, int columns, int width>
struct Tile {
  static constexpr int kTeam = along * kAlongExperts;
  static constexpr int kThreads = kTeams * kTeam;
  static constexpr int kTokens = tokens * along;
  static constexpr int kExperts = experts * kAlongExperts;
  static constexpr int kRow = columns + 4;  // so that rows begin in different banks
  static constexpr int kOfX = kTokens * kRow;
  static constexpr int kStage = kOfX + columns * kExperts;
  static constexpr int kVector = experts < 4 ? experts : 4;  // neighbouring experts of a thread

  // Of the block's tile, the expert of this thread's j-th logits.
  static __device__ int expert_of(int x, int j) {
    return j / kVector * (kVector * kAlongExperts) + x * kVector + j % kVector;
  }

  static __device__ void fill(float* stage, const float* X, const float* Wg, int begin, int T,
                              int D, int E) {
    const int first_token = blockIdx.x * kTokens;
    const int first_expert = blockIdx.y * kExperts;
    constexpr int kOfRow = columns / width;
#pragma unroll
    for (int i = threadIdx.x; i < kTokens * kOfRow; i += kThreads) {
      const int row = i / kOfRow;
      const int column = i % kOfRow * width;
      const bool there = first_token + row < T && begin + column < D;
      fast::copy_ahead<width>(stage + row * kRow + column,
                              there ? X + (first_token + row) * D + begin + column : X, there);
    }
    constexpr int kOfColumn = kExperts / width;
#pragma unroll
    for (int i = threadIdx.x; i < columns * kOfColumn; i += kThreads) {
      const int column = i / kOfColumn;
      const int expert = i % kOfColumn * width;
      const bool there = begin + column < D && first_expert + expert < E;
      fast::copy_ahead<width>(stage + kOfX + column * kExperts + expert,
                              there ? Wg + (begin + column) * E + first_expert + expert : Wg,
                              there);
    }
  }

  // The products of this team's half of the columns.
  static __device__ void multiply(float (&sum)[tokens][experts], const float* stage, int team,
                                  int x, int y) {
    constexpr int kHalf = columns / kTeams;
#pragma unroll
    for (int step = 0; step < kHalf; step += 4) {
      const int column = team * kHalf + step;
      float of_x[tokens][4];
#pragma unroll
      for (int i = 0; i < tokens; ++i) {
        fast::load<4>(of_x[i], stage + (y + i * along) * kRow + column);
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float of_w[experts];
#pragma unroll
        for (int j = 0; j < experts; j += kVector) {
          fast::load<kVector>(of_w + j, stage + kOfX + (column + k) * kExperts + expert_of(x, j));
        }
#pragma unroll
        for (int i = 0; i < tokens; ++i) {
#pragma unroll
          for (int j = 0; j < experts; ++j) sum[i][j] = fmaf(of_x[i][k], of_w[j], sum[i][j]);
        }
      }
    }
  }
};

template <int along, int tokens, int experts, int columns, int width>
__global__ void __launch_bounds__(kTeams* along* kAlongExperts)
router_logits_kernel(const float* X, const float* Wg, float* logits, int T, int D, int E) {
  using Tile = Tile<along, tokens, experts, columns, width>;
  constexpr int kTeam = Tile::kTeam;
  // The stages; at the end, what the second team found.
  extern __shared__ float4 dynamic_memory[];
  float* const memory = reinterpret_cast<float*>(dynamic_memory);
  static_assert(kStages * Tile::kStage >= kTeam * tokens * experts);

  const int team = threadIdx.x / kTeam;
  const int member = threadIdx.x % kTeam;
  const int x = member % kAlongExperts;
  const int y = member / kAlongExperts;
  const int chunks = (D + columns - 1) / columns;

  // One commit for each stage, also where no columns are left: waiting counts them.
  for (int chunk = 0; chunk < kStages - 1; ++chunk) {
    if (chunk < chunks) Tile::fill(memory + chunk * Tile::kStage, X, Wg, chunk * columns, T, D, E);
    __pipeline_commit();
  }
  float sum[tokens][experts] = {};
  for (int chunk = 0; chunk < chunks; ++chunk) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // this chunk is there, and the one before has been read by everybody
    const int ahead = chunk + kStages - 1;
    if (ahead < chunks) {
      Tile::fill(memory + ahead % kStages * Tile::kStage, X, Wg, ahead * columns, T, D, E);
    }
    __pipeline_commit();
    Tile::multiply(sum, memory + chunk % kStages * Tile::kStage, team, x, y);
  }
  __syncthreads();

  if (team == 1) {
#pragma unroll
    for (int i = 0; i < tokens * experts; ++i) {
      memory[i * kTeam + member] = sum[i / experts][i % experts];
    }
  }
  __syncthreads();
  if (team == 1) return;
#pragma unroll
  for (int i = 0; i < tokens; ++i) {
    const int token = blockIdx.x * Tile::kTokens + y + i * along;
    if (token >= T) continue;
#pragma unroll
    for (int j = 0; j < experts; ++j) {
      sum[i][j] += memory[(i * experts + j) * kTeam + member];
      const int expert = blockIdx.y * Tile::kExperts + Tile::expert_of(x, j);
      if (expert < E) logits[token * E + expert] = sum[i][j];
    }
  }
}

// False, and nothing done, on a GPU whose blocks get less shared memory.
template <int along, int tokens, int experts, int columns>
bool launch(const float* X, const float* Wg, float* logits, int T, int D, int E,
            cudaStream_t stream) {
  using Tile = Tile<along, tokens, experts, columns, 4>;
  const bool vectors = D % 4 == 0 && E % 4 == 0 && fast::aligned(X, Wg);
  const auto kernel = vectors ? router_logits_kernel<along, tokens, experts, columns, 4>
                              : router_logits_kernel<along, tokens, experts, columns, 1>;
  constexpr int kBytes = kStages * Tile::kStage * static_cast<int>(sizeof(float));
  if (!fast::gets_shared_memory(kernel, kBytes)) return false;
  const dim3 grid((T - 1) / Tile::kTokens + 1, (E - 1) / Tile::kExperts + 1);
  kernel<<<grid, Tile::kThreads, kBytes, stream>>>(X, Wg, logits, T, D, E);
  return true;
}

// Fewer blocks than this leave a large GPU half empty: it has room for three a multiprocessor.
constexpr int kEnoughBlocks = 192;

}  // namespace

void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;

  const int large_tiles = (T / 64) * ((E + 63) / 64);
  if (E <= 16) {
    launch<16, 2, 2, 64>(X, Wg, logits, T, D, E, stream);
  } else if (large_tiles < kEnoughBlocks || !launch<8, 8, 8, 32>(X, Wg, logits, T, D, E, stream)) {
    launch<16, 2, 8, 32>(X, Wg, logits, T, D, E, stream);
  }
}
