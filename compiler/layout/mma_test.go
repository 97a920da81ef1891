package layout

import (
	"slices"
	"testing"
)

// fragments are the tables of the PTX ISA for one instruction: the position of element i of a lane, with g the group and t the
// thread in it.
var fragments = []struct {
	name   string
	layout Layout
	count  int
	at     func(i, g, t int) [2]int
}{
	{"m16n8 accumulator", MmaAcc([]int{16, 8}, []int{1, 1}), 4, func(i, g, t int) [2]int {
		row := g
		if i >= 2 {
			row = g + 8
		}
		return [2]int{row, t*2 + i&1}
	}},
	{"m16n8k16 A, 16 bits", MmaA([]int{16, 16}, []int{1, 1}, 16), 8, func(i, g, t int) [2]int {
		row, col := g+8, t*2+i&1
		if i == 0 || i == 1 || i == 4 || i == 5 {
			row = g
		}
		if i >= 4 {
			col += 8
		}
		return [2]int{row, col}
	}},
	{"m16n8k16 B, 16 bits", MmaB([]int{16, 8}, []int{1, 1}, 16), 4, func(i, g, t int) [2]int {
		row := t*2 + i&1
		if i >= 2 {
			row += 8
		}
		return [2]int{row, g}
	}},
	{"m16n8k8 A, tf32", MmaA([]int{16, 8}, []int{1, 1}, 32), 4, func(i, g, t int) [2]int {
		return [][2]int{{g, t}, {g + 8, t}, {g, t + 4}, {g + 8, t + 4}}[i]
	}},
	{"m16n8k8 B, tf32", MmaB([]int{8, 8}, []int{1, 1}, 32), 2, func(i, g, t int) [2]int {
		return [][2]int{{t, g}, {t + 4, g}}[i]
	}},
	{"m16n8k32 A, 8 bits", MmaA([]int{16, 32}, []int{1, 1}, 8), 16, func(i, g, t int) [2]int {
		row, col := g+8, t*4+i&3
		if i < 4 || i >= 8 && i < 12 {
			row = g
		}
		if i >= 8 {
			col += 16
		}
		return [2]int{row, col}
	}},
	{"m16n8k32 B, 8 bits", MmaB([]int{32, 8}, []int{1, 1}, 8), 8, func(i, g, t int) [2]int {
		row := t*4 + i&3
		if i >= 4 {
			row += 16
		}
		return [2]int{row, g}
	}},
}

func TestFragments(t *testing.T) {
	for _, f := range fragments {
		if f.layout.Regs() != f.count {
			t.Errorf("%s: %d registers, want %d", f.name, f.layout.Regs(), f.count)
			continue
		}
		all(f.layout, func(reg, lane, warp int) {
			got := f.layout.Coord(f.layout.At(reg, lane, warp))
			if want := f.at(reg, lane>>2, lane%4); !slices.Equal(got, want[:]) {
				t.Fatalf("%s: a%d of lane %d is %v, want %v", f.name, reg, lane, got, want)
			}
		})
	}
}

// D of wgmma.m64nN: row 16·(warp%4) + lane/4 + 8·(i/2%2), column 8·(i/4) + 2·(lane%4) + i%2.
func TestWgmmaAcc(t *testing.T) {
	const n = 64
	l := WgmmaAcc([]int{256, 2 * n}, []int{8, 2})
	all(l, func(i, lane, warp int) {
		tile, j := i/(n/2), i%(n/2)
		group := warp / 4
		want := []int{
			128*(group%2) + 64*tile + 16*(warp%4) + lane/4 + 8*(j/2%2),
			n*(group/2) + 8*(j/4) + 2*(lane%4) + j%2,
		}
		if got := l.Coord(l.At(i, lane, warp)); !slices.Equal(got, want) {
			t.Fatalf("d%d of lane %d, warp %d is %v, want %v", i, lane, warp, got, want)
		}
	})
}

// A of wgmma.m64nNk32 with bytes: as in mma.m16n8k32, but for 16 rows of each of the four warps.
func TestWgmmaA(t *testing.T) {
	const steps = 2
	l := WgmmaA([]int{256, 32 * steps}, []int{8, 2}, 8)
	all(l, func(reg, lane, warp int) {
		instruction, i := reg/16, reg%16
		want := []int{
			128*(warp/4%2) + 64*(instruction/steps) + 16*(warp%4) + lane/4 + 8*(i/4%2),
			32*(instruction%steps) + 16*(i/8) + 4*(lane%4) + i%4,
		}
		if got := l.Coord(l.At(reg, lane, warp)); !slices.Equal(got, want) {
			t.Fatalf("a%d of lane %d, warp %d is %v, want %v", reg, lane, warp, got, want)
		}
	})
}

