#!/usr/bin/env bash
# usage: fuzz.sh TIME   Runs every fuzz target of the module for TIME, one after another, and names those that fail at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."

git grep -hoE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' >/dev/null || { echo 'no fuzz targets' >&2; exit 1; }
failed=()
while IFS=: read -r file func; do
	target=${func#func }
	echo "== ./$(dirname "$file") $target $1"
	said=$(mktemp)
	if ! go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 10x "./$(dirname "$file")" </dev/null 2>&1 | tee "$said"; then
		# Before Go 1.27 a run may fail because its time ends (https://go.dev/issue/75804), which is a line without a place in a
		# file; what fuzzing finds is written down.
		grep -qx ' *context deadline exceeded' "$said" && ! grep -q 'Failing input written to' "$said" || failed+=("$target")
	fi
	rm "$said"
done < <(git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go')
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
