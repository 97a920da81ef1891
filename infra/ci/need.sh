#!/usr/bin/env bash
# usage: need.sh TOOL…   Sees that each tool is there; installs the browser from the system's packages
# where it may, and says exactly what to install where it may not.
set -euo pipefail

missing=0
lack() {
	printf 'missing: %s\n  %s\n' "$1" "$2" >&2
	missing=1
}

# at_least HAVE WANT: compares dotted versions.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

need_go() {
	command -v go >/dev/null || { lack go 'install Go 1.26 or later from your system or from go.dev'; return; }
	local have
	have=$(go env GOVERSION | sed 's/^go//')
	at_least "$have" 1.26 || lack "go 1.26 (found $have)" 'update Go'
}

need_node() {
	command -v node >/dev/null || { lack node 'install Node.js 20 or later'; return; }
	local have
	have=$(node --version | sed 's/^v//')
	at_least "$have" 20 || lack "node 20 (found $have)" 'update Node.js'
}

need_npm() { command -v npm >/dev/null || lack npm 'install npm; it usually comes with Node.js'; }

find_chromium() {
	local name
	for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		[ -n "$name" ] && command -v "$name" >/dev/null && return 0
	done
	return 1
}

need_chromium() {
	find_chromium && return
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo 'installing chromium for the browser tests'
		{ apt-get update && apt-get install -y --no-install-recommends chromium fonts-noto-cjk; } >/dev/null 2>&1 || true
		find_chromium && return
	fi
	lack chromium 'the browser tests need it: install the package chromium, or set CHROMIUM to a Chromium or Chrome binary'
}

# ptxas and the CUDA headers exist for Linux alone; elsewhere the tests that want them say that they are skipped.
need_cuda() {
	[ "$(uname -s)" = Linux ] || return 0
	command -v gcc >/dev/null || lack gcc 'install gcc: newt-cuda calls the CUDA driver through cgo'
	local part
	for part in assembler headers; do "$(dirname "$0")/cuda.sh" $part || missing=1; done
}

need_cc() {
	local cc
	cc=$(go env CC)
	command -v "${cc%% *}" >/dev/null || lack "$cc" 'install a C compiler: the race detector needs one'
}

need_arm() {
	command -v qemu-aarch64 >/dev/null && return
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo 'installing qemu-user for the tests of arm64'
		{ apt-get update && apt-get install -y --no-install-recommends qemu-user; } >/dev/null 2>&1 || true
		command -v qemu-aarch64 >/dev/null && return
	fi
	lack qemu-aarch64 'install qemu-user: the tests of assembly for arm64 run in it'
}

for tool in "$@"; do "need_$tool"; done
exit $missing
