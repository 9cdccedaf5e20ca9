#!/usr/bin/env bash
# `grade train` on the real course: test_train.sh GRADE FIXTURES
set -u
grade=$(realpath -- "$1")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export GRADE_PROGRESS=$work/progress.json NO_COLOR=1
unset GRADE_ROOT
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1" >&2
  [[ -z ${2-} ]] || printf '%s\n' "$2" | tail -n 30 | sed 's/^/    | /' >&2
}
expect() {
  local code=$1
  shift
  out=$("$@" 2>&1 </dev/null)
  local got=$?
  [[ $got == "$code" ]] || fail "$*: exit code $got, not $code" "$out"
}
has() { [[ $out == *"$1"* ]] || fail "the output has no '$1'" "$out"; }
small=(--tokens 24 --width 4 --hidden 5 --experts 3)

# ---- Bad options ----
expect 2 "$grade" train --steps 0
has '--steps takes 1 to'
expect 2 "$grade" train --top 9 --experts 8
has '--top takes 1 to 8'
expect 2 "$grade" train --lr -1
has '--lr takes a number above 0'
expect 2 "$grade" train --alpha x
expect 2 "$grade" train --tokens 1000000 --experts 1024 --width 4096
has 'more than 2^31'
expect 2 "$grade" train --mine --fast
has '--mine and --fast exclude each other'
for chosen in '' --fast; do
  expect 2 "$grade" train ${chosen:+"$chosen"} --no-compare
  has '--no-compare goes with --mine'
done
expect 2 "$grade" train --resume --out "$work/none"
has 'no checkpoint'
expect 5 "$grade" train "${small[@]}" --steps 2 --out /proc/nowhere
has 'cannot make the folder'

# ---- A run: the curve, the load, the picture, the checkpoint ----
expect 0 "$grade" train "${small[@]}" --steps 20 --out "$work/whole"
has '3 experts, 2 a token, 24 tokens'
has 'step 20'
has 'expert'
has "The task's loss went from"
[[ -s $work/whole/checkpoint.moe ]] || fail 'no checkpoint'
grep -q '</svg>' "$work/whole/training.svg" || fail 'no picture'
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/whole/training.svg" ||
    fail 'the picture is no XML'
fi
[[ $out != *$'\e'* ]] || fail 'an escape byte in a pipe'

# ---- Bit for bit: again, and in two parts ----
expect 0 "$grade" train "${small[@]}" --steps 20 --out "$work/again"
cmp -s "$work/whole/checkpoint.moe" "$work/again/checkpoint.moe" || fail 'a second run differs'
expect 0 "$grade" train "${small[@]}" --steps 7 --out "$work/parts"
expect 0 "$grade" train --steps 20 --resume --out "$work/parts"
has "Going on from the checkpoint of step 7, made $(date +%Y)-"
cmp -s "$work/whole/checkpoint.moe" "$work/parts/checkpoint.moe" || fail 'a resumed run differs'
has 'step 20'

# ---- What contradicts the checkpoint is refused, with both values; what it has already may be said ----
before=$(cksum <"$work/parts/checkpoint.moe")
refused() { # OPTION GIVEN KEPT
  expect 2 "$grade" train --steps 30 --resume --out "$work/parts" "$1" "$2"
  has "$1 $2 contradicts the checkpoint, which was begun with $3"
}
refused --width 9 4
refused --tokens 25 24
refused --top 1 2
refused --activation gelu relu
refused --lr 0.01 0.3
refused --seed 5 1
expect 2 "$grade" train --resume --steps 20 --out "$work/parts"
has 'has 20 steps already, and --steps 20 asks for no more'
expect 2 "$grade" train --resume --steps 5 --out "$work/parts"
has 'has 20 steps already, and --steps 5'
[[ $(cksum <"$work/parts/checkpoint.moe") == "$before" ]] || fail 'a refused run touched the checkpoint'
expect 0 "$grade" train --resume "${small[@]}" --top 2 --activation relu --lr 0.3 --alpha 0.01 --seed 1 --steps 24 --out "$work/parts"
expect 0 "$grade" train "${small[@]}" --steps 24 --out "$work/longer"
cmp -s "$work/longer/checkpoint.moe" "$work/parts/checkpoint.moe" || fail 'a run resumed with its own options differs'

