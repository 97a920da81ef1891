package bounds

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
)

// interval is a set of integers, both ends included; empty where lo is above hi.
type interval struct{ lo, hi int64 }

// everything is what nothing is known of. As the interval of a uint64 it also stands for numbers
// that have no int64.
var everything = interval{math.MinInt64, math.MaxInt64}

// offsets are the element offsets that are followed: far beyond them an engine's pointers end.
var offsets = interval{-1 << 46, 1 << 46}

// ranges are the integers of each dtype, as far as they have an int64.
var ranges = func() (table [num.NumDTypes]interval) {
	for d := range num.NumDTypes {
		info := d.Info()
		switch {
		case info.Float:
			table[d] = everything
		case info.Signed:
			table[d] = interval{-1 << (info.Bits - 1), 1<<(info.Bits-1) - 1}
		default:
			table[d] = interval{0, 1<<min(info.Bits, 63) - 1}
		}
	}
	return table
}()

// whole is the interval of a d of which nothing is known.
func whole(d num.DType) interval {
	if d == num.Uint64 {
		return everything
	}
	return ranges[d]
}

// within reports whether all of x lies in y.
func (x interval) within(y interval) bool { return x.lo >= y.lo && x.hi <= y.hi }

func (x interval) hull(y interval) interval { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

func (x interval) single() bool { return x.lo == x.hi }

// floorDiv and ceilDiv round down and up; d is positive.
func floorDiv(x, d int64) int64 {
	q := x / d
	if x%d < 0 {
		q--
	}
	return q
}

func ceilDiv(x, d int64) int64 { return -floorDiv(-x, d) }

// corners is the hull of f at the ends of x and y: the range of a function that goes up or down
// with each of its arguments. Not ok where one of them is not.
func corners(x, y interval, f func(a, b int64) (int64, bool)) (z interval, ok bool) {
	z = interval{math.MaxInt64, math.MinInt64}
	for _, a := range [2]int64{x.lo, x.hi} {
		for _, b := range [2]int64{y.lo, y.hi} {
			v, ok := f(a, b)
			if !ok {
				return everything, false
			}
			z.lo, z.hi = min(z.lo, v), max(z.hi, v)
		}
	}
	return z, true
}
