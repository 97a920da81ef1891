package layout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// all calls f for every register of every thread.
func all(l Layout, f func(reg, lane, warp int)) {
	for warp := range l.Warps() {
		for lane := range l.Lanes() {
			for reg := range l.Regs() {
				f(reg, lane, warp)
			}
		}
	}
}

// random is a layout of shape with its bits dealt at random to warps warps, lanes, and registers, some free.
func random(rng *rand.Rand, shape []int, warps int) Layout {
	bits := rng.Perm(log2(elems(shape)))
	l := Layout{Shape: shape, Lane: make([]uint32, LaneBits), Warp: make([]uint32, warps)}
	deal := func(bases []uint32) {
		for i := range bases {
			if len(bits) > 0 && rng.IntN(5) > 0 {
				bases[i], bits = 1<<bits[0], bits[1:]
			}
		}
	}
	deal(l.Warp)
	deal(l.Lane)
	for len(bits) > 0 {
		l.Reg = append(l.Reg, 0)
		deal(l.Reg[len(l.Reg)-1:])
	}
	return l
}

var shapes = [][]int{nil, {1}, {2}, {64}, {1024}, {8, 8}, {16, 64}, {64, 16}, {1, 128}, {128, 32}, {2, 16, 32}, {4, 1, 8, 16}}

// named are the layouts that constructors make for a shape of rank 2.
func named(shape []int) map[string]Layout {
	return map[string]Layout{
		"rows":    ForVector(shape, []int{1, 0}, 8, 4),
		"columns": ForVector(shape, []int{0, 1}, 4, 4),
		"blocked": Blocked(shape, []int{2, 2}, []int{4, 8}, []int{2, 2}, []int{1, 0}),
		"acc":     MmaAcc(shape, []int{2, 2}),
		"accRows": MmaAcc(shape, []int{4, 1}),
		"a":       MmaA(shape, []int{2, 2}, 16),
		"b":       MmaB(shape, []int{2, 2}, 16),
		"wgmma":   WgmmaAcc(shape, []int{4, 1}),
	}
}

func TestValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range shapes {
		for range 20 {
			if err := random(rng, shape, 3).Valid(); err != nil {
				t.Fatal(shape, err)
			}
		}
		order := innerFirst(len(shape))
		for _, vec := range []int{1, 2, 16} {
			if err := ForVector(shape, order, vec, 8).Valid(); err != nil {
				t.Fatal(shape, err)
			}
		}
	}
	for _, shape := range [][]int{{64, 16}, {16, 8}, {1, 32}, {128, 256}, {32, 1}} {
		for name, l := range named(shape) {
			if err := l.Valid(); err != nil {
				t.Error(shape, name, err)
			}
		}
	}
	for want, l := range map[string]Layout{
		"dimension 3 is not a power of two":             {Shape: []int{3}},
		"4 lane bases, want 5":                          {Lane: make([]uint32, 4)},
		"basis 0x3 is not one bit of its own":           {Shape: []int{4}, Reg: []uint32{3, 1}, Lane: make([]uint32, 5)},
		"basis 0x1 is not one bit of its own":           {Shape: []int{4}, Reg: []uint32{1, 1}, Lane: make([]uint32, 5)},
		"the bases reach element bits 0x5, want 0x3":    {Shape: []int{4}, Reg: []uint32{1, 4}, Lane: make([]uint32, 5)},
		"the bases reach element bits 0x1, want 0x3":    {Shape: []int{4}, Reg: []uint32{1}, Lane: make([]uint32, 5)},
		"the bases reach element bits 0x0, want 0x7fff": {Shape: []int{1 << 15}, Lane: make([]uint32, 5)},
	} {
		if err := l.Valid(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Each element has as many places as the free bits say, and all of them agree.
func TestReplicas(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shape := range shapes {
		l := random(rng, shape, 2)
		free := l.Free()
		owners := make([]int, l.Elems())
		all(l, func(reg, lane, warp int) {
			if l.At(reg, lane, warp) != l.At(reg&^int(free.Reg), lane&^int(free.Lane), warp&^int(free.Warp)) {
				t.Fatal("a free bit changes the element")
			}
			if reg&int(free.Reg)|lane&int(free.Lane)|warp&int(free.Warp) == 0 {
				owners[l.At(reg, lane, warp)]++
			}
		})
		if !slices.Equal(owners, slices.Repeat([]int{1}, l.Elems())) {
			t.Fatal(shape, owners)
		}
	}
}

func TestCoalesced(t *testing.T) {
	l := ForVector([]int{32, 128}, []int{1, 0}, 4, 4)
	if got, want := l.String(), "[32, 128] reg (0,1) (0,2) (4,0) (8,0) (16,0) lane (0,4) (0,8) (0,16) (0,32) (0,64) warp (1,0) (2,0)"; got != want {
		t.Error(got)
	}
	small := ForVector([]int{16}, []int{0}, 4, 4)
	if got, want := small.String(), "[16] reg 1 2 lane 4 8 - - - warp - -"; got != want {
		t.Error(got)
	}
	if n, regs := l.Vector(1, 0); n != 4 || !slices.Equal(regs[:5], []int{0, 1, 2, 3, 4}) {
		t.Error(n, regs)
	}
}

func TestVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range shapes {
		for range 30 {
			l := random(rng, shape, 1)
			n, regs := l.Vector(innerFirst(len(shape))...)
			sorted := slices.Sorted(slices.Values(regs))
			for r := range l.Regs() {
				if sorted[r] != r {
					t.Fatal("registers are not permuted", regs)
				}
				first := l.At(regs[r/n*n], 3, 0)
				if first%uint32(n) != 0 || l.At(regs[r], 3, 0) != first+uint32(r%n) {
					t.Fatal(l, n, regs)
				}
			}
			if n < l.Elems() && slices.Contains(l.Reg, uint32(n)) {
				t.Fatal(l, "could be longer than", n)
			}
		}
	}
}

// same fails unless each register of result holds what index says it should: the element of the operand at the
// place that shape arithmetic gives.
func same(t *testing.T, name string, result, operand Layout, regs []int, index func(at []int) []int) {
	t.Helper()
	if err := result.Valid(); err != nil {
		t.Fatal(name, err)
	}
	all(result, func(reg, lane, warp int) {
		from := reg
		if regs != nil {
			from = regs[reg]
		}
		got := operand.Coord(operand.At(from, lane, warp))
		if want := index(result.Coord(result.At(reg, lane, warp))); !slices.Equal(got, want) {
			t.Fatalf("%s: register %d of lane %d is %v of the operand, want %v\n%v\n%v", name, reg, lane, got, want, operand, result)
		}
	})
}

func TestShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, shape := range shapes {
		for range 10 {
			l := random(rng, shape, 2)
			for axis := range len(shape) + 1 {
				e := l.ExpandDims(axis)
				same(t, "expand", e, l, nil, func(at []int) []int { return slices.Delete(at, axis, axis+1) })
				if !e.UnExpandDims(axis).Equal(l) {
					t.Fatal("UnExpandDims", axis)
				}
			}
			perm := rng.Perm(len(shape))
			tr := l.Trans(perm)
			same(t, "trans", tr, l, nil, func(at []int) []int {
				from := make([]int, len(at))
				for i, p := range perm {
					from[p] = at[i]
				}
				return from
			})
			if !tr.UnTrans(perm).Equal(l) {
				t.Fatal("UnTrans", perm)
			}
			flat := l.Reshape([]int{l.Elems()})
			same(t, "reshape", flat, l, nil, func(at []int) []int { return coord(shape, uint32(at[0])) })
			if !flat.UnReshape(shape).Equal(l) {
				t.Fatal("UnReshape")
			}
			dropped, regs := l.DropReplicas()
			same(t, "drop", dropped, l, regs, func(at []int) []int { return at })
			if dropped.Free().Reg != 0 {
				t.Fatal("replicas left", dropped)
			}
		}
	}
}

func TestSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, shape := range shapes {
		for axis := range shape {
			l := random(rng, shape, 2)
			result, regs := l.Slice(axis)
			along := l.masks(func(basis uint32) bool { return basis&axisMask(shape, axis) != 0 })
			if err := result.Valid(); err != nil {
				t.Fatal(err)
			}
			all(result, func(reg, lane, warp int) {
				// Index 0 along the axis is where all bits along it are 0.
				lane0, warp0 := lane&^int(along.Lane), warp&^int(along.Warp)
				got := l.Coord(l.At(regs[reg], lane0, warp0))
				want := slices.Insert(result.Coord(result.At(reg, lane, warp)), axis, 0)
				if !slices.Equal(got, want) {
					t.Fatal(l, axis, got, want)
				}
			})
			for j, p := range l.AlongBits(axis) {
				if [][]uint32{l.Reg, l.Lane, l.Warp}[p.In][p.Bit] != 1<<(shift(shape, axis)+j) {
					t.Fatal(l, "bit", j, "is at", p)
				}
			}
		}
	}
}

