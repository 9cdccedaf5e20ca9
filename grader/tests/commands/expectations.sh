# shellcheck shell=bash disable=SC2154 # $work is the test's
# Sourced by the tests of commands, which set $work first. `expect` runs a command; the others look at its output.
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1" >&2
  [[ -z ${2-} ]] || printf '%s\n' "$2" | sed 's/^/    | /' | head -n 40 >&2
}

# expect CODE COMMAND...: the exit code; the output is in $out (stdout) and $err (stderr).
expect() {
  local code=$1
  shift
  out=$("$@" 2>"$work/err" </dev/null)
  local got=$?
  err=$(cat "$work/err")
  [[ $got == "$code" ]] || fail "$*: exit code $got, not $code" "$out$err"
}
has() { [[ $out == *"$1"* ]] || fail "the output has no '$1'" "$out"; }
hasnt() { [[ $out != *"$1"* ]] || fail "the output has '$1'" "$out"; }
says() { [[ $err == *"$1"* ]] || fail "stderr has no '$1'" "$err"; }
no_escape() { [[ $out$err != *$'\e'* ]] || fail "an escape byte in a pipe: $1" "$out$err"; }
# Every line of $out fits into so many columns (of UTF-8 characters, none of the fixture's is wide).
fits() {
  local line
  while IFS= read -r line; do
    ((${#line} <= $1)) || fail "wider than $1 columns: $line"
  done <<<"$out"
}
