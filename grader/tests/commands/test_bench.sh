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

# The counts, also where there is a GPU.
count=("$grade" bench --backend cpu)

# ---- The reference, by hand: a thread an element, 384 warps, each in one row of C ----
expect 0 "${count[@]}" 1 --solution --json
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

expect 0 "${count[@]}" 1 --solution
has 'one call with M = 128, N = 96, K = 64'
has '49,152'
has 'sectors per load request'
no_escape 'as for a file'
fits 80

# ---- Another file beside it: neighbours of a warp in one column of C ----
sed -e 's|const int row = i / N.*|const int row = i % M, col = i / M;|' -e 's|C\[i\]|C[row * N + col]|' \
  -e '/const int col = i % N/d' "$root/solutions/001_matmul_nn/kernel.cu" >"$work/columns.cu"
expect 0 "${count[@]}" 1 --file "$work/columns.cu" --json
has '"store_sectors": 12288,'   # a sector an element
has '"store_best_sectors": 1536,'
expect 0 "${count[@]}" 1 --file "$work/columns.cu"
has 'yours'
has 'reference'
has '32'

# ---- What is not right, or does not run ----
expect 1 "${count[@]}" 1 --file "$root/lessons/001_matmul_nn/stub.cu"
has 'fails its grader'
echo 'int broken(' >"$work/broken.cu"
expect 3 "${count[@]}" 1 --file "$work/broken.cu"
has 'DOES NOT COMPILE'
# The command that repeats a run grades the same file, in whatever folder it lies and whatever its name is.
odd=$'it\'s $(here) \e[31m'
mkdir "$work/$odd"
echo 'void matmul_nn(const float*, const float*, float*, int, int, int, cudaStream_t) { for (volatile int i = 0;;) (void)i; }' \
  >"$work/$odd/endless.cu"
(
  cd "$work/$odd" || exit 1
  cp endless.cu ./-endless.cu
)
expect 4 env GRADE_COMMAND=./grade "${count[@]}" 1 --timeout 2 --file "$work/$odd/endless.cu"
has "./grade 1 --file \$'$work/it\\'s \$(here) \\x1b[31m/endless.cu' --backend cpu --timeout 2 --seed "
no_escape 'a name with an escape byte'
again=$(sed -n 's|^ *\./grade \(1 --file .*\)|\1|p' <<<"$out")
(
  eval "set -- $again"
  [[ $3 == "$work/$odd/endless.cu" ]]
) || fail 'the command is not what a shell reads back' "$again"
cd "$work/$odd" || exit 1
expect 4 "${count[@]}" 1 --timeout 2 --file=-endless.cu
has 'grade 1 --file ./-endless.cu --backend cpu --timeout 2 --seed '
cd / || exit 1
expect 3 "${count[@]}" 1 --file "$work/broken.cu" --json
has '"status": "compile_error"'
expect 2 "${count[@]}" 1 --file "$work/nothing.cu"
says 'there is no file'
expect 2 "${count[@]}" nonsense
expect 2 "${count[@]}" 1 --solution --file "$work/columns.cu"

# ---- On a GPU: a program stands in for the benchmark, and a workbook of links for the checkout ----
mine=$work/mine
lesson=lessons/004_bias_add
mkdir -p -- "$mine/$lesson"
for each in "$root"/*; do
  case ${each##*/} in lessons | progress.json*) ;; *) ln -s -- "$each" "$mine/" ;; esac
done
for each in "$root"/lessons/*; do
  [[ ${each##*/} == 004_bias_add ]] || ln -s -- "$each" "$mine/lessons/"
done
for each in lesson.md stub.cu grader.cpp bench.cpp; do ln -s -- "$root/$lesson/$each" "$mine/$lesson/"; done
cp -- "$root/solutions/004_bias_add/kernel.cu" "$mine/$lesson/kernel.cu"
export GRADE_ROOT=$mine GRADE_BENCH_PROGRAM=$work/program

