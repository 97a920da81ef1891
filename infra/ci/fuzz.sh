#!/usr/bin/env bash
# usage: fuzz.sh TIME   Runs every fuzz target of the module for TIME, one after another.
set -euo pipefail
cd "$(dirname "$0")/../.."

git grep -hoE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' >/dev/null || { echo 'no fuzz targets' >&2; exit 1; }
git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' | while IFS=: read -r file func; do
	target=${func#func }
	echo "== ./$(dirname "$file") $target $1"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 10x "./$(dirname "$file")"
done
