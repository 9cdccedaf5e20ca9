#!/usr/bin/env bash
# `grade watch` through a pseudo-terminal, and without one: test_watch.sh GRADE FIXTURES
set -eu
here=$(dirname -- "${BASH_SOURCE[0]}")
exec python3 "$here/watch_session.py" "$1"
