#!/usr/bin/env bash
# A new version of the workbook, fetched with git pull, costs no work: test_update.sh GRADE FIXTURES
set -eu
grade=$(realpath -- "$1")
fixtures=$(realpath -- "$2")
command -v git >/dev/null || { echo 'skipped: no git on this machine' && exit 77; }

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
unset GRADE_PROGRESS GRADE_AUTHOR
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 PAGER=cat GRADE_ROOT=$work/mine
git config --global user.name t
git config --global user.email t@t
git config --global init.defaultBranch main

failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1" >&2
  printf '%s\n' "${out-}" | sed 's/^/    | /' | head -n 30 >&2
}
# run CODE ARGUMENT...: grade, as the learner; its whole output is in $out, lines broken by a space alone.
run() {
  local code=$1 got=0
  shift
  out=$(cd -- "$mine" && "$grade" "$@" 2>&1 </dev/null) || got=$?
  out=$(tr -s ' \n' ' ' <<<"$out")
  [[ $got == "$code" ]] || fail "grade $*: exit code $got, not $code"
}
has() { [[ $out == *"$1"* ]] || fail "the output has no '$1'"; }
hasnt() { [[ $out != *"$1"* ]] || fail "the output has '$1'"; }
holds() { [[ $(cat "$mine/$1") == "$2" ]] || { out=$(cat "$mine/$1") && fail "$1 is not as it should be"; }; }
publish() { git -C "$origin" add -A && git -C "$origin" commit -qm "$1"; }
pull() { git -C "$mine" pull -q || fail 'git pull'; }
backups() { find "$mine/.grade/backups" -name "*-$1-*" 2>/dev/null | wc -l; }

origin=$work/origin mine=$work/mine
cp -r -- "$fixtures/course" "$origin"
printf '/.grade/\n/progress.json*\n/lessons/*/kernel.cu\n' >"$origin/.gitignore"
cat >"$origin/lessons/001_add_one/stub.cu" <<'CU'
#include "moe/kernels.h"

// Adds one.
void add_one(float* x, int n) {
  // TODO(1): the body
  // END TODO(1)
}

// The last line.
CU
cat >"$origin/lessons/001_add_one/grader.cpp" <<<'// tests'
git -C "$origin" init -q
publish first
git clone -q "$origin" "$mine"
kernel=lessons/001_add_one/kernel.cu

# ---- Work on two lessons; the other stays as it came ----
run 0 diff 1 --spoil
run 0 diff 2 --spoil
run 0 diff 4 --spoil
sed -i 's|// TODO(1): the body|// TODO(1): the body\n  kernel<<<n, 1>>>(x);|' "$mine/$kernel"
echo 'my own lines alone' >"$mine/lessons/004_scale_rows/kernel.cu"
edited=$(cat "$mine/$kernel")
run 0 update
has 'No update has changed a stub'

# ---- An update of stubs, graders and notes ----
sed -i 's|// Adds one\.|// Adds one to each of n elements.|' "$origin/lessons/001_add_one/stub.cu"
echo '// more tests' >>"$origin/lessons/001_add_one/grader.cpp"
echo 'More notes.' >>"$origin/lessons/001_add_one/lesson.md"
echo '// new' >>"$origin/lessons/002_add_two/stub.cu"
echo '// new' >>"$origin/lessons/004_scale_rows/stub.cu"
publish second
pull
holds $kernel "$edited"
run 0 diff 1 --spoil
has 'An update has changed lessons/001_add_one/stub.cu'
has 'grade update 1'
holds $kernel "$edited"
run 0 diff 1 --spoil
hasnt 'An update has changed'
run 0 diff 2 --spoil
hasnt 'An update'
cmp -s "$mine/lessons/002_add_two/kernel.cu" "$mine/lessons/002_add_two/stub.cu" || fail 'an untouched kernel follows its stub'
run 0 update
has '001 '
hasnt '002 '
has '004 '
run 0 update 1
has '-// Adds one.'
has '+// Adds one to each of n elements.'
has '--keep'
holds $kernel "$edited"
run 0 update 1 --yes
has 'grade undo'
holds $kernel "${edited/Adds one./Adds one to each of n elements.}"
[[ $(backups update) == 1 ]] || fail 'one backup before the change was worked in'
run 0 update 1
has 'No update has changed'
run 0 undo 1
holds $kernel "$edited"

