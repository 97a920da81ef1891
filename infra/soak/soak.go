// Package soak tells tests which of three tiers runs them: `make quick` (-short), `make test`, or `make soak`, which
// sets NEWT_SOAK and leaves nothing out. What `make test` leaves to the soak is what calls this package, and the rows
// of the Makefile's list.
package soak

import (
	"os"
	"runtime"
	"testing"
)

// On reports whether everything is to run.
func On() bool { return os.Getenv("NEWT_SOAK") != "" }

// short reports whether as little as possible is to run: under -short, and where the tests are themselves interpreted
// or translated by a browser's engine.
func short() bool { return !On() && (testing.Short() || runtime.GOARCH == "wasm") }

// Only skips a test that `make soak` alone runs; why says what `make test` has in its place.
func Only(t testing.TB, why string) {
	t.Helper()
	if !On() {
		t.Skip("make soak runs this: " + why)
	}
}

// Times returns how often a test does something: n times in `make test`, a tenth of it in `make quick`, ten times as
// often in the soak. Under WebAssembly, whose one thread leaves little time to the collector and whose memory ends at
// 4 GiB, the soak does it n times.
func Times(n uint64) uint64 {
	switch {
	case On() && runtime.GOARCH == "wasm":
		return n
	case On():
		return 10 * n
	case short():
		return max(1, n/10)
	}
	return n
}

// Skips reports whether a test leaves out the i-th of its cases: `make test` takes one of every n, `make quick` one of
// every 3n, the soak all.
func Skips(i, n int) bool {
	if short() {
		n *= 3
	}
	return !On() && i%n != 0
}

// Variants returns what a test repeats its steps in, such as languages, themes and sizes of a window: the first alone,
// and all in the soak.
func Variants[T any](all ...T) []T {
	if On() {
		return all
	}
	return all[:1]
}
