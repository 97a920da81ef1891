#!/usr/bin/env bash
# usage: gpu.sh   Puts all that the tests on a GPU need into .build/gpu, which can be copied to a machine
# with nothing but a driver: newt, its worker, the tests, and the script "run" that runs them. On a
# machine with a GPU it then runs them.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$PWD/.build/gpu
mkdir -p "$out"
cp .build/newt-cuda "$out/newt-cuda"
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$out/newt" ./runner
CGO_ENABLED=0 go test -c -trimpath -ldflags='-s -w' -o "$out/gpu.test" ./runner/gpu
cat >"$out/run" <<'END'
#!/bin/sh
# usage: run [FLAGS OF go test, such as -test.run=TestFaults]
cd "$(dirname "$0")" || exit 1
NEWT_GPU_WORKER=$PWD/newt-cuda exec ./gpu.test -test.v "$@"
END
chmod +x "$out/run"

if [ -e /dev/nvidiactl ]; then
	exec "$out/run"
fi
echo "there is no GPU here; copy .build/gpu to a machine that has one and start .build/gpu/run"
