package layout

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// convert runs a conversion for all threads at once. A value is the element it stands for.
func convert(t *testing.T, c Conversion, src, dst Layout, limit int) [][]uint32 {
	t.Helper()
	got := make([][]uint32, 32*dst.Warps())
	switch c.Kind {
	case Rename:
		for thread := range got {
			for _, r := range c.Regs {
				got[thread] = append(got[thread], src.At(r, thread%32, thread/32))
			}
		}
	case Shuffle:
		for warp := range dst.Warps() {
			copy(got[32*warp:], exchangeWarp(c.Exchange, src, warp))
		}
	case Shared:
		through(t, c, src, dst, got, limit)
	}
	return got
}

func exchangeWarp(e Exchange, src Layout, warp int) [][]uint32 {
	values := make([][]uint32, 32)
	for lane := range values {
		for r := range src.Regs() {
			values[lane] = append(values[lane], src.At(r, lane, warp))
		}
	}
	for _, s := range e.Steps {
		for lane := range values {
			from, index := lane, s.A
			if s.Lane >= 0 {
				from = e.Lanes[s.Lane].At(lane, warp)
			} else if (s.Cond.In == InLane && lane>>s.Cond.Bit&1 == 1) || (s.Cond.In == InWarp && warp>>s.Cond.Bit&1 == 1) {
				index = s.B
			}
			values[lane] = append(values[lane], values[from][index])
		}
	}
	out := make([][]uint32, 32)
	for lane := range out {
		for _, v := range e.Out {
			out[lane] = append(out[lane], values[lane][v])
		}
	}
	return out
}

func through(t *testing.T, c Conversion, src, dst Layout, got [][]uint32, limit int) {
	t.Helper()
	size := c.Mem.ElemBits / 8
	parts, bytes := c.Parts(limit)
	for thread := range got {
		got[thread] = make([]uint32, dst.Regs())
	}
	each := func(a Access, part int, warps int, f func(thread, reg, at int)) {
		for thread := range 32 * warps {
			for i, o := range a.At {
				if int(o.Imm)/bytes != part {
					continue
				}
				at := int(a.Thread(thread%32, thread/32)^o.Xor) + int(o.Imm)%bytes
				if at%(a.Vec*size) != 0 || at+a.Vec*size > bytes {
					t.Fatalf("address %d for %d bytes of %d", at, a.Vec*size, bytes)
				}
				for j := range a.Vec {
					f(thread, a.Regs[i*a.Vec+j], at/size+j)
				}
			}
		}
	}
	for part := range parts {
		mem := make([]uint32, bytes/size)
		for i := range mem {
			mem[i] = ^uint32(0)
		}
		each(c.Store, part, src.Warps(), func(thread, reg, at int) {
			mem[at] = src.At(reg, thread%32, thread/32)
		})
		each(c.Load, part, dst.Warps(), func(thread, reg, at int) {
			got[thread][reg] = mem[at]
		})
	}
	for thread := range got {
		for r, s := range c.Load.Same {
			got[thread][r] = got[thread][s]
		}
	}
}

func checkPlan(t *testing.T, name string, src, dst Layout, elemBits, limit int) Kind {
	t.Helper()
	c := Plan(src, dst, elemBits)
	got := convert(t, c, src, dst, limit)
	all(dst, func(reg, lane, warp int) {
		if g, want := got[32*warp+lane][reg], dst.At(reg, lane, warp); g != want {
			t.Fatalf("%s kind %d: register %d, lane %d, warp %d has element %d, want %d\nfrom %v\nto   %v", name, c.Kind, reg, lane, warp, g, want, src, dst)
		}
	})
	m, vec := Choose(src, dst, elemBits)
	for _, l := range []Layout{src, dst} {
		if n := m.BankConflicts(l, vec); n != 0 {
			t.Errorf("%s: %d bits, vec %d: %d conflicts in %v\nfrom %v\nto   %v", name, elemBits, vec, n, l, src, dst)
		}
	}
	return c.Kind
}

func TestPlanRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	seen := map[Kind]int{}
	for _, shape := range shapes {
		for i := range 100 {
			src := random(rng, shape, 2)
			dst := random(rng, shape, 2)
			if i%2 == 0 {
				dst = scramble(rng, src)
			}
			seen[checkPlan(t, "random", src, dst, []int{8, 16, 32, 64}[i/2%4], 1<<12)]++
		}
	}
	for _, k := range []Kind{Rename, Shuffle, Shared} {
		if seen[k] < 50 {
			t.Errorf("only %d conversions of kind %d", seen[k], k)
		}
	}
}

