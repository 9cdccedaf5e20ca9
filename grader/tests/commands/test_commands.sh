#!/usr/bin/env bash
# The tool's commands, on a copy of the fixture course: test_commands.sh GRADE FIXTURES
set -u
# shellcheck source-path=SCRIPTDIR source=expectations.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/expectations.sh"
grade=$(realpath -- "$1")
fixtures=$(realpath -- "$2")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp -r -- "$fixtures/course" "$work/course"
export GRADE_ROOT=$work/course
unset GRADE_PROGRESS GRADE_AUTHOR COLUMNS NO_COLOR GRADE_ASCII
export TERM=xterm-256color PAGER=cat
cd -- "$work/course" || exit 1

# in_terminal COMMAND: as on a terminal; what it prints is in $out. The input is stdin.
in_terminal() { out=$(script -qec "$(printf "%q " "$@")" /dev/null); }
export LC_ALL=C.UTF-8

# ---- Dashboard and list ----
expect 0 "$grade"
has 'Fixture course'
has '0 of 25 XP'
has '0 of 5 complete'
has 'Next: 001'
has 'grade show start'
no_escape dashboard
fits 80
expect 0 "$grade" dashboard
expect 0 "$grade" list
has '001'
has 'add_two'
has '003  not in this copy'
no_escape list
fits 80

# ---- Names and usage ----
expect 2 "$grade" show add
says 'fits 2 lessons'
says '002  add_two'
expect 2 "$grade" show nonsense
says 'grade list'
expect 2 "$grade" nonsense
says 'nonsense'
expect 2 "$grade" lits
# shellcheck disable=SC2016
says 'Did you mean `grade list`?'
expect 5 bash -c "'$grade' list >/dev/full"
says 'No space left'
expect 2 "$grade" show
expect 2 "$grade" show 1 --wrong
expect 2 "$grade" list extra

# What is empty is no path, name or number; a seed has no sign and ends at 2^64 - 1.
empty() { # COMMAND... with an empty value for $1
  expect 2 "$grade" "${@:2}"
  says "$1 is given without a value"
}
empty --file run 2 --file ''
empty --file run 2 --file=
empty --file run 2 --file= --mine
empty --file bench 2 --file ''
empty --file picture 2 --file ''
empty --file export --file ''
empty --dir export --dir ''
empty --output export --output ''
empty --hidden-seed export --hidden-seed ''
empty --seed run 2 --seed ''
empty --timeout run 2 --timeout ''
empty --jobs export --jobs ''
empty --section show 2 --section ''
empty --answer quiz 1 --answer ''
empty --out train --out ''
empty LESSON run ''
empty LESSON ''
empty LESSON verify ''
empty DIR site ''
for command in 'run 2' 'bench 2' 'picture 2' export train verify; do
  for seed in -1 +1 -0 18446744073709551616 1.5 0x10 1e3; do
    # shellcheck disable=SC2086
    expect 2 "$grade" $command --seed "$seed"
    says "--seed takes a whole number from 0 to 2^64 - 1, not $seed"
  done
done
for jobs in 0 -1; do
  expect 2 "$grade" export --jobs "$jobs"
  says "--jobs takes a number from 1, not $jobs"
done
[[ ! -e progress.json && ! -e .grade/runs ]] || fail 'wrong usage was recorded'

# A name is never printed with its control characters.
expect 2 "$grade" run 2 --file $'no\e[31mfile\x07'
says 'there is no file nofile'
no_escape 'a file that is not there'
expect 0 "$grade" --help
has 'grade LESSON'
fits 80
expect 0 "$grade" show --help
expect 0 "$grade" help
for command in dashboard watch list show hint quiz diff solution reset undo update progress bench export doctor; do
  expect 0 "$grade" "$command" --help
  no_escape "$command --help"
  has "grade $command"
  fits 80
done

# ---- Show ----
expect 0 "$grade" show 001
has 'Add one to every element'
has 'yᵢ = xᵢ + 1'
has ' x   1  2  3'
has '__global__ void kernel'
has '─'
has '1. How much is 41 + 1?'
has 'b) thread 3'
hasnt '42'
hasnt '![' 
hasnt '$'
no_escape show
fits 80
expect 0 "$grade" show one --section math
has 'n−1'
hasnt 'Intuition'
expect 2 "$grade" show 1 --section nothing
says 'Mathematics'
expect 0 "$grade" show start
has 'A token is a row of D numbers.'
expect 0 "$grade" show lessons/002_add_two/

# ---- Hints: one rung a call ----
expect 0 "$grade" hint 1
has 'Hint 1 of 3'
hasnt 'Hint 2'
expect 0 "$grade" hint 1
has 'Hint 2 of 3'
has 'i = bB + t'
hasnt 'Hint 1'
expect 0 "$grade" hint 1 --seen
has 'Hint 1 of 3'
has 'Hint 2 of 3'
expect 0 "$grade" hint 1
has 'Hint 3 of 3'
expect 0 "$grade" hint 1
has 'Hint 1 of 3'
has 'Hint 3 of 3'
expect 0 "$grade" hint 2 --all
has 'Hint 3 of 3'
no_escape hint
expect 0 grep -q '"hints": 3' progress.json

