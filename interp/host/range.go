package host

import (
	"fmt"

	"github.com/newtlab/newt/compiler/python"
)

type (
	// Range is range(Start, Stop, Step).
	Range struct{ Start, Stop, Step int64 }
	// Slice is start:stop:step; None where left out.
	Slice struct{ Start, Stop, Step Value }
)

// Type is "range".
func (Range) Type() string { return "range" }

// Type is "slice".
func (Slice) Type() string { return "slice" }

var rangeClass, sliceClass = &Class{Name: "range"}, &Class{Name: "slice"}

func init() {
	rangeClass.describe(typeRecord{
		make: laidOut("builtins", "range(start, stop=..., step=1, /)", rangeOf),
		slots: slots{
			length: func(_ *machine, v Value) int { return v.(Range).length() },
			item:   func(m *machine, v, index Value) Value { return rangeItem(m, v.(Range), index) },
			contains: func(m *machine, v, x Value) bool {
				r := v.(Range)
				if !is[python.Int](x) && !is[python.Bool](x) {
					return m.walkFor(m.iterateOver(r), x)
				}
				i, _ := python.AsInt(x)
				n, fits := i.Int64()
				// By arithmetic, since a range may be longer than any run could walk.
				at := n - r.Start
				return fits && r.length() > 0 && at%r.Step == 0 && at/r.Step >= 0 && at/r.Step < int64(r.length())
			},
			iterate: func(_ *machine, v Value) func() (Value, bool) {
				r, i := v.(Range), 0
				n := r.length()
				return func() (Value, bool) {
					if i >= n {
						return nil, false
					}
					i++
					return python.IntValue(r.Start + int64(i-1)*r.Step), true
				}
			},
			compare: func(_ *machine, op string, v, other Value) Value {
				if y, ok := other.(Range); ok {
					return compareEqual(op, sameRange(v.(Range), y))
				}
				return notImplemented
			},
			hash: hashRange,
			repr: leaf(func(v Value) string {
				r := v.(Range)
				if r.Step == 1 {
					return fmt.Sprintf("range(%d, %d)", r.Start, r.Stop)
				}
				return fmt.Sprintf("range(%d, %d, %d)", r.Start, r.Stop, r.Step)
			}),
		},
		methods: map[string]method{
			"index(self, value, start=0, stop=..., /)": sequenceIndex, "count(self, value, /)": sequenceCount,
			"__reversed__(self, /)": func(m *machine, a arguments) Value { return builtinReversed(m, self[Range](a)) },
			"@property start(self)": func(_ *machine, a arguments) Value { return python.NewInt(self[Range](a).Start) },
			"@property stop(self)":  func(_ *machine, a arguments) Value { return python.NewInt(self[Range](a).Stop) },
			"@property step(self)":  func(_ *machine, a arguments) Value { return python.NewInt(self[Range](a).Step) },
		},
	})

	sliceClass.describe(typeRecord{
		make: laidOut("builtins", "slice(start, stop=..., step=None, /)", sliceOf),
		slots: slots{
			compare: func(m *machine, op string, v, other Value) Value {
				x := v.(Slice)
				if y, ok := other.(Slice); ok {
					return compareItems(m, op, []Value{x.Start, x.Stop, x.Step}, []Value{y.Start, y.Stop, y.Step})
				}
				return notImplemented
			},
			repr: leaf(func(v Value) string {
				s := v.(Slice)
				return "slice(" + Repr(s.Start) + ", " + Repr(s.Stop) + ", " + Repr(s.Step) + ")"
			}),
		},
		methods: map[string]method{
			"indices(self, len, /)": func(_ *machine, a arguments) Value {
				n := asIndex(a.positional[1])
				if n < 0 {
					raise("ValueError", "length should not be negative")
				}
				start, stop, step := self[Slice](a).indices(int(n))
				return Tuple{intValue(start), intValue(stop), intValue(step)}
			},
			"@property start(self)": func(_ *machine, a arguments) Value { return self[Slice](a).Start },
			"@property stop(self)":  func(_ *machine, a arguments) Value { return self[Slice](a).Stop },
			"@property step(self)":  func(_ *machine, a arguments) Value { return self[Slice](a).Step },
		},
	})
}

func (r Range) length() int {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		// Unsigned: the difference of two int64 may not fit one.
		return int((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int((uint64(r.Start)-uint64(r.Stop)-1)/-uint64(r.Step)) + 1
	}
	return 0
}

func rangeOf(m *machine, a arguments) Value {
	r := Range{0, asIndex(a.positional[0]), asIndex(a.positional[2])}
	if a.positional[1] != nil {
		r.Start, r.Stop = r.Stop, asIndex(a.positional[1])
	}
	if r.Step == 0 {
		raise("ValueError", "range() arg 3 must not be zero")
	}
	return r
}

func sliceOf(m *machine, a arguments) Value {
	p := a.positional
	if p[1] == nil {
		return Slice{none, p[0], none}
	}
	return Slice{p[0], p[1], p[2]}
}

// sameRange reports whether two ranges have the same numbers.
func sameRange(x, y Range) bool {
	n := x.length()
	return n == y.length() && (n == 0 || x.Start == y.Start && (n == 1 || x.Step == y.Step))
}

func rangeItem(m *machine, r Range, index Value) Value {
	s, ok := index.(Slice)
	if !ok {
		return python.NewInt(r.Start + int64(m.itemPosition(index, r.length(), "range object"))*r.Step)
	}
	start, step, count := s.bounds(r.length())
	first := r.Start + int64(start)*r.Step
	return Range{first, first + int64(count*step)*r.Step, r.Step * int64(step)}
}

// bounds clips a slice to a sequence of n: the first index, the step, and how many.
func (s Slice) bounds(n int) (start, step, count int) {
	start, stop, step := s.indices(n)
	if step > 0 {
		count = (stop - start + step - 1) / step
	} else {
		count = (start - stop - step - 1) / -step
	}
	return start, step, max(count, 0)
}

// indices clips a slice to a sequence of n.
func (s Slice) indices(n int) (start, stop, step int) {
	step = 1
	if s.Step != none {
		// Clipped as PySlice_AdjustIndices does, but to 2⁴⁰, so that start+i*step cannot overflow.
		step = int(max(min(asIndex(s.Step), 1<<40), -1<<40))
	}
	if step == 0 {
		raise("ValueError", "slice step cannot be zero")
	}
	// A negative step walks from n-1 down, and -1 is where it stops before the first: see PySlice_AdjustIndices.
	low, high := 0, n
	if step < 0 {
		low, high = -1, n-1
	}
	clip := func(v Value, otherwise int) int {
		if v == none {
			return otherwise
		}
		i := asIndex(v)
		if i < 0 {
			i += int64(n)
		}
		return int(max(min(i, int64(high)), int64(low)))
	}
	if step > 0 {
		return clip(s.Start, low), clip(s.Stop, high), step
	}
	return clip(s.Start, high), clip(s.Stop, low), step
}

// hashRange is the hash of the numbers of a range, as range_hash has it: how many, the first, and the step.
func hashRange(v Value, depth int) int64 {
	r := v.(Range)
	key := Tuple{intValue(r.length()), none, none}
	if r.length() > 0 {
		key[1] = python.NewInt(r.Start)
	}
	if r.length() > 1 {
		key[2] = python.NewInt(r.Step)
	}
	return hashTuple(key, depth)
}
