package num

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/newtlab/newt/infra/soak"
)

// patterns are n elements of a dtype: bits at random, and often those of small numbers, of infinities and NaN, of both
// zeros and of what lies around a format's limits.
func patterns(rng *rand.Rand, d DType, n int) Vec {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, 65504, 65519,
		65520, 65536, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-126, 0x1p-149, 0x1p31, -0x1p31, 0x1p31 - 128, 88.7, 88.8,
		-87.3, -103.9, -104, 127.9, 128, -149, -150, 160, 161, 0x1.fep127, 0x1.ffp127}
	v := MakeVec(d.Info().Class, n)
	for i := range n {
		switch mask := uint64(math.MaxUint64) >> (64 - d.Info().Bits); rng.IntN(4) {
		case 0:
			SetBits(d, v, i, FromFloat(d, edges[rng.IntN(len(edges))]).Bits)
		case 1:
			SetBits(d, v, i, FromFloat(d, rng.NormFloat64()*40).Bits)
		case 2:
			SetBits(d, v, i, FromInt(d, int64(rng.IntN(9))-4).Bits)
		default:
			SetBits(d, v, i, rng.Uint64()&mask)
		}
	}
	return v
}

// sameBits reports whether two vectors are the same, any NaN like any other.
func sameBits(d DType, x, y Vec) bool {
	for i := range x.Len() {
		if ScalarAt(d, x, i) != ScalarAt(d, y, i) {
			return false
		}
	}
	return true
}

// identical reports whether two vectors have the same bits, those of NaN as well: what runs in pieces of another length,
// such as a function that is placed on threads, has other elements on vectors.
func identical(x, y Vec) bool {
	single := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }
	double := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return slices.EqualFunc(x.F32, y.F32, single) && slices.EqualFunc(x.F64, y.F64, double) &&
		slices.Equal(x.I32, y.I32) && slices.Equal(x.I64, y.I64)
}

// TestVectors: kernels give the same bits with loops on vectors as without, in place, too, and leave alone what is
// behind their elements.
func TestVectors(t *testing.T) {
	if !withVectors {
		t.Skip("no vectors")
	}
	defer func() { withVectors = true }()
	rng := rand.New(rand.NewPCG(1, 2))
	both := func(what string, d DType, n int, first Vec, f func(dst Vec)) {
		t.Helper()
		var got [2]Vec
		for i := range got {
			withVectors = i == 0
			whole := MakeVec(d.Info().Class, n+9)
			SetBits(d, whole, n, 1)
			got[i] = whole.Slice(0, n)
			f(got[i])
			if BitsOf(d, whole, n) != 1 {
				t.Fatalf("%v %s of %d elements writes behind them", d, what, n)
			}
		}
		if !identical(got[0], got[1]) {
			t.Fatalf("%v %s of %d elements, %v …: %v with vectors, %v without", d, what, n, first, got[0], got[1])
		}
	}
	for _, n := range []int{1, 7, 8, 9, 15, 16, 31, 32, 33, 67, 500} {
		for range soak.Times(10) {
			for d := range NumDTypes {
				x, y, c := patterns(rng, d, n), patterns(rng, d, n), patterns(rng, Int1, n)
				for op := range NumBinaryOps {
					if f := Binary(op, d); f != nil {
						both(op.String(), d, n, x, func(dst Vec) { f(dst, x, y) })
						both(op.String()+" in place", d, n, x, func(dst Vec) {
							Cast(d, d, RTNE)(dst, x)
							f(dst, dst, y)
						})
					}
				}
				for op := range NumCompareOps {
					both(op.String(), Int1, n, x, func(dst Vec) { Compare(op, d)(dst, x, y) })
				}
				for op := range NumUnaryOps {
					if f := Unary(op, d); f != nil {
						both(op.String(), d, n, x, func(dst Vec) { f(dst, x) })
					}
				}
				both("select", d, n, x, func(dst Vec) { Select(d.Info().Class)(dst, c, x, y) })
				for to := range NumDTypes {
					both("from "+d.String(), to, n, x, func(dst Vec) { Cast(d, to, RTNE)(dst, x) })
				}
				var raw [2][]byte
				for i := range raw {
					withVectors = i == 0
					raw[i] = make([]byte, (n+9)*d.Info().Bytes)
					Store(d, raw[i], x)
				}
				if !bytes.Equal(raw[0], raw[1]) {
					t.Fatalf("%v stored: %v with vectors, %v without", d, raw[0], raw[1])
				}
				both("load", d, n, x, func(dst Vec) { Load(d, dst, raw[0]) })
			}
		}
	}
}

