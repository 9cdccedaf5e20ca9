#!/usr/bin/env bash
# `grade site`, on a copy of the fixture course: test_site.sh GRADE FIXTURES
set -u
grade=$(realpath -- "$1")
fixtures=$(realpath -- "$2")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp -r -- "$fixtures/course" "$work/course"
cp -r -- "$fixtures/../../../docs/theme" "$work/course/docs/theme"
export GRADE_ROOT=$work/course
unset GRADE_PROGRESS GRADE_AUTHOR COLUMNS NO_COLOR
cd -- "$work" || exit 1

failures=0
expect() { # CODE TEXT COMMAND...: the exit code, and what it says
  local code=$1 text=$2 said got
  shift 2
  said=$("$@" 2>&1 </dev/null)
  got=$?
  [[ $got == "$code" && $said == *"$text"* ]] && return
  failures=$((failures + 1))
  printf 'FAILED: %s: exit code %s (not %s), or no "%s" in:\n%s\n' "$*" "$got" "$code" "$text" "$said" >&2
}
there() { expect 0 '' test -s "$1"; }

expect 0 'pages/index.html' "$grade" site pages
for page in index.html lessons/001_add_one.html docs/index.html docs/start.html progress.html \
  assets/site.css assets/site.js assets/search.js; do
  there "pages/$page"
done
expect 0 '' "$grade" site pages                             # again, over itself
expect 0 '' "$grade" site --no-progress public
expect 1 '' test -e public/progress.html
expect 1 '' grep -rq "$work" pages public                   # no path of this machine
expect 1 '' grep -rqE '(src|href)="(https?:)?//[^e]' public # nothing from elsewhere (example.org is the notes')

mkdir other && touch other/thesis.tex
expect 2 'holds other files' "$grade" site other
expect 2 'is a file' "$grade" site other/thesis.tex
expect 2 '' "$grade" site
rm -r "$work/course/docs/theme"
expect 5 'docs/theme' "$grade" site broken

((failures == 0)) || { echo "$failures failed" >&2; exit 1; }
echo 'ok'