# ---- A change of the same lines is for the learner ----
run 1 update 4 --yes
has 'for you to work in'
holds lessons/004_scale_rows/kernel.cu 'my own lines alone'
run 0 update 4 --keep
run 0 update
hasnt '004 '
holds lessons/004_scale_rows/kernel.cu 'my own lines alone'
run 2 update --yes

# ---- A lesson gets another number and another name ----
cat >"$mine/progress.json" <<'JSON'
{"version": 1, "lessons": {"001_add_one": {"attempts": 2, "first_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"}}}}
JSON
run 0
has '5 of 25 XP'
git -C "$origin" mv lessons/001_add_one lessons/001_plus_one
git -C "$origin" mv solutions/001_add_one solutions/001_plus_one
sed -i 's|"slug": "add_one"|"slug": "plus_one", "formerly": ["add_one"]|' "$origin/lessons/001_plus_one/lesson.md"
sed -i 's|// The last line\.|// The very last line.|' "$origin/lessons/001_plus_one/stub.cu"
git -C "$origin" mv lessons/002_add_two lessons/003_add_two
git -C "$origin" mv solutions/002_add_two solutions/003_add_two
sed -i 's|"number": 2|"number": 3|' "$origin/lessons/003_add_two/lesson.md"
publish third
echo 'two' >"$mine/lessons/002_add_two/kernel.cu"
pull
run 0
has 'Lesson 001_add_one is now 001_plus_one'
has 'Lesson 002_add_two is now 003_add_two'
has '5 of 25 XP'
kernel=lessons/001_plus_one/kernel.cu
holds $kernel "$edited"
holds lessons/003_add_two/kernel.cu two
[[ ! -e $mine/lessons/001_add_one && ! -e $mine/lessons/002_add_two ]] || fail 'the old folders are gone'
run 0
hasnt 'is now'
run 0 diff add_one
has 'An update has changed lessons/001_plus_one/stub.cu'
run 0 undo --list
has '001_add_one'
run 0 undo 1 # a backup under the former name
holds $kernel "${edited/Adds one./Adds one to each of n elements.}"
run 0 quiz 1 --answer sum=42
grep -q '"001_plus_one"' "$mine/progress.json" || fail 'progress is saved under the new name'
grep -q '"001_add_one"' "$mine/progress.json" && fail 'the old name is still there'

# ---- A stub edited by mistake does not block the next pull ----
echo '// by mistake' >>"$mine/lessons/003_add_two/stub.cu"
echo '// newer' >>"$origin/lessons/003_add_two/stub.cu"
publish newer
run 0 update
has 'was edited'
[[ $(backups stub) == 1 ]] || fail 'the edit of a stub is kept'
pull
holds lessons/003_add_two/kernel.cu two

# ---- Where nothing can be moved, everything else works ----
if [[ $EUID == 0 ]] && command -v setpriv >/dev/null; then
  git -C "$origin" mv lessons/004_scale_rows lessons/005_scale_rows
  sed -i 's|"number": 4|"number": 5|' "$origin/lessons/005_scale_rows/lesson.md"
  publish fourth
  pull
  chmod -R a+rX "$work"
  as_guest() { (cd / && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ "$@" 2>&1); }
  if as_guest "$grade" --help >/dev/null; then # the tool itself may lie where a guest cannot go
    out=$(as_guest "$grade" list) || true
    has 'could not be moved'
    has '005'
  else
    echo 'skipped: a guest cannot run the tool from where it lies'
  fi
  holds lessons/004_scale_rows/kernel.cu 'my own lines alone'
fi

((failures == 0)) || { echo "$failures failures" >&2 && exit 1; }
echo 'no work was lost'