// Adjacent rows: the accumulator and the left operand have the same rows in the same threads as before, and each thread
// has runs of n of them.
func TestAdjacentRows(t *testing.T) {
	for _, c := range []struct{ n, rows, groups int }{{2, 64, 1}, {2, 128, 2}, {4, 128, 1}, {4, 512, 2}} {
		warps := []int{4 * c.groups, 1}
		acc, a := WgmmaAcc([]int{c.rows, 16}, warps), WgmmaA([]int{c.rows, 32}, warps, 8)
		nearAcc, nearA := acc.AdjacentRows(c.n), a.AdjacentRows(c.n)
		for _, l := range []Layout{nearAcc, nearA} {
			if err := l.Valid(); err != nil {
				t.Fatal(l, err)
			}
			if vec := (Mem{l.Shape, RowMajor(l.Shape, []int{0, 1}, 8).Off, 8}).Access(l, 16).Vec; vec != c.n {
				t.Errorf("%v: a thread has %d adjacent rows, want %d", l, vec, c.n)
			}
		}
		renumbered := map[int]int{}
		all(acc, func(reg, lane, warp int) {
			renumbered[acc.Coord(acc.At(reg, lane, warp))[0]] = nearAcc.Coord(nearAcc.At(reg, lane, warp))[0]
		})
		all(a, func(reg, lane, warp int) {
			from, to := a.Coord(a.At(reg, lane, warp)), nearA.Coord(nearA.At(reg, lane, warp))
			if renumbered[from[0]] != to[0] || from[1] != to[1] {
				t.Fatalf("%v of A became %v, row %d of the accumulator %d", from, to, from[0], renumbered[from[0]])
			}
		})
	}
}

// A program of mma.sync instructions by the documented order of registers: every element of the result must be the
// sum of all its products, each once.
func TestDotByFragments(t *testing.T) {
	for _, c := range []struct {
		batch, m, n, k int
		warps          []int
		elemBits       int
	}{
		{1, 64, 32, 64, []int{2, 2}, 16},
		{1, 64, 32, 32, []int{4, 1}, 32},
		{1, 32, 64, 64, []int{1, 4}, 8},
		{1, 8, 4, 32, []int{2, 2}, 16},
		{4, 16, 16, 16, []int{2, 2, 1}, 16},
		{2, 32, 16, 16, []int{4, 1, 2}, 32},
	} {
		shape := func(rows, cols int) []int {
			if c.batch > 1 {
				return []int{c.batch, rows, cols}
			}
			return []int{rows, cols}
		}
		acc := MmaAcc(shape(c.m, c.n), c.warps)
		a := MmaA(shape(c.m, c.k), c.warps, c.elemBits)
		b := MmaB(shape(c.k, c.n), c.warps, c.elemBits)
		for _, l := range []Layout{acc, a, b} {
			if err := l.Valid(); err != nil || l.Warps() != acc.Warps() {
				t.Fatal(l, err)
			}
		}
		steps := c.k / MmaK(c.elemBits)
		p := 32 / c.elemBits
		tiles := acc.Regs() / 4
		rowsOf := a.Regs() / (4 * p * steps)
		colsOf := b.Regs() / (2 * p * steps)
		for tile := range tiles {
			// Tiles go along N first, then M, then the batch; operands have one dimension and the batch.
			nReg := tilesAlong(acc, len(acc.Shape)-1)
			mReg := tilesAlong(acc, len(acc.Shape)-2)
			batch, within := tile/(nReg*mReg), tile%(nReg*mReg)
			mTile, nTile := batch*mReg+within/nReg, batch*nReg+within%nReg
			if mTile >= rowsOf || nTile >= colsOf {
				t.Fatalf("%+v: tile %d has no operands: %d of %d, %d of %d", c, tile, mTile, rowsOf, nTile, colsOf)
			}
			for warp := range acc.Warps() {
				checkTile(t, acc, a, b, tile, mTile*steps, nTile*steps, steps, p, warp)
			}
		}
	}
}

// tilesAlong counts a thread's instructions along a dimension.
func tilesAlong(acc Layout, axis int) int {
	n := 1
	mask := axisMask(acc.Shape, axis)
	for _, basis := range acc.Reg[2:] {
		if basis&mask != 0 {
			n *= 2
		}
	}
	return n
}

// checkTile follows the instructions of one tile in the numbers of their fragments' elements.
func checkTile(t *testing.T, acc, a, b Layout, tile, aFirst, bFirst, steps, p, warp int) {
	t.Helper()
	rank := len(acc.Shape)
	for lane := range 32 {
		for i := range 4 {
			at := acc.Coord(acc.At(4*tile+i, lane, warp))
			seen := map[int]bool{}
			for s := range steps {
				for j := range 2 * p {
					for quad := range 4 {
						// Lanes of a's group and of b's group that meet in this element.
						aLane, bLane := lane&^3|quad, (2*(lane&3)+i&1)<<2|quad
						aReg := (aFirst+s)*4*p + j%p + p*(i>>1) + 2*p*(j/p)
						bReg := (bFirst+s)*2*p + j
						x, y := a.Coord(a.At(aReg, aLane, warp)), b.Coord(b.At(bReg, bLane, warp))
						if x[rank-1] != y[rank-2] || x[rank-2] != at[rank-2] || y[rank-1] != at[rank-1] {
							t.Fatalf("tile %d lane %d c%d %v: product of %v and %v", tile, lane, i, at, x, y)
						}
						if rank == 3 && (x[0] != at[0] || y[0] != at[0]) {
							t.Fatalf("batches %v %v %v", at, x, y)
						}
						seen[x[rank-1]] = true
					}
				}
			}
			if len(seen) != a.Shape[rank-1] {
				t.Fatalf("%d products, want %d", len(seen), a.Shape[rank-1])
			}
		}
	}
}
