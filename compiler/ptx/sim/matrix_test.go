package sim

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// mmaCase is a shape with the ISA's tables of which element thread t (group g = t/4, i = t%4) holds
// in a[e], b[e], c[e], written here per shape as the ISA lists them.
type mmaCase struct {
	name   string // shape and types
	k      int
	elem   string // type of A and B
	bits   int
	rowA   func(g, e int) int
	colA   func(i, e int) int
	rowB   func(i, e int) int
	sum    string
	counts [2]int // elements of A and B in a thread
}

func plus8(cond bool, v int) int { return v + 8*b2i(cond) }

var mmaCases = []mmaCase{
	{"m16n8k16.row.col.f32.f16.f16.f32", 16, "f16", 16,
		func(g, e int) int { return plus8(!(e < 2 || e >= 4 && e < 6), g) },
		func(i, e int) int { return plus8(e >= 4, i*2+e&1) },
		func(i, e int) int { return plus8(e >= 2, i*2+e&1) }, "f32", [2]int{8, 4}},
	{"m16n8k16.row.col.f16.f16.f16.f16", 16, "f16", 16,
		func(g, e int) int { return plus8(!(e < 2 || e >= 4 && e < 6), g) },
		func(i, e int) int { return plus8(e >= 4, i*2+e&1) },
		func(i, e int) int { return plus8(e >= 2, i*2+e&1) }, "f16", [2]int{8, 4}},
	{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, "bf16", 16,
		func(g, e int) int { return plus8(!(e < 2 || e >= 4 && e < 6), g) },
		func(i, e int) int { return plus8(e >= 4, i*2+e&1) },
		func(i, e int) int { return plus8(e >= 2, i*2+e&1) }, "f32", [2]int{8, 4}},
	{"m16n8k8.row.col.f32.f16.f16.f32", 8, "f16", 16,
		func(g, e int) int { return plus8(e >= 2, g) },
		func(i, e int) int { return i*2 + e&1 },
		func(i, e int) int { return i*2 + e }, "f32", [2]int{4, 2}},
	{"m16n8k8.row.col.f32.tf32.tf32.f32", 8, "tf32", 32,
		func(g, e int) int { return plus8(e == 1 || e == 3, g) },
		func(i, e int) int { return i + 4*b2i(e >= 2) },
		func(i, e int) int { return i + 4*e }, "f32", [2]int{4, 2}},
	{"m16n8k4.row.col.f32.tf32.tf32.f32", 4, "tf32", 32,
		func(g, e int) int { return plus8(e == 1, g) },
		func(i, _ int) int { return i },
		func(i, _ int) int { return i }, "f32", [2]int{2, 1}},
	{"m16n8k32.row.col.s32.s8.s8.s32", 32, "s8", 8,
		func(g, e int) int { return plus8(!(e < 4 || e >= 8 && e < 12), g) },
		func(i, e int) int { return i*4 + e&3 + 16*b2i(e >= 8) },
		func(i, e int) int { return i*4 + e&3 + 16*b2i(e >= 4) }, "s32", [2]int{16, 8}},
	{"m16n8k16.row.col.s32.u8.u8.s32", 16, "u8", 8,
		func(g, e int) int { return plus8(e >= 4, g) },
		func(i, e int) int { return i*4 + e&3 },
		func(i, e int) int { return i*4 + e }, "s32", [2]int{8, 4}},
	{"m16n8k32.row.col.f32.e4m3.e4m3.f32", 32, "e4m3", 8,
		func(g, e int) int { return plus8(!(e < 4 || e >= 8 && e < 12), g) },
		func(i, e int) int { return i*4 + e&3 + 16*b2i(e >= 8) },
		func(i, e int) int { return i*4 + e&3 + 16*b2i(e >= 4) }, "f32", [2]int{16, 8}},
}

// encode is a small integer in the type's bits.
func encode(name string, v int) uint64 {
	t := types[name]
	if t.isFloat() {
		return t.format.store(float64(v), roundNearest)
	}
	return uint64(v) & t.mask()
}