# program LINES...: a benchmark that sends these messages, less the nonce; `end` closes a run in which all was right,
# `bad` one in which something was wrong; anything in parentheses is run.
program() {
  {
    echo '#!/usr/bin/env bash'
    echo 'read -r nonce'
    printf 'printf "%%s\\n" "$@" >%q\n' "$work/arguments"
    # shellcheck disable=SC2016 # for the program
    printf '%s\n' 'say() { printf "{\"nonce\":\"%s\",%s}\n" "${2-$nonce}" "$1" >&"$GRADE_VERDICT_FD"; }'
    for each in "$@"; do
      case $each in
        end) printf 'say %q; say %q\n' '"type":"case","name":"timing","status":"passed"' '"type":"end"' ;;
        bad) printf 'say %q; say %q; exit 1\n' '"type":"case","name":"timing","status":"failed"' '"type":"end"' ;;
        \(*) printf '%s\n' "$each" ;;
        *) printf 'say %q\n' "$each" ;;
      esac
    done
  } >"$GRADE_BENCH_PROGRAM"
  chmod +x -- "$GRADE_BENCH_PROGRAM"
}
start='"type":"start","seed":1,"cases":["timing"]'
timing() { printf '"type":"timing","timing":%s' "$1"; }
head=$(timing '{"machine":{"gpu":"Test GPU"},"ceilings":{"copy_bytes_per_second":4e12,"read_bytes_per_second":4.4e12,"fill_bytes_per_second":4.2e12,"flops_per_second":5e13,"product_flops_per_second":0},"smoke":false}')
# sample NAME MEDIAN ROOFLINE, wrong NAME WHY: a subject of a case. measured SHAPE SUBJECTS: a case.
sample() { printf '{"subject":"%s","wrong":"","median":%s,"lower":%s,"upper":%s,"samples":[1,2],"of_roofline":%s}' "$1" "$2" "$2" "$2" "$3"; }
wrong() { printf '{"subject":"%s","wrong":"%s"}' "$1" "$2"; }
measured() {
  timing "{\"function\":\"bias_add\",\"shape\":\"$1\",\"method\":\"cold\",\"bytes_read\":4e8,\"bytes_written\":4e8,\"flops\":1e8,\"least_seconds\":2e-4,\"subjects\":[$2]}"
}
reference=$(sample reference 0.0004 0.5)

program "$start" "$head" "$(measured 'rows = 2, cols = 3' "$reference,$(sample cuBLAS 0.0005 0.4),$(sample yours 0.0002 0.97)")" end
expect 0 "$grade" bench 4
has "timed: $lesson/kernel.cu on Test GPU"
has 'bias_add with rows = 2, cols = 3'
has '  yours           200 µs    0.0 %     4,000 GB/s       2.00      97 %'
has '  reference       400 µs    0.0 %     2,000 GB/s       1.00      50 %'
has '  cuBLAS          500 µs'
has 'copied 4.00 TB/s, read 4.40 and wrote 4.20'
has 'Your best with rows = 2, cols = 3 on Test GPU: 200 µs'
has 'bench 4 --backend cpu'
no_escape 'as for a file'
fits 80
grep -qx -- "yours=$mine/.grade/cache/.*/kernel.so" "$work/arguments" || fail 'the own kernel was not given to the program' "$(cat "$work/arguments")"
grep -qx -- "reference=$mine/build/cpu/kernels/reference_004_bias_add.so" "$work/arguments" || fail 'the reference was not given'
expect 0 "$grade" progress
has 'Best times on Test GPU'
has '004  rows = 2, cols = 3: 200 µs, 2.00 times as fast as the reference'