# ---- Damage and trouble ----
mkdir "$work/damaged"
head -c 300 "$work/whole/checkpoint.moe" >"$work/damaged/checkpoint.moe"
before=$(cksum <"$work/damaged/checkpoint.moe")
expect 5 "$grade" train --steps 30 --resume --out "$work/damaged"
has 'its checksum does not fit'
[[ $(cksum <"$work/damaged/checkpoint.moe") == "$before" ]] || fail 'the damaged checkpoint was touched'

# A rate far too large: no number any more, and the last good checkpoint stays.
before=$(cksum <"$work/whole/checkpoint.moe")
expect 1 "$grade" train "${small[@]}" --steps 40 --lr 1e20 --out "$work/whole"
has 'no number any more'
expect 1 "$grade" train --steps 40 --lr 1e20 --out "$work/apart" # the usual sizes: several steps at a time
has 'no number any more'
has 'A smaller --lr, say 0.1, may do'
[[ $(cksum <"$work/whole/checkpoint.moe") == "$before" ]] || fail 'a diverged run replaced the checkpoint'

# From the checkpoint of a run that diverged one may go on, but is told what will come of it.
expect 0 "$grade" train "${small[@]}" --steps 3 --lr 100 --out "$work/steep"
expect 1 "$grade" train --resume --steps 40 --out "$work/steep"
has 'no number any more, at step 5'
has 'The checkpoint of step 3 is kept, but'
[[ $out != *'A run that went on from it'* ]] || fail 'told of a run that never was' "$out"
expect 1 "$grade" train --resume --steps 40 --out "$work/steep"
has 'Going on from the checkpoint of step 3'
has 'A run that went on from it diverged at step 5'
has 'begin anew'

# Parameters that are no numbers are no checkpoint, though the last loss was one.
expect 1 "$grade" train --tokens 24 --width 1 --hidden 5 --experts 1 --top 1 --steps 1 --lr 3.4e38 --out "$work/steepest"
has 'The parameters are no number any more, at step 1'
[[ ! -e $work/steepest/checkpoint.moe ]] || fail 'a checkpoint of what is no number'
# An older tool may have kept one.
if command -v python3 >/dev/null; then
  python3 - "$work/steep/checkpoint.moe" <<'END'
import json, struct, sys
head, body = open(sys.argv[1], "rb").read().split(b"\n", 1)
body = struct.pack("<f", float("nan")) + body[4:]
hash = 0xcbf29ce484222325
for byte in body:
    hash = ((hash ^ byte) * 0x100000001b3) % 2**64
head = dict(json.loads(head), checksum=hash)
open(sys.argv[1], "wb").write(json.dumps(head).encode() + b"\n" + body)
END
  expect 2 "$grade" train --resume --steps 40 --out "$work/steep"
  has 'parameters that are no numbers'
  has 'without it a training begins'
fi

# A full disk.
if ((EUID == 0)) && mkdir "$work/full" && mount -t tmpfs -o size=16k tmpfs "$work/full" 2>/dev/null; then
  head -c 16384 /dev/zero >"$work/full/ballast" 2>/dev/null
  expect 5 "$grade" train "${small[@]}" --steps 5 --out "$work/full"
  has 'No space left on device'
  umount "$work/full"
fi

# begin FOLDER OPTION...: trains for long, as $pid, and waits for its first checkpoint, however slow the machine is.
begin() {
  local until=$((SECONDS + 300))
  "$grade" train "${@:2}" --out "$work/$1" >"$work/out" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null && ((SECONDS < until)) && [[ ! -s $work/$1/checkpoint.moe ]]; do sleep 0.1; done
  [[ -s $work/$1/checkpoint.moe ]] && return
  fail "no checkpoint while a run goes on: ${*:2}" "$(cat "$work/out")"
  kill -KILL "$pid" 2>/dev/null
}
# end SIGNAL: what it printed is in $out, its exit code in $got.
end() {
  kill "-$1" "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  got=$?
  out=$(cat "$work/out")
}

