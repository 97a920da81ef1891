package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestLimitHeap: the heap is limited to three quarters of the memory, unless the system does not say how much there is
// or the user has set a limit.
func TestLimitHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for _, c := range []struct {
		machine int64
		user    string
		want    int64
	}{
		{16 << 30, "", 12 << 30}, {0, "", math.MaxInt64}, {16 << 30, "1GiB", math.MaxInt64},
	} {
		debug.SetMemoryLimit(math.MaxInt64)
		t.Setenv("GOMEMLIMIT", c.user)
		limitHeap(c.machine)
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("%d bytes and GOMEMLIMIT=%s: %d, want %d", c.machine, c.user, got, c.want)
		}
	}
	if machineBytes() > 0 && tensorLimits().MaxBytes > machineBytes()/4*3 {
		t.Error("tensors may take more than the heap")
	}
}
