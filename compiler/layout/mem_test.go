package layout

import (
	"fmt"
	"slices"
	"testing"
)

func bijective(t *testing.T, name string, m Mem) {
	t.Helper()
	n := elems(m.Shape)
	seen := make([]bool, n)
	for e := range n {
		if off := m.At(uint32(e)); int(off) >= n || seen[off] {
			t.Fatalf("%s: offset %d of element %d is outside or taken", name, off, e)
		} else {
			seen[off] = true
		}
	}
}

func TestMem(t *testing.T) {
	m := RowMajor([]int{4, 8}, []int{0, 1}, 32)
	bijective(t, "columns", m)
	if got := m.At(2*8 + 3); got != 3*4+2 || m.Bytes() != 128 {
		t.Error(got, m.Bytes())
	}
	turned := m.Trans([]int{1, 0})
	if !turned.Equal(RowMajor([]int{8, 4}, []int{1, 0}, 32)) || turned.Equal(m) {
		t.Error(turned)
	}
	for _, shape := range [][]int{{1, 1}, {1, 64}, {64, 1}, {16, 16}, {8, 256}, {256, 8}, {2, 16, 32}} {
		for _, elemBits := range []int{8, 16, 32} {
			for _, fast := range []int{len(shape) - 2, len(shape) - 1} {
				for _, k := range []int{len(shape) - 2, len(shape) - 1} {
					bijective(t, fmt.Sprint("dot ", shape, k, fast, elemBits), ForDot(shape, k, fast, elemBits))
				}
				for _, span := range []int{16, 32, 64, 128} {
					bijective(t, fmt.Sprint("atom ", shape, fast, span), Atom(shape, fast, elemBits, span))
				}
			}
		}
	}
}

// wgmma's swizzles permute 16-byte pieces by the number of the 128-byte line: in the byte address, bits 4-6 by bits
// 7-9 for 128 bytes, 4-5 by 7-8 for 64, 4 by 7 for 32.
func TestAtomSwizzle(t *testing.T) {
	const rows, cols, elemBytes = 32, 256, 2
	for span, mask := range map[int]int{16: 0, 32: 1, 64: 3, 128: 7} {
		m := Atom([]int{rows, cols}, 1, 8*elemBytes, span)
		wide := span / elemBytes
		for row := range rows {
			for col := range cols {
				plain := ((col/wide)*rows*wide + row*wide + col%wide) * elemBytes
				want := plain ^ (plain>>7&mask)<<4
				if got := int(m.At(uint32(row*cols+col))) * elemBytes; got != want {
					t.Fatalf("span %d: (%d, %d) is at %d, want %d", span, row, col, got, want)
				}
			}
		}
		if turned := Atom([]int{cols, rows}, 0, 8*elemBytes, span); !turned.Equal(m.Trans([]int{1, 0})) {
			t.Error("a transposed atom differs", turned)
		}
	}
}

// slowConflicts counts wavefronts register by register and warp by warp from whole addresses.
func slowConflicts(m Mem, l Layout, maxVec int) int {
	a := m.Access(l, maxVec)
	bytes := a.Vec * m.ElemBits / 8
	extra := 0
	for _, o := range a.At {
		lanes := 32 / max(1, bytes/4)
		for first := 0; first < 32; first += lanes {
			banks := map[uint32]map[uint32]bool{}
			most := 1
			for lane := first; lane < first+lanes; lane++ {
				at := (a.Thread(lane, 1) ^ o.Xor) + o.Imm
				for b := range uint32(bytes) {
					word := (at + b) / 4
					if banks[word%32] == nil {
						banks[word%32] = map[uint32]bool{}
					}
					banks[word%32][word] = true
					most = max(most, len(banks[word%32]))
				}
			}
			extra += most - 1
		}
	}
	return extra
}