# ---- Quiz ----
expect 1 "$grade" quiz 1 --answer sum=41
has 'not this'
expect 0 "$grade" quiz 1 --answer sum=42
has 'One more than 41.'
expect 1 "$grade" quiz 1 --answer which=a
has 'confuses the index with the count'
expect 0 "$grade" quiz 1 --answer which=b --answer 'list=[0, 1, 2]' --answer sum=126/3
has '3 of 3 right'
expect 2 "$grade" quiz 1 --answer other=1
says 'no question "other"'
says 'which'
expect 1 "$grade" quiz 1 --answer sum=many
has 'no number'
expect 1 "$grade" quiz 1
has 'not answered'
expect 0 "$grade" quiz 1 --list
has '--answer which='
out=$(printf '42\nlist=0,1,2\nb\n' | "$grade" quiz 1) || fail 'answers from stdin' "$out"
no_escape quiz
expect 0 grep -q '"correct": true' progress.json

# ---- Diff and solution: after a pass ----
expect 2 "$grade" solution 1
says '--spoil'
[[ -z $out ]] || fail 'the reference was shown before a pass' "$out"
expect 2 "$grade" diff 1
expect 0 "$grade" solution 1 --spoil
cmp -s <(printf '%s\n' "$out") solutions/001_add_one/kernel.cu || fail 'in a pipe the solution is not the file' "$out"
says 'Recorded'
expect 0 grep -q '"spoiled"' progress.json
expect 0 "$grade" diff 1 --spoil
has '+__global__ void kernel() {}'
has '@@'
no_escape diff
cat >progress.json <<'JSON'
{"version": 1, "lessons": {"002_add_two": {"attempts": 2, "last_status": "passed", "first_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"}}}}
JSON
expect 0 "$grade" solution 2
expect 0 "$grade" diff 2
expect 0 "$grade" hint 2
has 'Hint 1 of 3'
has 'Hint 3 of 3'
expect 2 "$grade" solution 2 --fast
expect 0 "$grade"
has '5 of 25 XP'
has '1 of 5 complete'
expect 0 "$grade" list
has '✓ 002'
has '+5 XP'

# ---- Progress ----
expect 0 "$grade" progress
has '5 of 25'
has '2 attempts'
has 'passed 2025-03-09'
no_escape progress
fits 80

# ---- Reset and undo ----
expect 2 "$grade" undo
says 'nothing to undo'
kernel=lessons/001_add_one/kernel.cu
expect 0 "$grade" reset 1
has 'nothing to do'
echo mine >$kernel
expect 2 "$grade" reset 1
says '--yes'
[[ $(cat $kernel) == mine ]] || fail 'reset without a yes changed the kernel'
expect 0 "$grade" reset 1 --yes
cmp -s $kernel lessons/001_add_one/stub.cu || fail 'reset did not bring the stub back'
expect 0 "$grade" undo
[[ $(cat $kernel) == mine ]] || fail 'undo did not bring the kernel back'
expect 0 "$grade" undo
cmp -s $kernel lessons/001_add_one/stub.cu || fail 'undo of undo'
expect 0 "$grade" undo 1
[[ $(cat $kernel) == mine ]] || fail 'undo of a lesson'
expect 0 "$grade" undo --list
has 'reset'
expect 2 "$grade" undo 2
no_escape undo

# ---- On a terminal ----
if command -v script >/dev/null; then
  in_terminal "$grade" </dev/null
  [[ $out == *$'\e['* ]] || fail 'no colour on a terminal' "$out"
  NO_COLOR=1 in_terminal "$grade" list </dev/null
  [[ $out != *$'\e'* ]] || fail 'NO_COLOR is not honoured' "$out"
  TERM=dumb in_terminal "$grade" show 1 </dev/null
  [[ $out != *$'\e'* ]] || fail 'TERM=dumb is not honoured' "$out"
  in_terminal "$grade" quiz 1 < <(printf 'no\n41\n42\n\n0,1,2\n')
  [[ $out == *'is no number'* && $out == *'not this'* && $out == *'2 of 3 right'* ]] || fail 'quiz on a terminal' "$out"
  in_terminal "$grade" reset 1 < <(printf 'n\n')
  [[ $(cat $kernel) == mine ]] || fail 'reset after a no'
  in_terminal "$grade" reset 1 < <(printf 'y\n')
  cmp -s $kernel lessons/001_add_one/stub.cu || fail 'reset after a yes'
fi

# ---- Narrow terminals ----
for columns in 40 24; do
  for command in dashboard list 'show 1' 'hint 1 --all' progress doctor; do
    # shellcheck disable=SC2086
    out=$(COLUMNS=$columns "$grade" $command </dev/null)
    [[ $command == 'show 1' ]] || [[ $command == doctor ]] || fits "$columns"
  done