// TestRows: tiles come from memory, and go there, as their elements do one by one.
func TestRows(t *testing.T) {
	defer func(have bool) { withVectors = have }(withVectors)
	rng := rand.New(rand.NewPCG(3, 4))
	for range soak.Times(1500) {
		withVectors = HasVectors() && rng.IntN(4) > 0
		d := DType(rng.IntN(int(NumDTypes)))
		rows, columns, size := 1+rng.IntN(40), 1+rng.IntN(40), d.Info().Bytes
		if rng.IntN(2) == 0 {
			rows, columns = 1<<rng.IntN(6), 1<<rng.IntN(6)
		}
		pitch := columns*size + rng.IntN(3)*size
		if rng.IntN(4) == 0 {
			pitch = -pitch
		}
		raw := make([]byte, 3+rows*max(pitch, -pitch))
		for i := range raw {
			raw[i] = byte(rng.IntN(256))
		}
		from := Rows{3 + max(0, -pitch*(rows-1)), pitch}
		got, want := MakeVec(d.Info().Class, rows*columns), MakeVec(d.Info().Class, rows*columns)
		for i := range rows * columns {
			LoadAt(d, want, i, raw[from.At+i/columns*pitch:], i%columns)
		}
		if LoadRows(d, got, columns, raw, from); !sameBits(d, got, want) {
			t.Fatalf("%d×%d of %v, %d apart: %v, want %v", rows, columns, d, pitch, got, want)
		}
		stored, expected := make([]byte, len(raw)), make([]byte, len(raw))
		StoreRows(d, stored, from, got, columns)
		for i := range rows * columns {
			StoreAt(d, expected[from.At+i/columns*pitch:], i%columns, got, i)
		}
		if !bytes.Equal(stored, expected) {
			t.Fatalf("%d×%d of %v, stored %d apart: %v, want %v", rows, columns, d, pitch, stored, expected)
		}
		if d != Uint32 {
			continue
		}
		turned := MakeVec(ClassI32, rows*columns)
		if LoadColumns(as[uint32](turned.I32), rows, raw, from); rows > 0 {
			for i := range rows * columns {
				if turned.I32[i%columns*rows+i/columns] != want.I32[i] {
					t.Fatalf("columns of %d×%d, %d apart: %v, want those of %v", rows, columns, pitch, turned, want)
				}
			}
		}
		evens, odds := make([]int32, len(got.I32)/2), make([]int32, len(got.I32)/2)
		Deinterleave(evens, odds, got.I32)
		for i := range evens {
			if evens[i] != got.I32[2*i] || odds[i] != got.I32[2*i+1] {
				t.Fatalf("%v has evens %v and odds %v", got, evens, odds)
			}
		}
		Fill(got.I32, 7)
		if slices.ContainsFunc(got.I32, func(x int32) bool { return x != 7 }) {
			t.Fatalf("filled: %v", got)
		}
	}
}

