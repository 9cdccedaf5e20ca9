// CUB's block and warp collectives.
#include "construct.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

template <int Block>
__global__ void reductions(const int* in, int* out, int valid) {
  using Reduce = cub::BlockReduce<int, Block>;
  __shared__ typename Reduce::TempStorage temp;
  const int x = in[threadIdx.x];
  const int sum = Reduce(temp).Sum(x);
  __syncthreads();
  const int most = Reduce(temp).Reduce(x, Larger());
  __syncthreads();
  const int part = Reduce(temp).Sum(x, valid);
  __syncthreads();
  int items[2] = {x, 1};
  const int two = Reduce(temp).Sum(items);
  __syncthreads();
  const int least = Reduce(temp).Reduce(x, cuda::minimum<>{}, valid);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = most;
    out[2] = part;
    out[3] = two;
    out[4] = least;
  }
}

__global__ void scans(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 96>;
  __shared__ union {
    Scan::TempStorage scan;
    int other;
  } temp;
  const int t = static_cast<int>(threadIdx.x);
  int x = in[t], result = 0, total = 0;
  Scan(temp.scan).InclusiveSum(x, result);
  out[t] = result;
  __syncthreads();
  Scan(temp.scan).ExclusiveSum(x, result, total);
  out[t] += result + total;
  __syncthreads();
  Scan(temp.scan).ExclusiveScan(x, result, -5, Larger());
  out[t] += result;
  __syncthreads();
  Running prefix{100};
  for (int round = 0; round < 2; ++round) {
    Scan(temp.scan).ExclusiveSum(x, result, prefix);
    out[t] += result;
    __syncthreads();
  }
  int items[3] = {x, x, x};
  Scan(temp.scan).ExclusiveSum(items, items, total);
  out[t] += items[1] + total;
  __syncthreads();
  int more[2] = {1, 2};
  Scan(temp.scan).InclusiveSum(more, more);
  out[t] += more[0];
}

__global__ void warps(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int, 16>;
  __shared__ Reduce::TempStorage reduce[2];
  __shared__ Scan::TempStorage scan[4];
  const int t = static_cast<int>(threadIdx.x);
  const int sum = Reduce(reduce[t / 32]).Sum(in[t]);
  const int most = Reduce(reduce[t / 32]).Reduce(in[t], Larger(), 10);
  int inclusive = 0, exclusive = 0, total = 0;
  Scan(scan[t / 16]).InclusiveSum(in[t], inclusive);
  Scan(scan[t / 16]).ExclusiveSum(in[t], exclusive, total);
  out[t] = inclusive + exclusive + total;
  if (t % 32 == 0) out[t] += 1000 * sum + 1000000 * most;
}

template <cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
__global__ void move(const int* in, int* out, int valid) {
  using Loader = cub::BlockLoad<int, 64, 4, Load>;
  using Storer = cub::BlockStore<int, 64, 4, Store>;
  __shared__ union {
    typename Loader::TempStorage load;
    typename Storer::TempStorage store;
  } temp;
  int items[4];
  if (valid == 256) {
    Loader(temp.load).Load(in, items);
  } else {
    Loader(temp.load).Load(in, items, valid, -1);
  }
  __syncthreads();
  for (int& item : items) item = 2 * item;
  if (valid == 256) {
    Storer(temp.store).Store(out, items);
  } else {
    Storer(temp.store).Store(out, items, valid);
  }
}

template <cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
void check_move(const int* in, int* out) {
  for (int valid : {256, 101}) {
    CHECK(cudaMemset(out, 0, 256 * sizeof(int)) == cudaSuccess);
    move<Load, Store><<<1, 64>>>(in, out, valid);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    int host[256];
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 256; ++i) CHECK(host[i] == (i < valid ? 2 * i : 0));
  }
}

int main() {
  int* in = device_ints(256);
  int* out = device_ints(256);
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);

  reductions<128><<<1, 128>>>(in, out, 50);
  const int sum = 128 * 127 / 2;
  CHECK(value_at(out, 0) == sum && value_at(out, 1) == 127 && value_at(out, 2) == 50 * 49 / 2);
  CHECK(value_at(out, 3) == sum + 128 && value_at(out, 4) == 0);
  reductions<48><<<1, 48>>>(in, out, 40);
  CHECK(value_at(out, 0) == 48 * 47 / 2 && value_at(out, 1) == 47 && value_at(out, 2) == 40 * 39 / 2);
  reductions<32><<<1, 32>>>(in, out, 3);
  CHECK(value_at(out, 0) == 31 * 16 && value_at(out, 2) == 3);

  scans<<<1, 96>>>(in, out);
  const int total = 96 * 95 / 2;
  for (int t : {0, 1, 31, 32, 63, 95}) {
    const int before = t * (t - 1) / 2;
    const int most = t == 0 ? -5 : t - 1;
    const int expected = before + t + before + total + most + 2 * before + 200 + total + 3 * before + t +
                         3 * total + 3 * t + 1;
    CHECK(value_at(out, t) == expected);
  }

  warps<<<1, 64>>>(in, out);
  CHECK(value_at(out, 0) == 120 + 1000 * 496 + 9000000);
  CHECK(value_at(out, 18) == 16 + 17 + 18 + 16 + 17 + 376);

  check_move<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(in, out);
  check_move<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(in, out);
  check_move<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(in, out);
  check_move<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, out);
  check_move<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out);
  check_move<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(in, out);
}