func TestBankConflicts(t *testing.T) {
	shape := []int{64, 64}
	for name, l := range named(shape) {
		for _, elemBits := range []int{8, 16, 32, 64} {
			for _, order := range [][]int{{1, 0}, {0, 1}} {
				m := RowMajor(shape, order, elemBits)
				if got, want := m.BankConflicts(l, 16), slowConflicts(m, l, 16); got != want {
					t.Errorf("%s, %d bits, order %v: %d, want %d", name, elemBits, order, got, want)
				}
			}
		}
	}
	columns := ForVector([]int{32, 32}, []int{0, 1}, 1, 1)
	if got := RowMajor([]int{32, 32}, []int{1, 0}, 32).BankConflicts(columns, 1); got != 32*31 {
		t.Errorf("%d extra wavefronts down the columns of 32 words, want %d", got, 32*31)
	}
}

// ldmatrix by its definition: lane 8j+r gives the address of row r of matrix j; in register j, lane l gets the 4
// bytes at 4·(l%4) of row l/4 or, transposed, element l/4 of rows 2·(l%4) and 2·(l%4)+1.
func ldmatrix(t *testing.T, x Matrices, m Mem, inverse []uint32, i, j, lane, warp int) []uint32 {
	t.Helper()
	size := m.ElemBits / 8
	row := func(r int) int {
		at := x.At[i]
		address := int(x.Thread(8*j+r, warp)^at.Xor) + int(at.Imm)
		if address%16 != 0 {
			t.Fatalf("address %d", address)
		}
		return address / size
	}
	var got []uint32
	if x.Trans {
		for r := range 2 {
			got = append(got, inverse[row(2*(lane%4)+r)+lane/4])
		}
		return got
	}
	for b := range 4 / size {
		got = append(got, inverse[row(lane/4)+lane%4*4/size+b])
	}
	return got
}

func checkMatrices(t *testing.T, name string, m Mem, l Layout) Matrices {
	t.Helper()
	x, ok := Ldmatrix(m, l)
	if !ok {
		t.Errorf("%s: no ldmatrix", name)
		return x
	}
	inverse := make([]uint32, elems(m.Shape))
	for e := range inverse {
		inverse[m.At(uint32(e))] = uint32(e)
	}
	p := 32 / m.ElemBits
	if len(x.At)*x.Count*p != l.Regs() {
		t.Fatalf("%s: %d instructions of %d for %d registers", name, len(x.At), x.Count, l.Regs())
	}
	for warp := range l.Warps() {
		for lane := range 32 {
			for i := range x.At {
				for j := range x.Count {
					got := ldmatrix(t, x, m, inverse, i, j, lane, warp)
					for b := range p {
						reg := (i*x.Count+j)*p + b
						if want := l.At(reg, lane, warp); got[b] != want {
							t.Fatalf("%s: register %d of lane %d, warp %d is %d, want %d", name, reg, lane, warp, got[b], want)
						}
					}
				}
			}
		}
	}
	if n := x.Conflicts(); n != 0 {
		t.Errorf("%s: %d conflicts", name, n)
	}
	return x
}

// Operands of dots: written in 16-byte pieces of rows, read in fragments, no conflicts on either side.
func TestForDot(t *testing.T) {
	for _, shape := range [][]int{{64, 64}, {128, 32}, {32, 128}, {64, 256}, {16, 32}, {32, 16}, {2, 32, 64}} {
		rank := len(shape)
		warps := slices.Repeat([]int{2}, rank)
		for _, elemBits := range []int{8, 16, 32} {
			for kAxis, operand := range map[int]Layout{
				rank - 1: MmaA(shape, warps, elemBits),
				rank - 2: MmaB(shape, warps, elemBits),
			} {
				for fast := rank - 2; fast < rank; fast++ {
					if shape[fast]*elemBits < 128 || shape[kAxis] < MmaK(elemBits) {
						continue
					}
					name := fmt.Sprintf("%v of %d bits, k %d, fast %d", shape, elemBits, kAxis, fast)
					m := ForDot(shape, kAxis, fast, elemBits)
					order := slices.Insert(slices.DeleteFunc(innerFirst(rank), func(a int) bool { return a == fast }), 0, fast)
					write := ForVector(shape, order, 128/elemBits, 8)
					if a := m.Access(write, 16); a.Vec*elemBits != 128 {
						t.Errorf("%s: written %d bits at once", name, a.Vec*elemBits)
					}
					if n := m.BankConflicts(write, 16); n != 0 {
						t.Errorf("%s: %d conflicts in writing", name, n)
					}
					if fast == kAxis || elemBits == 16 {
						if x := checkMatrices(t, name, m, operand); x.Trans != (fast != kAxis) {
							t.Errorf("%s: trans %v", name, x.Trans)
						}
						continue
					}
					if n := m.BankConflicts(operand, 16); n != 0 {
						t.Errorf("%s: %d conflicts in reading", name, n)
					}
					if _, ok := Ldmatrix(m, operand); ok {
						t.Errorf("%s: ldmatrix cannot transpose %d bits", name, elemBits)
					}
				}
			}
		}
	}
}

