#!/usr/bin/env bash
# usage: cuda.sh assembler|headers   Puts parts of a CUDA toolkit under .build/cuda, with no installation:
#   assembler   bin/ptxas, bin/cuobjdump, bin/nvdisasm   what the tests assemble PTX with
#   headers     include/cuda.h, lib/libcuda.so (a stub)  what the cgo worker is built against; the stub is made here
# A toolkit of version 12.4 or later that is installed is used by links. Otherwise Debian's packages are
# fetched, with a private apt configuration, from the mirror that this machine uses already: nothing is
# installed and no list of the system's is changed, so any user may run it.
set -euo pipefail
cd "$(dirname "$0")/../.."

part=${1:-assembler}
home=$PWD/.build/cuda
suite=trixie
oldest=12.4

case $part in
assembler) wanted=(bin/ptxas bin/cuobjdump bin/nvdisasm) package=nvidia-cuda-toolkit ;;
headers) wanted=(include/cuda.h) package=nvidia-cuda-dev ;;
*) echo "cuda.sh: no part $part" >&2 && exit 2 ;;
esac

complete() {
	local file
	for file in "${wanted[@]}"; do [ -e "$home/$file" ] || return 1; done
}

refuse() {
	printf 'missing: CUDA %s: %s\n  install the CUDA toolkit %s or later (Debian: nvidia-cuda-toolkit and nvidia-cuda-dev from\n  non-free; others: developer.nvidia.com/cuda-downloads), or set CUDA_HOME to where one is\n' \
		"$part" "$1" "$oldest" >&2
	exit 1
}

# recent PTXAS: whether it is of the oldest version that will do, or later.
recent() {
	local have
	have=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
	[ -n "$have" ] && [ "$(printf '%s\n%s\n' "$oldest" "$have" | sort -V | head -n 1)" = "$oldest" ]
}

# first FILE…: the first that exists, with links resolved.
first() {
	local file
	for file in "$@"; do [ -e "$file" ] && readlink -f "$file" && return 0; done
	return 1
}

# link_part ROOT: links the wanted files to those of the toolkit at ROOT.
link_part() {
	local file found
	for file in "${wanted[@]}"; do
		found=$(first "$1/$file" "$1"/targets/*/include/"${file##*/}") || return 1
		mkdir -p "$home/${file%/*}"
		ln -sfn "$found" "$home/$file"
	done
}

use_installed() {
	local ptxas root
	for ptxas in "${CUDA_HOME:-}/bin/ptxas" "$(command -v ptxas || true)" /usr/local/cuda/bin/ptxas; do
		[ -x "$ptxas" ] && recent "$ptxas" || continue
		root=$(readlink -f "$ptxas")
		link_part "${root%/bin/ptxas}" && return 0
	done
	return 1
}

# mirror: the first Debian mirror, not of security updates, in this machine's apt sources.
mirror() {
	{ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
		sed -nE 's/^(URIs:|deb +(\[[^]]*\] +)?)\s*([a-z]+:[^ ]*debian\/?)( .*)?$/\3/p' | grep -v security | head -n 1
}

fetch() {
	local tool url options
	for tool in apt-get dpkg-deb tar; do command -v $tool >/dev/null || refuse "no toolkit is installed, and there is no $tool to fetch one with"; done
	url=$(mirror)
	[ -n "$url" ] || refuse 'no toolkit is installed, and apt has no Debian mirror'
	private=$(mktemp -d)
	trap 'rm -rf "$private"' EXIT # not local: the trap runs outside
	mkdir -p "$private"/{sources,lists/partial,cache/archives/partial,into}
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: non-free\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
		"$url" "$suite" >"$private/sources/debian.sources"
	options=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$private/sources" -o Dir::Etc::preferencesparts=/dev/null
		-o Dir::State::lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User="$(id -un)")
	echo "fetching the CUDA $part from Debian's $package"
	{ apt-get "${options[@]}" update && cd "$private" && apt-get "${options[@]}" download "$package"; } >"$private/log" 2>&1 ||
		refuse "apt could not fetch $package: $(tail -n 1 "$private/log")"
	# tar ends with the last of the files, and dpkg-deb with it: what comes after the headers takes a minute to unpack.
	{ dpkg-deb --fsys-tarfile "$private"/*.deb 2>>"$private/log" || true; } |
		tar -x -C "$private/into" --occurrence=1 "${wanted[@]/#/./usr/}" || refuse "$package could not be unpacked"
	keep "$private/into/usr"
}

# keep ROOT: moves the wanted files from an unpacked package's ROOT; each appears whole.
keep() {
	local file
	for file in "${wanted[@]}"; do
		mkdir -p "$home/${file%/*}"
		mv "$1/$file" "$home/$file.partial"
		mv -f "$home/$file.partial" "$home/$file"
	done
}

# make_stub: a library for the linker alone, with every function that cuda.h declares, by the names that its macros give.
make_stub() {
	local stub=$home/lib/libcuda.so
	[ -e "$stub" ] && return
	mkdir -p "$home/lib"
	echo '#include <cuda.h>' | gcc -E -I"$home/include" - | grep -oE '\bcu[A-Z][A-Za-z0-9_]*\(' | sort -u | sed 's/($/(void) {}/; s/^/void /' |
		gcc -shared -fPIC -Wl,-soname,libcuda.so.1 -x c - -o "$stub.partial"
	mv -f "$stub.partial" "$stub"
}

complete || use_installed || fetch
[ "$part" = assembler ] || make_stub
