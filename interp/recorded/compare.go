package recorded

import (
	"bytes"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// closeULPs is how far floats may be from the recording, in units of the last place of the recorded number, or of the
// root mean square of its storage where that is larger: sums in another order differ by that much, however close to
// zero their terms cancel. GPUs approximate exp, sin and the like; a number that has been narrowed shows less of that.
// Integers have to be the same.
var closeULPs = map[num.DType]float64{
	num.Float64: 64, num.Float32: 64, num.Float16: 2, num.BFloat16: 2, num.Float8E4M3: 1, num.Float8E5M2: 1,
	num.Float8E4M3B8: 1, num.Float8E5B16: 1,
}

// Difference is how the elements of a storage differ from the recording.
type Difference struct {
	Elements int     // of the storage
	Count    int     // that are not the same bits, NaNs among themselves excepted
	Beyond   int     // that are farther away than closeULPs
	First    int     // the first of those that are beyond, or else of those that differ
	ULPs     float64 // of the element that is farthest away; infinite where one is no number, or for integers
	DType    num.DType
	Got      num.Scalar // at First
	Want     num.Scalar
	// Magnified says that the kernel magnifies rounding errors: those of its operations move as many elements as far as
	// the Beyond are off.
	Magnified bool

	distances []float64 // of those that are beyond
}

// outcome is what the storage alone would make of the launch.
func (d *Difference) outcome() Outcome {
	switch {
	case d.Beyond > 0 && !d.Magnified:
		return Differs
	case d.Count > 0:
		return Close
	}
	return Identical
}

// spreadFactor is how many times the spread of a few launches an element may be off.
const spreadFactor = 2

// explain sets Magnified, given how far rounding errors move each element: which elements they move far is a matter of
// chance, so the farthest is compared with the one that moves farthest, and so on down.
func (d *Difference) explain(spread []float64) {
	moves, off := slices.Sorted(slices.Values(spread)), slices.Sorted(slices.Values(d.distances))
	slices.Reverse(moves)
	slices.Reverse(off)
	d.Magnified = true
	for i, distance := range off {
		d.Magnified = d.Magnified && distance <= spreadFactor*moves[i]
	}
}

// compare compares the bytes of a storage, elements of d, with the recorded ones.
func compare(d num.DType, got, want []byte) Difference {
	size := d.Info().Bytes
	diff := Difference{DType: d, Elements: len(want) / size}
	if bytes.Equal(got, want) {
		return diff
	}
	have, wanted := load(d, got), load(d, want)
	unit, scale := precision(d), rootMeanSquare(d, wanted)
	for i := range diff.Elements {
		if bytes.Equal(got[i*size:][:size], want[i*size:][:size]) {
			continue
		}
		g, w := num.ScalarAt(d, have, i), num.ScalarAt(d, wanted, i)
		off := math.Inf(1)
		if d.Info().Float {
			off = math.Abs(g.Float()-w.Float()) / (unit * max(math.Abs(w.Float()), scale, smallest(d)))
			if math.IsNaN(g.Float()) && math.IsNaN(w.Float()) || g.Float() == w.Float() {
				continue // another NaN, or another zero
			}
			if math.IsNaN(off) {
				off = math.Inf(1)
			}
		}
		diff.ULPs = max(diff.ULPs, off)
		beyond := off > closeULPs[d]
		if diff.Count == 0 || beyond && diff.Beyond == 0 {
			diff.First, diff.Got, diff.Want = i, g, w
		}
		diff.Count++
		if beyond {
			diff.Beyond++
			diff.distances = append(diff.distances, distance(g, w))
		}
	}
	return diff
}

// distance is infinite where one of the two is no number.
func distance(g, w num.Scalar) float64 {
	if off := math.Abs(g.Float() - w.Float()); !math.IsNaN(off) {
		return off
	}
	return math.Inf(1)
}

func load(d num.DType, raw []byte) num.Vec {
	v := num.MakeVec(d.Info().Class, len(raw)/d.Info().Bytes)
	num.Load(d, v, raw)
	return v
}

// precision is the distance from 1 to the next number.
func precision(d num.DType) float64 {
	one := num.FromInt(d, 1)
	return num.Scalar{DType: d, Bits: one.Bits + 1}.Float() - 1
}

// smallest keeps the unit of numbers about zero from vanishing.
func smallest(d num.DType) float64 {
	if d == num.Float64 {
		return 1e-300
	}
	return 1e-30
}

// rootMeanSquare is that of the finite numbers; 0 of integers.
func rootMeanSquare(d num.DType, v num.Vec) float64 {
	if !d.Info().Float {
		return 0
	}
	out := num.MakeVec(num.ClassF64, v.Len())
	num.Cast(d, num.Float64, num.RTNE)(out, v)
	sum, n := 0.0, 0
	for _, x := range out.F64 {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			sum += x * x
			n++
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}
