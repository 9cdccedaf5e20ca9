#!/usr/bin/env bash
# `grade picture` on this checkout's own lesson 001: test_picture.sh GRADE FIXTURES
set -u
grade=$(realpath -- "$1")
root=$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../../..")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export GRADE_ROOT=$root GRADE_PROGRESS=$work/progress.json
unset COLUMNS NO_COLOR GRADE_ASCII

# shellcheck source-path=SCRIPTDIR source=expectations.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/expectations.sh"
shows() { grep -qF -- "$1" "$page" || fail "the page has no '$1'"; }

# ---- The reference, by hand: 12 threads; two loads of A and B for each k; one store ----
page=$root/.grade/pictures/001_matmul_nn_reference.html
rm -f -- "$page"
expect 0 "$grade" picture 1 --solution
has '5 steps: 0 dearer than need be, 0 barriers'
has '001_matmul_nn_reference.html'
no_escape 'as for a file'
fits 80
[[ -f $page ]] || fail 'no page was written'
(($(stat -c %s "$page") < 300000)) || fail 'the page is heavier than 300 kB'
shows 'lanes 0 to 3 share A[m=0, k=0], lanes 4 to 7 share A[m=1, k=0], lanes 8 to 11 share A[m=2, k=0]'
shows 'lanes 0 to 11 have C[m=0, n=0] to C[m=2, n=3]. 2 sectors, the fewest that would do.'
shows 'M=3, N=4, K=2'
expect 0 "$grade" picture 1 --solution --json
has '"at":[[0,4095,[0,0,0,0,2,2,2,2,4,4,4,4]]]'
has '"version":1'

# ---- A race: all threads add to one element ----
cat >"$work/race.cu" <<'END'
#include "moe/kernels.h"
namespace {
__global__ void race(float* C) {
  C[0] += 1;
}
}  // namespace
void matmul_nn(const float*, const float*, float* C, int, int, int, cudaStream_t stream) {
  race<<<1, 64, 0, stream>>>(C);
}
END
page=$root/.grade/pictures/001_matmul_nn_file.html
expect 1 "$grade" picture 1 --file "$work/race.cu"
has 'the checks report: race'
shows 'C[0] += 1;'
shows '<strong>Race on C[m=0, n=0]: thread'
shows 'data-step='
rm -f -- "$page"

# ---- What does not run ----
echo 'int broken(' >"$work/broken.cu"
expect 3 "$grade" picture 1 --file "$work/broken.cu"
has 'was not drawn: the kernel does not compile'
expect 2 "$grade" picture 1 --file "$work/nothing.cu"
says 'there is no file'
expect 2 "$grade" picture nonsense
expect 2 "$grade" picture 1 --solution --file "$work/race.cu"

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'picture behaves'