// TestMMA fills the fragments by the tables, multiplies, and reads the result by the table of C.
func TestMMA(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range mmaCases {
		var a, b [32][32]int
		low := -3
		if c.elem == "u8" {
			low = 0
		}
		for i := range a {
			for j := range a[i] {
				a[i][j], b[i][j] = low+r.IntN(7), low+r.IntN(7)
			}
		}
		na, nb := c.counts[0]*c.bits/32, c.counts[1]*c.bits/32
		body, slots := mmaBody(c, na, nb)
		in := make([]uint64, 32*slots)
		for t := range 32 {
			g, i := t/4, t%4
			regs := in[t*slots:]
			for e := range c.counts[0] {
				at := e * c.bits
				regs[at/32] |= encode(c.elem, a[c.rowA(g, e)][c.colA(i, e)]) << (at % 32)
			}
			for e := range c.counts[1] {
				at := e * c.bits
				regs[na+at/32] |= encode(c.elem, b[c.rowB(i, e)][g]) << (at % 32)
			}
		}
		for pass, out := range mmaOutputs(t, body, in) {
			for t2 := range 32 {
				row, col := t2/4+8*pass, t2%4*2
				for e := range 2 {
					want := 10
					for k := range c.k {
						want += a[row][k] * b[k][col+e]
					}
					width := types[c.sum].bits
					if got := out[t2] >> (width * e) & maskBits(width); got != encode(c.sum, want) {
						t.Fatalf("%s: thread %d row %d col %d is %#x, want %d", c.name, t2, row, col+e, got, want)
					}
				}
			}
		}
	}
}

// mmaBody loads a thread's registers from its slots and stores the half of the result that the
// placeholder names.
func mmaBody(c mmaCase, na, nb int) (body string, slots int) {
	slots = na + nb
	var sb strings.Builder
	fmt.Fprintf(&sb, "\nmad.wide.u32 %%rd5, %%r0, %d, %%rd2;\n", 8*slots)
	var a, b []string
	for i := range slots {
		fmt.Fprintf(&sb, "ld.global.u32 %%r%d, [%%rd5+%d];\n", 10+i, 8*i)
		if i < na {
			a = append(a, fmt.Sprintf("%%r%d", 10+i))
		} else {
			b = append(b, fmt.Sprintf("%%r%d", 10+i))
		}
	}
	ten := fmt.Sprintf("%#x", encode(c.sum, 10))
	d, ccs := "{%r30,%r31,%r32,%r33}", "{%r34,%r34,%r34,%r34}"
	if c.sum == "f32" {
		d, ccs = "{%f30,%f31,%f32,%f33}", "{%f34,%f34,%f34,%f34}"
		fmt.Fprintf(&sb, "mov.b32 %%f34, %s;\n", ten)
	} else if c.sum == "f16" {
		d, ccs = "{%r30,%r31}", "{%r34,%r34}"
		fmt.Fprintf(&sb, "mov.b32 %%r34, 0x%x;\n", encode("f16", 10)*0x10001)
	} else {
		fmt.Fprintf(&sb, "mov.b32 %%r34, %s;\n", ten)
	}
	fmt.Fprintf(&sb, "mma.sync.aligned.%s %s, {%s}, {%s}, %s;\n", c.name, d, strings.Join(a, ","), strings.Join(b, ","), ccs)
	switch c.sum {
	case "f16":
		sb.WriteString("cvt.u64.u32 %rd6, %rHALF;\n")
	case "f32":
		sb.WriteString("mov.b64 %rd6, {%fLOW, %fHIGH};\n")
	default:
		sb.WriteString("mov.b64 %rd6, {%rLOW, %rHIGH};\n")
	}
	sb.WriteString("st.global.u64 [%rd3], %rd6;")
	return sb.String(), slots
}

// mmaOutputs runs a body once for each half of the result: rows 0 to 7 and rows 8 to 15.
func mmaOutputs(t *testing.T, body string, in []uint64) (out [2][]uint64) {
	for pass := range out {
		text := strings.NewReplacer("HALF", fmt.Sprint(30+pass), "LOW", fmt.Sprint(30+2*pass), "HIGH", fmt.Sprint(31+2*pass)).Replace(body)
		out[pass] = trial{body: text, in: in}.must(t)
	}
	return out
}

// TestTF32Truncates has operands whose low 13 bits the multiplication ignores.
func TestTF32Truncates(t *testing.T) {
	out := trial{body: `
mov.b32 %r1, 0x3f801fff;
mov.f32 %f1, 0f00000000;
mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f2,%f3,%f4,%f5}, {%r1,%r1}, {%r1}, {%f1,%f1,%f1,%f1};
mov.b32 %r2, %f2;
cvt.u64.u32 %rd5, %r2;
st.global.u64 [%rd3], %rd5;`}.must(t)
	if out[0] != bits32(4) {
		t.Errorf("%#x", out[0])
	}
}

