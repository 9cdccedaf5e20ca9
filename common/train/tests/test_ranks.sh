#!/usr/bin/env bash
# The trainer as several ranks, on the CPU runtime or on GPUs that they share: test_ranks.sh TRAINER, with TRAIN_OBJECTS
set -u
trainer=$(realpath -- "$1")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1" >&2
  [[ -z ${2-} ]] || printf '%s\n' "$2" | cut -c1-300 | tail -n 30 | sed 's/^/    | /' >&2
}
objects=()
IFS=: read -ra files <<<"$TRAIN_OBJECTS"
for file in "${files[@]}"; do objects+=(--object "$file"); done
expect() { # CODE ARGUMENT...
  local code=$1
  shift
  out=$("$trainer" "${objects[@]}" --exchange sockets "$@" 2>&1 </dev/null)
  local got=$?
  [[ $got == "$code" ]] || fail "$*: exit code $got, not $code" "$out"
}
has() { [[ $out == *"$1"* ]] || fail "the output has no '$1'" "$out"; }
small=(--tokens 24 --width 4 --hidden 5 --experts 5)

# ---- Several ranks: again the same bits; a checkpoint is one file, whatever wrote it ----
for ranks in 1 2 3; do
  expect 0 "${small[@]}" --steps 20 --ranks $ranks --checkpoint "$work/$ranks"
  has '"status":"done"'
  has "\"ranks\":$ranks"
done
expect 0 "${small[@]}" --steps 20 --ranks 3 --checkpoint "$work/again"
cmp -s "$work/3" "$work/again" || fail 'a second run of three ranks differs'
expect 0 "${small[@]}" --steps 7 --ranks 3 --checkpoint "$work/parts"
expect 0 --steps 20 --ranks 3 --resume "$work/parts" --checkpoint "$work/parts"
cmp -s "$work/3" "$work/parts" || fail 'a resumed run of three ranks differs'

# ---- Another number of ranks goes on from it, to the same loss within rounding ----
cp "$work/2" "$work/other"
expect 0 --steps 30 --ranks 1 --resume "$work/other" --checkpoint "$work/other"
one=$out
cp "$work/2" "$work/other"
expect 0 --steps 30 --ranks 4 --resume "$work/other" --checkpoint "$work/other"
last() { sed -n 's/.*"mse":\[\(.*,\)\{0,1\}\([0-9.e-]*\)\],"type":"losses".*/\2/p' <<<"$1" | tail -n 1; }
if command -v python3 >/dev/null; then
  python3 -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(not abs(a - b) <= 1e-3 * a)' \
    "$(last "$one")" "$(last "$out")" || fail "other losses: $(last "$one") and $(last "$out")"
fi