done
out=$(COLUMNS=40 "$grade" show 1 </dev/null)
fits 40
out=$(GRADE_ASCII=1 "$grade" list </dev/null)
[[ $out != *✓* && $out == *'+ 002'* ]] || fail 'GRADE_ASCII' "$out"

# ---- What is damaged or missing ----
cp progress.json progress.json.bak
echo '{' >progress.json
expect 0 "$grade"
says 'damaged'
has '5 of 25 XP'
[[ -n $(echo progress.json.damaged-*) ]] || fail 'the damaged file was not kept'
expect 0 "$grade"
[[ -z $err ]] || fail 'the message comes twice' "$err"
expect 0 env GRADE_PROGRESS="$work/other.json" "$grade"
has '0 of 25 XP'
sed -i 's/"minutes": 5,//' lessons/001_add_one/lesson.md
expect 0 "$grade" # one lesson is lost, not all
says 'Lesson 1 is left out'
says '"minutes"'
expect 5 "$grade" show 1
says 'git checkout'
expect 0 "$grade" show 2
expect 5 env GRADE_ROOT="$work" "$grade"
says 'GRADE_ROOT'
cp -- "$fixtures/course/lessons/001_add_one/lesson.md" lessons/001_add_one/lesson.md
rm -r lessons/004_scale_rows/stub.cu
expect 5 "$grade" diff 4 --spoil
says 'stub.cu'
cp -- "$fixtures/course/lessons/004_scale_rows/stub.cu" lessons/004_scale_rows/

# ---- A tree that cannot be written: reading works, saving says why ----
if [[ $EUID == 0 ]] && command -v setpriv >/dev/null; then
  as_guest() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ "$@"; }
  chmod -R a+rX "$work"
  chmod a+x "$work"
  if as_guest "$grade" list >/dev/null 2>&1; then # the tool itself may lie where a guest cannot go
    expect 0 as_guest "$grade"
    has '5 of 25 XP'
    expect 0 as_guest "$grade" show 1
    [[ -z $err ]] || fail 'show complains about progress' "$err"
    expect 5 as_guest "$grade" hint 4
    has 'Hint 1 of 3'
    says 'cannot save progress'
    says 'GRADE_PROGRESS'
    expect 5 as_guest "$grade" reset 4
    says 'Permission denied'
  else
    echo 'skipped: a guest cannot run the tool from where it lies'
  fi
else
  echo 'skipped: a tree that cannot be written (needs root, to become somebody else)'
fi

# ---- The root, from below it, and the reader that goes away ----
(
  unset GRADE_ROOT
  cd lessons/001_add_one || exit 1
  "$grade" list >/dev/null
) || fail 'the root is not found from a folder below it'
"$grade" show 1 | head -n 1 >/dev/null || fail 'a closed pipe'

# ---- Doctor ----
expect_code=0
out=$("$grade" doctor 2>&1 </dev/null) || expect_code=$?
[[ $expect_code == 0 || $expect_code == 5 ]] || fail "doctor: exit code $expect_code" "$out"
has 'CPU'
has 'g++'
no_escape doctor
if command -v g++ >/dev/null; then # a driver that sees one GPU
  cat >"$work/driver.cpp" <<'CPP'
#include <cstddef>
#include <cstring>
extern "C" {
int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int* n) { return *n = 1, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int size, int) { return std::strncpy(name, "Test GPU", size), 0; }
int cuDeviceGetAttribute(int* value, int which, int) { return *value = which == 75 ? 9 : which == 76 ? 1 : -1, 0; }
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{141} << 30, 0; }
int cuDriverGetVersion(int* version) { return *version = 13020, 0; }
}
CPP
  g++ -shared -fPIC -w -o "$work/libcuda.so.1" "$work/driver.cpp"
  out=$(LD_LIBRARY_PATH=$work COLUMNS=200 "$grade" doctor </dev/null)
  has 'Test GPU, compute 9.1, 141 GiB, driver for CUDA 13.2'
fi
printf 'nothing\trequired\tprogram:no-such-program\tdeb-nothing\tfed-nothing\tarch-nothing\tis needed by nobody\n' >>tools/packages.tsv
expect 5 "$grade" doctor
has 'no program no-such-program'
has 'nothing'

# ---- Speed: the quickest of twenty, so that a busy machine does not matter ----
for command in dashboard list; do
  best=1000000
  for _ in {1..20}; do
    start=${EPOCHREALTIME/./}
    "$grade" "$command" >/dev/null
    took=$((${EPOCHREALTIME/./} - start))
    ((took < best)) && best=$took
  done
  printf 'grade %s: %d.%d ms\n' "$command" $((best / 1000)) $((best % 1000 / 100))
  ((best <= 50000)) || fail "grade $command takes $best microseconds"
done

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'all commands behave'