expect 0 "$grade" bench 4 --json --seed 7
python3 -c '
import json, sys
report = json.load(sys.stdin)
yours = [each for each in report["cases"][0]["subjects"] if each["subject"] == "yours"][0]
assert (report["device"], report["status"], report["seed"]) == ("Test GPU", "passed", 7), report
assert (yours["times_as_fast"], yours["of_roofline"], yours["bytes_per_second"]) == (2, 0.97, 4e12), yours
' <<<"$out" || fail 'the JSON is not what it should be' "$out"
grep -qx -- 7 "$work/arguments" || fail 'the seed was not given to the program'

# Slower, or another file, or the reference: the best stays. Faster: it is replaced.
best() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["lessons"]["004_bias_add"]["times"]["Test GPU"]["rows = 2, cols = 3"]["seconds"])' "$GRADE_PROGRESS"; }
times() { program "$start" "$head" "$(measured 'rows = 2, cols = 3' "$reference,$(sample yours "$1" 0.5)")" end; }
times 0.0003
expect 0 "$grade" bench 4
hasnt 'Your best'
[[ $(best) == 0.0002 ]] || fail 'a slower run changed the best time'
times 0.0001
expect 0 "$grade" bench 4 --file "$root/solutions/004_bias_add/kernel.cu"
hasnt 'Your best'
expect 0 "$grade" bench 4 --solution
! grep -q -- '^yours=' "$work/arguments" || fail '--solution times the own kernel'
[[ $(best) == 0.0002 ]] || fail 'another file changed the best time'
expect 0 "$grade" bench 4
has 'Your best with rows = 2, cols = 3 on Test GPU: 100 µs, before 200 µs'
[[ $(best) == 0.0001 ]] || fail 'a faster run is not recorded'

# Wrong, above the roofline, forged, cut short: no time, and no record.
program "$start" "$head" "$(measured 'rows = 2, cols = 3' "$reference,$(wrong yours 'array 1: element 6 is 1, expected 2')")" bad
expect 1 "$grade" bench 4
has 'yours: array 1: element 6 is 1, expected 2'
has 'A time counts only with right results'
program "$start" "$head" "$(measured 'rows = 2, cols = 3' "$reference,$(wrong yours 'faster than this machine can be')")" bad
expect 1 "$grade" bench 4
has 'yours: faster than this machine can be'
fast=$(measured 'rows = 2, cols = 3' "$reference,$(sample yours 0.000001 0.9)")
program "$start" "$head" "($(printf 'say %q guess' "$fast"))" end
expect 1 "$grade" bench 4
has 'Nothing was timed'
hasnt '1.00 µs'
program "$start" "$head" "$fast" '(kill -SEGV $$)'
expect 4 "$grade" bench 4
has 'SIGSEGV'
program "$start" "$head" "$fast" '(sleep 60)'
expect 4 "$grade" bench 4 --timeout 1
has 'still running after 1 s'
program "$start" "$head" "$fast" '(exit 0)'
expect 4 "$grade" bench 4
program '"type":"unusable","text":"no CUDA-capable device is detected"'
expect 5 "$grade" bench 4
has 'no CUDA-capable device is detected'
program '"type":"load_error","text":"undefined symbol"'
expect 3 "$grade" bench 4
[[ $(best) == 0.0001 ]] || fail 'a run that proves nothing changed the best time'

# What does not compile is told as a run tells it, and no program starts.
rm -f -- "$work/arguments"
times 0.0001
expect 3 "$grade" bench 4 --file "$work/broken.cu"
has 'DOES NOT COMPILE'
expect 3 "$grade" bench 4 --file "$work/broken.cu" --json
has '"status": "compile_error"'
[[ ! -e $work/arguments ]] || fail 'a kernel that does not compile was timed'
# The counts are there for the asking.
expect 0 "$grade" bench 4 --backend cpu --solution
has 'load requests'
unset GRADE_BENCH_PROGRAM
if [[ ! -e /dev/nvidiactl ]]; then
  expect 5 "$grade" bench 4 --backend cuda
  says 'the CUDA backend cannot be used here'
  expect 0 "$grade" bench 4 --solution
  has 'load requests'
fi

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'bench behaves'
