#!/usr/bin/env bash
# Runs the generators and fails where a file that says "Code generated" comes out different.
set -euo pipefail
cd "$(dirname "$0")/../.."

sums() { git grep -lE '^(//|#) Code generated .* DO NOT EDIT' -- ':!infra/ci' ':!Makefile' | sort | xargs -r sha256sum; }

before=$(sums)
go generate ./...
after=$(sums)
if [ "$before" != "$after" ]; then
	echo 'generated files are out of date; run make generate and commit:' >&2
	diff <(echo "$before") <(echo "$after") >&2 || true
	exit 1
fi
