// Package seeds says how many random kernels a test takes, and which.
package seeds

import (
	"fmt"
	"iter"
	"math"
	"os"
	"time"

	"github.com/newtlab/newt/infra/soak"
)

// Upto gives the seeds of a test's random kernels: n of them from 0 on, or what package soak makes of n.
// In the environment, SEEDS asks for another number, or for as many as a time such as 10m has room for, which are
// counted on the standard output; SEED is the first.
func Upto(n uint64) iter.Seq[uint64] {
	n = soak.Times(n)
	var first uint64
	fmt.Sscan(os.Getenv("SEED"), &first)
	var end time.Time
	if d, err := time.ParseDuration(os.Getenv("SEEDS")); err == nil && d > 0 {
		n, end = math.MaxUint64-first, time.Now().Add(d)
	} else {
		fmt.Sscan(os.Getenv("SEEDS"), &n)
	}
	return func(yield func(uint64) bool) {
		seed := first
		for ; seed-first < n && (end.IsZero() || time.Now().Before(end)) && yield(seed); seed++ {
		}
		if !end.IsZero() {
			fmt.Println(seed-first, "kernels from seed", first)
		}
	}
}