# Ctrl-C: the checkpoint is kept, and the run goes on from it.
begin stopped "${small[@]}" --steps 1000000
end INT
[[ $got == 0 ]] || fail "after Ctrl-C: exit code $got" "$out"
has 'Interrupted at step'
has "grade train --resume --steps 1000000 --out $work/stopped"
[[ -s $work/stopped/checkpoint.moe ]] || fail 'no checkpoint after Ctrl-C'

# The same where a step takes long and a hundred of them are one report: the stop waits for one step, and a checkpoint is
# there although nobody asked for a stop.
begin slow --tokens 2048 --width 64 --hidden 128 --steps 100000
end INT
[[ $got == 0 ]] || fail "after Ctrl-C in a long step: exit code $got" "$out"
has 'Interrupted at step'
# The trainer's last word before it ends by itself. Ten seconds after Ctrl-C, the tool would have cut it short.
grep -q '^expert .* before .* after' <<<"$out" || fail 'Ctrl-C waits for more than a step' "$out"

# Its process killed outright: the checkpoint that was kept meanwhile goes on.
begin killed "${small[@]}" --steps 1000000
end KILL
expect 2 "$grade" train --resume --steps 1 --out "$work/killed"
has 'steps already'

# ---- As several processes, and on from there as one ----
expect 2 "$grade" train --gpus 0
has '--gpus takes 1 to 64'
expect 0 "$grade" train "${small[@]}" --steps 20 --gpus 3 --out "$work/ranks"
has '3 processes by sockets'
expect 0 "$grade" train --resume --steps 25 --out "$work/ranks"
has 'step 25'
[[ $out != *processes* ]] || fail 'one process is said to be several' "$out"
expect 2 "$grade" train "${small[@]}" --steps 20 --gpus 2 --exchange nccl --out "$work/ranks"
has 'this build has no NCCL'
begin two "${small[@]}" --steps 1000000 --gpus 2
end INT
[[ $got == 0 ]] || fail "after Ctrl-C, two processes: exit code $got" "$out"
has 'Interrupted at step'
has ' --gpus 2 --out'

# ---- As JSON: one object and nothing else, also where the loss is no number any more ----
json() { # PYTHON EXPRESSION on `run`, the object
  "$grade" train "${small[@]}" --json --steps 5 --out "$work/json" "${@:2}" 2>/dev/null |
    python3 -c "import json, sys; run = json.load(sys.stdin); sys.exit(not ($1))" || fail "train --json ${*:2}: not $1"
}
json "run['kernels'] == 'reference' and run['status'] == 'done' and len(run['mse']) == 5 and len(run['load_after']) == 3 and run['seed'] == 4" --seed 4
json "run['status'] == 'diverged' and run['mse'][-1] is None" --lr 1e30

# ---- Somebody's own kernels: none passed yet ----
expect 0 "$grade" train "${small[@]}" --steps 5 --mine --out "$work/mine"
has '0 of 52 kernels are yours'

# ---- The workbook's fast kernels: the same curve but for rounding ----
expect 0 "$grade" train "${small[@]}" --steps 20 --fast --out "$work/fast"
has 'the fast kernels'
has "The task's loss went from"
expect 0 "$grade" train --fast --steps 24 --resume --out "$work/fast"
json "run['kernels'] == 'fast' and max(abs(a - b) for a, b in zip(run['mse'], $(
  "$grade" train "${small[@]}" --json --steps 5 --out "$work/json" 2>/dev/null |
    python3 -c "import json, sys; print(json.load(sys.stdin)['mse'])"
))) < 1e-4 * run['mse'][0]" --fast

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'grade train behaves'