func TestBroadcast(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range [][2][]int{{{1}, {32}}, {{16, 1}, {16, 64}}, {{1, 64}, {8, 64}}, {{1, 1}, {4, 4}}, {{2, 1, 4}, {2, 8, 4}}, {{8, 8}, {8, 8}}} {
		small, large := c[0], c[1]
		fold := func(at []int) []int {
			for i := range at {
				at[i] &= small[i] - 1
			}
			return at
		}
		for range 20 {
			l := random(rng, small, 2)
			result, regs := l.Broadcast(large)
			same(t, "broadcast", result, l, regs, fold)
			wanted := random(rng, large, 2)
			operand, regs := wanted.UnBroadcast(small)
			same(t, "unbroadcast", wanted, operand, regs, fold)
			if operand.Free().Reg != 0 {
				t.Fatal("replicas left", operand)
			}
		}
	}
}

func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, shape := range shapes {
		l := random(rng, shape, 2)
		joined := l.Join()
		if err := joined.Valid(); err != nil {
			t.Fatal(err)
		}
		all(joined, func(reg, lane, warp int) {
			at := joined.Coord(joined.At(reg, lane, warp))
			if want := append(l.Coord(l.At(reg/2, lane, warp)), reg%2); !slices.Equal(at, want) {
				t.Fatal(at, want)
			}
		})
		wide := random(rng, append(slices.Clone(shape), 2), 2)
		ready := wide.ForSplit()
		if err := ready.Valid(); err != nil {
			t.Fatal(err)
		}
		if _, _, ok := wide.Split(); ok != slices.Contains(wide.Reg, 1) {
			t.Fatal(wide, ok)
		}
		for _, l := range []Layout{ready, joined} {
			half, regs, ok := l.Split()
			if !ok {
				t.Fatal("not split", l)
			}
			for i := range 2 {
				same(t, fmt.Sprint("split ", i), half, l, regs[i], func(at []int) []int { return append(at, i) })
			}
		}
	}
}

// Each thread has what it needs for its part of the result by multiplying and adding.
func TestFma(t *testing.T) {
	for _, acc := range []Layout{
		Blocked([]int{64, 32}, []int{4, 4}, []int{4, 8}, []int{2, 2}, []int{1, 0}),
		Blocked([]int{8, 16}, []int{2, 2}, []int{4, 8}, []int{2, 2}, []int{1, 0}),
		ForVector([]int{2, 16, 32}, []int{2, 1, 0}, 4, 4),
	} {
		const k = 8
		m := len(acc.Shape) - 2
		a, b := FmaA(acc, k), FmaB(acc, k)
		if err := errors.Join(a.Valid(), b.Valid()); err != nil {
			t.Fatal(err)
		}
		for thread := range 128 {
			has := func(l Layout) map[string]bool {
				set := map[string]bool{}
				for r := range l.Regs() {
					set[fmt.Sprint(l.Coord(l.At(r, thread%32, thread/32)))] = true
				}
				return set
			}
			hasA, hasB := has(a), has(b)
			if len(hasA) != a.Regs() || len(hasB) != b.Regs() {
				t.Fatal("registers are repeated")
			}
			for r := range acc.Regs() {
				for i := range k {
					x := acc.Coord(acc.At(r, thread%32, thread/32))
					y := slices.Clone(x)
					x[m+1], y[m] = i, i
					if !hasA[fmt.Sprint(x)] || !hasB[fmt.Sprint(y)] {
						t.Fatalf("thread %d lacks %v or %v", thread, x, y)
					}
				}
			}
		}
	}
}

// TestWithWarpsOf: each warp has the same elements as in the other layout; lanes, and the vectors of threads, stay.
func TestWithWarpsOf(t *testing.T) {
	took := 0
	for _, shape := range [][]int{{64, 64}, {128, 256}, {256, 32}, {1024}} {
		for _, vec := range []int{1, 4, 8} {
			order := innerFirst(len(shape))
			l := ForVector(shape, order, vec, 8)
			rng := rand.New(rand.NewPCG(uint64(vec), uint64(shape[0])))
			for range 20 {
				m := random(rng, shape, 3)
				out, ok := l.WithWarpsOf(m, vec)
				if !ok {
					if !out.Equal(l) {
						t.Fatal(out)
					}
					continue
				}
				took++
				if err := out.Valid(); err != nil {
					t.Fatal(err)
				}
				n, _ := out.Vector(order[0])
				if !slices.Equal(out.Warp, m.Warp) || !slices.Equal(out.Lane, l.Lane) || n < vec {
					t.Fatal(l, m, out)
				}
			}
		}
	}
	if took == 0 {
		t.Error("no layout has taken another one's warps")
	}
}