// TestMatrix loads and stores matrices of numbered elements, straight and transposed.
func TestMatrix(t *testing.T) {
	for n, list := range map[int]string{1: "{%r10}", 2: "{%r10,%r11}", 4: "{%r10,%r11,%r12,%r13}"} {
		for _, trans := range []string{"", ".trans"} {
			for m := range n {
				// Each thread writes the two elements 8·row+col of its 4 bytes in all matrices.
				body := fmt.Sprintf(`
mov.u32 %%r20, 0;
fill:
mad.lo.u32 %%r21, %%r20, 32, %%r0;
shl.b32 %%r22, %%r21, 1;
add.u32 %%r23, %%r22, 1;
shl.b32 %%r23, %%r23, 16;
or.b32 %%r22, %%r22, %%r23;
mad.lo.u32 %%r21, %%r21, 4, 1024;
st.shared.u32 [%%r21], %%r22;
add.u32 %%r20, %%r20, 1;
setp.lt.u32 %%p1, %%r20, 4;
@%%p1 bra fill;
mad.lo.u32 %%r24, %%r0, 16, 1024;
ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [%%r24];
stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%r24+512], %s;
bar.sync 0;
mad.lo.u32 %%r25, %%r0, 4, %d;
ld.shared.u32 %%r26, [%%r25];
mov.b64 %%rd5, {%%r%d, %%r26};
st.global.u64 [%%rd3], %%rd5;`, n, trans, list, n, trans, list, 1024+512+128*m, 10+m)
				for lane, got := range (trial{body: body, shared: 1024}).must(t) {
					row, col, row2, col2 := lane/4, lane%4*2, lane/4, lane%4*2+1
					stored := uint64(64*m+2*lane) | uint64(64*m+2*lane+1)<<16
					if trans != "" {
						row, col, row2, col2 = col, row, col2, row
					}
					want := uint64(64*m+8*row+col) | uint64(64*m+8*row2+col2)<<16
					if got != want|stored<<32 {
						t.Fatalf("x%d%s matrix %d: thread %d has %#x, want %#x", n, trans, m, lane, got, want|stored<<32)
					}
				}
			}
		}
	}
}

// TestLdmatrixMMA multiplies two 16×16 fp16 tiles by way of shared memory.
func TestLdmatrixMMA(t *testing.T) {
	raw := make([]byte, 1024)
	for i := range 256 {
		binary.LittleEndian.PutUint16(raw[2*i:], uint16(encode("f16", i%5-2)))
		binary.LittleEndian.PutUint16(raw[512+2*i:], uint16(encode("f16", i%7-3)))
	}
	in := make([]uint64, 128)
	for i := range in {
		in[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	out := trial{shared: 1024, in: in, body: `
mad.lo.u32 %r1, %r0, 16, 1024;
mad.wide.u32 %rd5, %r0, 16, %rd2;
cp.async.cg.shared.global [%r1], [%rd5], 16;
cp.async.cg.shared.global [%r1+512], [%rd5+512], 16;
cp.async.commit_group;
cp.async.wait_group 0;
bar.sync 0;
and.b32 %r2, %r0, 15;
shr.u32 %r3, %r0, 4;
shl.b32 %r4, %r2, 5;
mad.lo.u32 %r4, %r3, 16, %r4;
add.u32 %r4, %r4, 1024;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, [%r4];
ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r14,%r15}, [%r4+512];
mov.f32 %f1, 0f00000000;
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2,%f3,%f4,%f5}, {%r10,%r11,%r12,%r13}, {%r14,%r15}, {%f1,%f1,%f1,%f1};
mov.b64 %rd6, {%f2, %f3};
st.global.u64 [%rd3], %rd6;`}.must(t)
	for lane, got := range out {
		for e := range 2 {
			want := 0
			for k := range 16 {
				want += ((lane/4*16+k)%5 - 2) * ((k*16+lane%4*2+e)%7 - 3)
			}
			if uint64(uint32(got>>(32*e))) != encode("f32", want) {
				t.Fatalf("thread %d element %d: %#x, want %d", lane, e, got, want)
			}
		}
	}
}