// TestVectorFunctions: what is no kernel of an operation gives the same bits with loops on vectors, too.
func TestVectorFunctions(t *testing.T) {
	if !withVectors {
		t.Skip("no vectors")
	}
	defer func() { withVectors = true }()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 8, 9, 67, 777} {
		for range soak.Times(10) {
			x, seed := patterns(rng, Float64, n), rng.Uint64()
			angles, drawn, state := make([]float32, n), [2][]float32{make([]float32, n), make([]float32, n)}, [TwisterWords]uint32{}
			for i := range angles {
				angles[i] = float32(rng.NormFloat64() * 100)
				drawn[0][i], drawn[1][i] = float32(rng.Uint32()>>8)*0x1p-24, float32(rng.Uint32()>>8)*0x1p-24
			}
			for i := range state {
				state[i] = rng.Uint32()
			}
			singles := patterns(rng, Float32, n)
			var exponentials, above, sums [2]Vec
			var waves, normals [2][2]Vec
			var words [2]PhiloxWords
			var states, tempered [2][TwisterWords]uint32
			for i := range 2 {
				withVectors = i == 0
				exponentials[i] = MakeVec(ClassF64, n)
				ExpForFloat32(exponentials[i].F64, x.F64)
				above[i] = MakeVec(ClassF64, n)
				ExpAbove(above[i].F64, singles.F32, float64(angles[0]))
				sums[i] = Vec{F64: make([]float64, 3*n)}
				AddNumber(sums[i].F64[2*n:], singles.F32, float64(angles[0]))
				AddNumber(sums[i].F64[:n], x.F64, float64(angles[0]))
				MulNumber(sums[i].F64[n:2*n], x.F64, float64(angles[0]))
				sums[i].F64 = append(sums[i].F64, x.F64...)
				RoundToFloat32(sums[i].F64[3*n:], x.F64)
				sums[i].F64 = append(sums[i].F64, Sum(x.F64), Sum(singles.F32))
				for _, largest := range []bool{true, false} {
					sums[i].F64 = append(sums[i].F64, float64(Extreme(singles.F32, largest)), float64(Extreme(angles, largest)))
				}
				waves[i] = [2]Vec{MakeVec(ClassF32, n), MakeVec(ClassF32, n)}
				SinCos32(waves[i][0].F32, waves[i][1].F32, angles)
				Philox(&words[i], seed, seed>>40, seed>>20, PhiloxRun)
				normals[i] = [2]Vec{MakeVec(ClassF32, n), MakeVec(ClassF32, n)}
				BoxMuller(normals[i][0].F32, normals[i][1].F32, drawn[0], drawn[1])
				states[i] = state
				Twist(&states[i])
				Temper(tempered[i][:], states[i][:])
			}
			if states[0] != states[1] || tempered[0] != tempered[1] {
				t.Fatal("Mersenne Twister: the words differ")
			}
			if !sameBits(Float64, exponentials[0], exponentials[1]) || !sameBits(Float64, above[0], above[1]) {
				t.Fatalf("exponentials of %v: %v with vectors, %v without; of %v above %v: %v and %v", x, exponentials[0],
					exponentials[1], singles, angles[0], above[0], above[1])
			}
			if !sameBits(Float64, sums[0], sums[1]) {
				t.Fatalf("sums of %v and %v: %v with vectors, %v without", x, singles, sums[0], sums[1])
			}
			for i := range 2 {
				if !sameBits(Float32, waves[0][i], waves[1][i]) {
					t.Fatalf("waves of %v: %v with vectors, %v without", angles, waves[0], waves[1])
				}
				if !identical(normals[0][i], normals[1][i]) {
					t.Fatalf("normal samples of %v: %v with vectors, %v without", drawn, normals[0], normals[1])
				}
			}
			if words[0] != words[1] {
				t.Fatalf("Philox, seed %d: the words differ", seed)
			}
		}
	}
}

// TestBoxMuller: the samples of all uniform ones of 24 bits are the same with vectors as without.
func TestBoxMuller(t *testing.T) {
	if !withVectors {
		t.Skip("no vectors")
	}
	defer func() { withVectors = true }()
	const atOnce = 1 << 12
	var u, v [atOnce]float32
	for first := 0; first < 1<<24; first += atOnce {
		if soak.Skips(first/atOnce, 64) {
			continue
		}
		for i := range u {
			u[i], v[i] = float32(first+i)*0x1p-24, float32((first+i)*7919&(1<<24-1))*0x1p-24
		}
		var got [2][2]Vec
		for i := range got {
			withVectors = i == 0
			got[i] = [2]Vec{MakeVec(ClassF32, atOnce), MakeVec(ClassF32, atOnce)}
			BoxMuller(got[i][0].F32, got[i][1].F32, u[:], v[:])
		}
		if !identical(got[0][0], got[1][0]) || !identical(got[0][1], got[1][1]) {
			t.Fatalf("samples of %v and the following ones differ", u[0])
		}
	}
}
