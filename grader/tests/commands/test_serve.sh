#!/usr/bin/env bash
# `grade serve` on a copy of the fixture course: test_serve.sh GRADE FIXTURES
set -eu -o pipefail
grade=$(realpath -- "$1")
fixtures=$(realpath -- "$2")
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

command -v python3 >/dev/null || { echo "skipped: python3 is not on this machine" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp -r -- "$fixtures/course" "$work/course"
export GRADE_ROOT=$work/course LC_ALL=C.UTF-8
unset GRADE_PROGRESS GRADE_AUTHOR GRADE_NOW NO_COLOR

if [[ ! -f ${grade%/*}/grade-http.so ]]; then
  # Without the library, the command says what to install.
  mkdir -p "$work/course/tools"
  printf 'httplib\toptional\theader:no/such/header.h\ta\tb\tc\twhy\n' >"$work/course/tools/packages.tsv"
  code=0
  "$grade" serve >"$work/out" 2>&1 || code=$?
  if [[ $code != 5 ]] || ! grep -q 'cpp-httplib' "$work/out"; then
    cat "$work/out"
    exit 1
  fi
  echo "skipped: cpp-httplib is not on this machine (grade serve says so)" && exit 77
fi
exec python3 "$here/serve_requests.py" "$grade" "$work"