// scramble swaps a few of a layout's register and lane bases, which a warp can undo by itself.
func scramble(rng *rand.Rand, l Layout) Layout {
	bases := append(append([]uint32{}, l.Reg...), l.Lane...)
	for range rng.IntN(4) {
		i, j := rng.IntN(len(bases)), rng.IntN(len(bases))
		bases[i], bases[j] = bases[j], bases[i]
	}
	return Layout{l.Shape, bases[:len(l.Reg)], bases[len(l.Reg):], l.Warp}
}

func TestPlanNamed(t *testing.T) {
	for _, shape := range [][]int{{64, 64}, {128, 32}, {16, 16}} {
		layouts := named(shape)
		for from, src := range layouts {
			for to, dst := range layouts {
				for _, elemBits := range []int{8, 16, 32, 64} {
					checkPlan(t, fmt.Sprint(shape, from, " to ", to), src, dst, elemBits, 1<<13)
				}
			}
		}
	}
}

// What the compiler counts on to be free or cheap.
func TestPlanKinds(t *testing.T) {
	shape := []int{128, 64}
	acc := MmaAcc(shape, []int{4, 1})
	rows := ForVector(shape, []int{1, 0}, 4, 4)
	turned := ForVector([]int{64, 128}, []int{1, 0}, 4, 4).Trans([]int{1, 0})
	swapped := ForVector([]int{256}, []int{0}, 2, 4)
	swapped.Reg[0], swapped.Lane[0] = swapped.Lane[0], swapped.Reg[0]
	sliced, _ := acc.Slice(1)
	for _, c := range []struct {
		name     string
		src, dst Layout
		want     Kind
	}{
		{"accumulator to the next dot's operand", acc, MmaA(shape, []int{4, 1}, 16), Rename},
		{"itself", rows, rows, Rename},
		{"transposed", rows, turned, Shared},
		{"one lane bit for a register bit", ForVector([]int{256}, []int{0}, 2, 4), swapped, Shuffle},
		{"from replicas", sliced, ForVector([]int{128}, []int{0}, 1, 4), Shuffle},
		{"accumulator to rows", acc, rows, Shared},
	} {
		if got := checkPlan(t, c.name, c.src, c.dst, 32, 1<<20); got != c.want {
			t.Errorf("%s: kind %d, want %d", c.name, got, c.want)
		}
	}
	// One swap costs one shuffle for two registers.
	shuffles := 0
	for _, s := range Plan(ForVector([]int{256}, []int{0}, 2, 4), swapped, 32).Exchange.Steps {
		if s.Lane >= 0 {
			shuffles++
		}
	}
	if shuffles != 1 {
		t.Errorf("%d shuffles for a swap of two registers", shuffles)
	}
}

func TestParts(t *testing.T) {
	shape := []int{128, 128}
	c := Plan(MmaAcc(shape, []int{2, 2}), ForVector(shape, []int{1, 0}, 4, 4), 32)
	parts, bytes := c.Parts(1 << 14)
	if c.Kind != Shared || parts*bytes != c.Mem.Bytes() || bytes > 1<<14 {
		t.Errorf("kind %d: %d parts of %d bytes", c.Kind, parts, bytes)
	}
}

func BenchmarkPlan(b *testing.B) {
	shape := []int{128, 64}
	layouts := named(shape)
	for _, c := range [][2]string{{"rows", "a"}, {"acc", "rows"}, {"rows", "columns"}, {"blocked", "rows"}} {
		b.Run(c[0]+"-"+c[1], func(b *testing.B) {
			src, dst := layouts[c[0]], layouts[c[1]]
			for b.Loop() {
				Plan(src, dst, 16)
			}
		})
	}
	acc := MmaAcc(shape, []int{4, 1})
	a := MmaA(shape, []int{4, 1}, 16)
	b.Run("rename", func(b *testing.B) {
		for b.Loop() {
			Plan(acc, a, 16)
		}
	})
	flat, swapped := ForVector([]int{1024}, []int{0}, 4, 4), ForVector([]int{1024}, []int{0}, 4, 4)
	swapped.Reg[0], swapped.Lane[0] = swapped.Lane[0], swapped.Reg[0]
	b.Run("shuffle", func(b *testing.B) {
		for b.Loop() {
			Plan(flat, swapped, 32)
		}
	})
}

// Register bits that trade places with lane bits are passed by butterflies, a quarter of the values not at all.
func TestButterfly(t *testing.T) {
	src := ForVector([]int{512}, []int{0}, 4, 4)
	dst := Layout{src.Shape, []uint32{src.Lane[3], src.Lane[1]}, []uint32{4, src.Reg[1], 16, src.Reg[0], 64}, src.Warp}
	checkPlan(t, "two trades", src, dst, 32, 1<<20)
	e := Plan(src, dst, 32).Exchange
	if len(e.Lanes) != 3 {
		t.Errorf("%d lane expressions, want 3", len(e.Lanes))
	}
	for _, x := range e.Lanes {
		if !x.Butterfly() {
			t.Errorf("%v is no butterfly", x)
		}
	}
}
