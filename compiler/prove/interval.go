package prove

import "github.com/newtlab/newt/compiler/num"

// interval is what a number lies in, both ends included. An end at ±unbounded is none.
type interval struct{ lo, hi int64 }

const unbounded = 1 << 62

var everything = interval{-unbounded, unbounded}

// clamp brings an end into ±unbounded; ok says whether it is exact.
func clamp(v int64, ok bool, negative bool) int64 {
	switch {
	case !ok && negative:
		return -unbounded
	case !ok:
		return unbounded
	}
	return max(-unbounded, min(unbounded, v))
}

func (x interval) within(y interval) bool { return x.lo >= y.lo && x.hi <= y.hi }

func (x interval) meet(y interval) interval { return interval{max(x.lo, y.lo), min(x.hi, y.hi)} }

func (x interval) hull(y interval) interval { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

func (x interval) add(y interval) interval {
	end := func(a, b, none int64) int64 {
		if a == none || b == none {
			return none
		}
		return clamp(a+b, true, false)
	}
	return interval{end(x.lo, y.lo, -unbounded), end(x.hi, y.hi, unbounded)}
}

func (x interval) mul(y interval) interval {
	out := interval{unbounded, -unbounded}
	for _, a := range [2]int64{x.lo, x.hi} {
		for _, b := range [2]int64{y.lo, y.hi} {
			v, ok := num.MulExact(a, b)
			v = clamp(v, ok, (a < 0) != (b < 0))
			out.lo, out.hi = min(out.lo, v), max(out.hi, v)
		}
	}
	return out
}

// finite reports whether both ends are known.
func (x interval) finite() bool { return x.lo > -unbounded && x.hi < unbounded }

// rangeOf is what a dtype's integers lie in.
func rangeOf(d num.DType) interval {
	info := d.Info()
	switch {
	case info.Float || info.Signed && info.Bits > 62:
		return everything
	case info.Signed:
		return interval{-1 << (info.Bits - 1), 1<<(info.Bits-1) - 1}
	case info.Bits > 62:
		return interval{0, unbounded}
	}
	return interval{0, 1<<info.Bits - 1}
}
