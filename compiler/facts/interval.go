package facts

import (
	"github.com/newtlab/newt/compiler/num"
)

// Interval is what an integer lies in, both ends included; empty where Lo is above Hi. An end at ±Unbounded is none.
type Interval struct{ Lo, Hi int64 }

// Unbounded is from where on numbers are not told apart.
const Unbounded = 1 << 62

// Everything is the interval of what nothing is known of.
var Everything = Interval{-Unbounded, Unbounded}

// Offsets are the element offsets that are followed: far beyond them an engine's pointers end.
var Offsets = Interval{-1 << 46, 1 << 46}

var ranges = func() (table [num.NumDTypes]Interval) {
	for d := range num.NumDTypes {
		info := d.Info()
		switch {
		case info.Float || info.Signed && info.Bits > 62:
			table[d] = Everything
		case info.Signed:
			table[d] = Interval{-1 << (info.Bits - 1), 1<<(info.Bits-1) - 1}
		case info.Bits > 62:
			table[d] = Interval{0, Unbounded}
		default:
			table[d] = Interval{0, 1<<info.Bits - 1}
		}
	}
	return table
}()

// Range is what a dtype's integers lie in.
func Range(d num.DType) Interval { return ranges[d] }

// Exactly is the interval of a number.
func Exactly(c int64) Interval { c = clamp(c); return Interval{c, c} }

func clamp(v int64) int64 { return max(-Unbounded, min(Unbounded, v)) }

// Within reports whether all of x lies in y.
func (x Interval) Within(y Interval) bool { return x.Lo >= y.Lo && x.Hi <= y.Hi }

// Meet is what lies in both.
func (x Interval) Meet(y Interval) Interval { return Interval{max(x.Lo, y.Lo), min(x.Hi, y.Hi)} }

// Hull is the least interval that both lie in.
func (x Interval) Hull(y Interval) Interval { return Interval{min(x.Lo, y.Lo), max(x.Hi, y.Hi)} }

// Finite reports whether both ends are known.
func (x Interval) Finite() bool { return x.Lo > -Unbounded && x.Hi < Unbounded }

// Single reports whether x is one number.
func (x Interval) Single() bool { return x.Lo == x.Hi }

// Plus is where sums lie.
func (x Interval) Plus(y Interval) Interval {
	out := Everything
	if x.Lo > -Unbounded && y.Lo > -Unbounded {
		out.Lo = clamp(x.Lo + y.Lo)
	}
	if x.Hi < Unbounded && y.Hi < Unbounded {
		out.Hi = clamp(x.Hi + y.Hi)
	}
	return out
}

// Times is where products lie.
func (x Interval) Times(y Interval) Interval {
	out := Interval{Unbounded, -Unbounded}
	for _, a := range [2]int64{x.Lo, x.Hi} {
		for _, b := range [2]int64{y.Lo, y.Hi} {
			v := timesEnd(a, b)
			out.Lo, out.Hi = min(out.Lo, v), max(out.Hi, v)
		}
	}
	return out
}

// timesEnd is a product of ends of intervals.
func timesEnd(a, b int64) int64 {
	if v, ok := num.MulExact(a, b); ok {
		return clamp(v)
	}
	if (a < 0) != (b < 0) {
		return -Unbounded
	}
	return Unbounded
}

// by is k·x.
func (x Interval) by(k int64) Interval {
	if k < 0 {
		x.Lo, x.Hi = x.Hi, x.Lo
	}
	return Interval{timesEnd(k, x.Lo), timesEnd(k, x.Hi)}
}

// corners is the hull of f at the ends of x and y, which are finite: the range of a function that goes up or down with
// each of its arguments. Not ok where one of them is not.
func corners(x, y Interval, f func(a, b int64) (int64, bool)) (z Interval, ok bool) {
	if !x.Finite() || !y.Finite() {
		return Everything, false
	}
	z = Interval{Unbounded, -Unbounded}
	for _, a := range [2]int64{x.Lo, x.Hi} {
		for _, b := range [2]int64{y.Lo, y.Hi} {
			v, ok := f(a, b)
			if !ok {
				return Everything, false
			}
			z = z.Hull(Exactly(v))
		}
	}
	return z, true
}

// floorDiv and ceilDiv round down and up; d is positive.
func floorDiv(x, d int64) int64 {
	q := x / d
	if x%d < 0 {
		q--
	}
	return q
}

// ceilDiv is x/d, rounded up; see floorDiv.
func ceilDiv(x, d int64) int64 { return -floorDiv(-x, d) }

// GCD is the greatest common divisor, not negative.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