// Left operands of wgmma that threads transpose: read in words of adjacent rows, no conflicts.
func TestForAdjacentRows(t *testing.T) {
	for _, c := range []struct{ rows, k, elemBits, adjacent, vec int }{
		{64, 64, 8, 2, 2}, {128, 64, 8, 4, 4}, {128, 32, 8, 4, 4}, {512, 128, 8, 4, 4},
		{64, 32, 32, 2, 2}, {128, 16, 32, 2, 2}, {256, 64, 32, 2, 2},
	} {
		l := WgmmaA([]int{c.rows, c.k}, []int{4, 2}, c.elemBits).AdjacentRows(c.adjacent)
		m := ForAdjacentRows(l.Shape, 1, 0, c.elemBits)
		if vec := m.Access(l, c.adjacent).Vec; vec != c.vec {
			t.Errorf("%+v: %d elements at once", c, vec)
		}
		if n := m.BankConflicts(l, c.adjacent); n != 0 {
			t.Errorf("%+v: %d conflicts", c, n)
		}
	}
}

// An accumulator as 16-bit elements goes out by stmatrix, whose fragment is ldmatrix's.
func TestStmatrix(t *testing.T) {
	shape := []int{64, 64}
	if x := checkMatrices(t, "accumulator", Atom(shape, 1, 16, 128), MmaAcc(shape, []int{4, 1})); x.Count != 4 {
		t.Error(x.Count)
	}
}

// TestPlanMatrices: accumulators of 16-bit elements are stored by stmatrix and loaded as rows, without conflicts.
func TestPlanMatrices(t *testing.T) {
	rows, columns := []int{1, 0}, []int{0, 1}
	for _, c := range []struct {
		shape []int
		warps int
	}{{[]int{64, 64}, 4}, {[]int{64, 128}, 4}, {[]int{128, 256}, 8}, {[]int{256, 64}, 8}, {[]int{64, 32}, 4}} {
		for name, src := range map[string]Layout{"wgmma": WgmmaAcc(c.shape, []int{c.warps, 1}),
			"mma": MmaAcc(c.shape, []int{c.warps / 2, 2})} {
			name := fmt.Sprint(name, c.shape)
			dst := ForVector(c.shape, rows, 8, c.warps)
			if kept, ok := dst.WithWarpsOf(src, 8); ok {
				dst = kept
			} else if name == "wgmma" {
				t.Errorf("%s: warps are not kept", name)
			}
			plan, ok := PlanMatrices(src, dst, 16)
			if !ok {
				t.Errorf("%s: no plan", name)
				continue
			}
			checkMatrices(t, name, plan.Mem, src)
			if n := plan.Mem.BankConflicts(dst, 8); n != 0 || plan.Load.Vec != 8 {
				t.Errorf("%s: loads of %d elements with %d conflicts", name, plan.Load.Vec, n)
			}
			if _, ok := PlanMatrices(src, ForVector(c.shape, columns, 8, c.warps), 16); ok {
				t.Errorf("%s: a plan for columns", name)
			}
		}
	}
}

// A vector must start at a multiple of its size, which a swizzle of the lowest bits prevents.
func TestAccessAligned(t *testing.T) {
	m := RowMajor([]int{4, 4}, []int{1, 0}, 32)
	l := ForVector([]int{4, 4}, []int{1, 0}, 4, 1)
	if got := m.Access(l, 4).Vec; got != 4 {
		t.Error(got)
	}
	m.Off[2] |= 2
	bijective(t, "swizzled", m)
	if got := m.Access(l, 4).Vec; got != 2 {
		t.Errorf("%d elements at once, want 2: rows are swizzled in halves", got)
	}
}
