#!/usr/bin/env bash
# `grade bench` on this checkout's own lesson 001: test_bench.sh GRADE FIXTURES
set -u
grade=$(realpath -- "$1")
root=$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../../..")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export GRADE_ROOT=$root GRADE_PROGRESS=$work/progress.json
unset COLUMNS NO_COLOR GRADE_ASCII

# shellcheck source-path=SCRIPTDIR source=expectations.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/expectations.sh"

# ---- The reference, by hand: a thread an element, 384 warps, each in one row of C ----
expect 0 "$grade" bench 1 --solution --json
has '"status": "passed"'
has '"shape": "M = 128, N = 96, K = 64"'
has '"exact": true'
has '"launches": 1,'
has '"blocks": 48,'
has '"load_requests": 49152,'    # 384 warps, 64 times one of A and one of B
has '"load_sectors": 122880,'    # all lanes read one float of A, and 32 neighbours of B
has '"load_best_sectors": 122880,'
has '"store_sectors": 1536,'     # 128 x 96 floats
has '"bytes_moved": 3981312,'
has '"load_different_sectors": 1792,'  # 128 x 64 and 64 x 96 floats
has '"flops": 1572864,'          # 2 M N K
has '"reference": null'

expect 0 "$grade" bench 1 --solution
has 'one call with M = 128, N = 96, K = 64'
has '49,152'
has 'sectors per load request'
no_escape 'as for a file'
fits 80

# ---- Another file beside it: neighbours of a warp in one column of C ----
sed -e 's|const int row = i / N.*|const int row = i % M, col = i / M;|' -e 's|C\[i\]|C[row * N + col]|' \
  -e '/const int col = i % N/d' "$root/solutions/001_matmul_nn/kernel.cu" >"$work/columns.cu"
expect 0 "$grade" bench 1 --file "$work/columns.cu" --json
has '"store_sectors": 12288,'   # a sector an element
has '"store_best_sectors": 1536,'
expect 0 "$grade" bench 1 --file "$work/columns.cu"
has 'yours'
has 'reference'
has '32'

# ---- What is not right, or does not run ----
expect 1 "$grade" bench 1 --file "$root/lessons/001_matmul_nn/stub.cu"
has 'fails its grader'
echo 'int broken(' >"$work/broken.cu"
expect 3 "$grade" bench 1 --file "$work/broken.cu"
has 'DOES NOT COMPILE'
expect 3 "$grade" bench 1 --file "$work/broken.cu" --json
has '"status": "compile_error"'
expect 2 "$grade" bench 1 --file "$work/nothing.cu"
says 'there is no file'
expect 2 "$grade" bench nonsense
expect 2 "$grade" bench 1 --solution --file "$work/columns.cu"

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'bench behaves'