# ---- What is refused ----
expect 2 "${small[@]}" --ranks 0
has '--ranks takes 1 to 64'
expect 2 "${small[@]}" --ranks 2 --world env
has '--ranks starts them'
expect 2 --steps 20 --ranks 2 --resume "$work/2"
has 'has 20 steps already'
expect 5 --steps 30 --ranks 2 --resume "$work/none"
has 'rank 0: '
has 'cannot be read'
out=$(env -u RANK -u OMPI_COMM_WORLD_RANK -u SLURM_PROCID "$trainer" "${objects[@]}" "${small[@]}" --world env 2>&1)
has 'no launcher has left its variables'
if [[ ! -e ${trainer%/*}/train-nccl.so ]]; then
  out=$("$trainer" "${objects[@]}" "${small[@]}" --ranks 2 --exchange nccl 2>&1)
  has 'this build has no NCCL'
fi

# ---- A rate far too large: one word from rank 0, and the checkpoint stays ----
before=$(cksum <"$work/2")
expect 1 "${small[@]}" --steps 40 --report-every 1 --lr 1e20 --ranks 2 --checkpoint "$work/2"
has '"status":"diverged"'
[[ $(cksum <"$work/2") == "$before" ]] || fail 'a diverged run replaced the checkpoint'

# ---- A stop, and a rank that is killed: the checkpoint of the run goes on ----
children() { cat "/proc/$pid/task/$pid/children" 2>/dev/null | tr ' ' '\n' | grep .; } # of the run
begin() { # FILE: trains for long; waits for a checkpoint, however slow the machine is
  "$trainer" "${objects[@]}" --exchange sockets "${small[@]}" --steps 1000000 --ranks 3 --checkpoint "$1" >"$work/out" 2>&1 &
  pid=$!
  local until=$((SECONDS + 300))
  while kill -0 "$pid" 2>/dev/null && ((SECONDS < until)) && [[ ! -s $1 ]]; do sleep 0.1; done
  [[ -s $1 ]] && return
  fail 'no checkpoint while a run goes on' "$(tail -n 5 "$work/out")"
  kill -KILL "$pid" 2>/dev/null
}
begin "$work/stopped"
kill -INT "$pid"
wait "$pid"
got=$?
out=$(tail -n 3 "$work/out")
[[ $got == 0 ]] || fail "after a stop: exit code $got" "$out"
has '"status":"interrupted"'
expect 2 --steps 1 --ranks 2 --resume "$work/stopped"
has 'steps already'

begin "$work/killed"
mapfile -t ranks < <(children)
if ((${#ranks[@]} == 3)); then
  kill -KILL "${ranks[1]}"
else
  fail "three ranks have ${#ranks[@]} processes"
  kill -INT "$pid"
fi
wait "$pid"
got=$?
out=$(tail -n 9 "$work/out")
[[ $got == 4 ]] || fail "after a rank was killed: exit code $got" "$out"
has 'rank 1 was ended by a signal: Killed'
for rank in "${ranks[@]}"; do
  ! kill -0 "$rank" 2>/dev/null || fail 'a rank outlived the run'
done
expect 2 --steps 1 --ranks 3 --resume "$work/killed"
has 'steps already'

# ---- As torchrun, mpirun and srun start them ----
# A port that nobody has, below those that the system gives to whoever asks for any: where another run has it, the next one.
port=$((10000 + RANDOM % 20000))
free_port() {
  ((port += 1))
  while (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do ((port += 1)); done
}
launched() { # NAME VARIABLE...: with "#" for the rank and "@" for a port, two processes; the checkpoint is that of --ranks 2
  local name=$1 rank pids=()
  shift
  free_port
  for rank in 1 0; do
    local variables=("${@//#/$rank}")
    env "${variables[@]//@/$port}" "$trainer" "${objects[@]}" --exchange sockets "${small[@]}" --steps 20 --world env \
      --checkpoint "$work/$name" >"$work/out$rank" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || fail "$name: exit code $?" "$(cat "$work/out0" "$work/out1")"; done
  cmp -s "$work/2" "$work/$name" || fail "$name: another checkpoint than that of --ranks 2"
  [[ ! -s $work/out1 ]] || fail "$name: rank 1 has something to say" "$(cat "$work/out1")"
}
launched torchrun RANK=# WORLD_SIZE=2 LOCAL_RANK=# MASTER_ADDR=localhost MASTER_PORT=@
launched mpirun OMPI_COMM_WORLD_RANK=# OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=# MASTER_PORT=@
launched srun SLURM_PROCID=# SLURM_NTASKS=2 SLURM_LOCALID=# SLURM_STEP_NODELIST=localhost MASTER_PORT=@

# Told to train different things, none of them begins.
free_port
for rank in 0 1; do
  env RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank MASTER_ADDR=localhost MASTER_PORT=$port "$trainer" "${objects[@]}" \
    --exchange sockets "${small[@]}" --seed $((rank + 1)) --world env >"$work/out$rank" 2>&1 &
  pids[rank]=$!
done
wait "${pids[0]}"
[[ $? == 2 ]] || fail 'ranks that disagree' "$(cat "$work/out0")"
wait "${pids[1]}"
out=$(cat "$work/out0")
has 'rank 1 was told other options than rank 0'

((failures == 0)) || {
  echo "$failures failures" >&2
  exit 1
}
echo 'ranks behave'
