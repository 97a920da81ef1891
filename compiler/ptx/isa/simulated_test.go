package isa_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

// TestSimulated: the simulator has a meaning for each row of the table, with every choice of its modifiers.
func TestSimulated(t *testing.T) {
	const target = "sm_90a"
	for version, list := range isa.Statements(target) {
		for _, s := range list {
			if _, err := sim.Load(isa.ModuleOf(target, version, []string{s})); err != nil {
				t.Errorf("%s\n%v", s, err)
			}
		}
	}
}

// samples are operands of integer and, by their bits, of float instructions.
var samples = []uint64{0, 1, 3, 31, 32, 33, 64, 0x7f, 0x8000, 0xffff, 0x3c00, 0xc580, 0x3f800000, 0xc1200000, 0x80000000,
	0x7fffffff, 0xffffffff, 0x3ff0000000000000, 0x4008000000000000, 1 << 63, 1<<64 - 1}

// TestRowsHold: in the simulator operands that a row says may be swapped may be, and what it folds to is the result.
func TestRowsHold(t *testing.T) {
	tried := 0
	for _, list := range isa.Statements("sm_90a") {
		for _, s := range list {
			op := isa.Lookup(strings.Fields(s)[0])
			if (op.Fold != nil || op.Is(isa.Commutes)) && op.Forms[0].Src[0].Bits > 1 {
				tried++
				holds(t, op)
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d opcodes fold or commute", tried)
	}
}

// holds tries one opcode of two operands on all pairs of samples: a block has the first, a thread the second.
func holds(t *testing.T, op *isa.Op) {
	f := &op.Forms[0]
	m, err := sim.Load(fmt.Sprintf(`.version 8.4
.target sm_90a
.address_size 64
.entry k(.param .u64 out, .param .u64 samples) {
	.reg .b32 %%r<4>;
	.reg .b64 %%d<5>;
	.reg .b%[1]d %%x<2>;
	.reg .b%[2]d %%y<2>;
	.reg .b%[3]d %%z<3>;
	ld.param.u64 %%d1, [out];
	ld.param.u64 %%d2, [samples];
	mov.u32 %%r1, %%ctaid.x;
	mov.u32 %%r2, %%tid.x;
	mad.wide.u32 %%d3, %%r1, 8, %%d2;
	ld.global.b%[1]d %%x1, [%%d3];
	mad.wide.u32 %%d4, %%r2, 8, %%d2;
	ld.global.b%[2]d %%y1, [%%d4];
	%[4]s %%z1, %%x1, %%y1;
	%[5]s
	mad.lo.u32 %%r3, %%r1, %[6]d, %%r2;
	mad.wide.u32 %%d4, %%r3, 16, %%d1;
	st.global.b%[3]d [%%d4], %%z1;
	st.global.b%[3]d [%%d4+8], %%z2;
}`, f.Src[0].Bits, f.Src[1].Bits, f.Dst[0].Bits, op.Name, swapped(op), len(samples)))
	if err != nil {
		t.Fatal(op.Name, err)
	}
	out := launch(t, m)
	for i, a := range samples {
		for j, b := range samples {
			one, other := out[2*(i*len(samples)+j)], out[2*(i*len(samples)+j)+1]
			if one != other {
				t.Errorf("%s of %#x and %#x is %#x, but %#x of them swapped", op.Name, a, b, one, other)
			}
			if op.Fold == nil {
				continue
			}
			x, y := extend(a, f.Src[0].Bits), extend(b, f.Src[1].Bits)
			if want := op.Fold(x, y); extend(one, f.Dst[0].Bits) != extend(uint64(want), f.Dst[0].Bits) {
				t.Errorf("%s of %#x and %#x is %#x, folded %#x", op.Name, a, b, one, want)
			}
			if op.Fold(x, op.Identity) != x {
				t.Errorf("%s of %#x and %d", op.Name, a, op.Identity)
			}
		}
	}
}

// swapped is the instruction with its operands swapped, if it says so, or again.
func swapped(op *isa.Op) string {
	if op.Is(isa.Commutes) {
		return op.Name + " %z2, %y1, %x1;"
	}
	return op.Name + " %z2, %x1, %y1;"
}

// launch gives the two results of each pair of samples.
func launch(t *testing.T, m *sim.Module) []uint64 {
	t.Helper()
	mem := sim.NewMemory(0)
	pairs := len(samples) * len(samples)
	out, err1 := mem.Alloc(int64(16 * pairs))
	in, err2 := mem.Alloc(int64(8 * len(samples)))
	var bytes []byte
	for _, x := range samples {
		bytes = binary.LittleEndian.AppendUint64(bytes, x)
	}
	err3 := mem.Write(in, bytes)
	_, err4 := m.Launch(t.Context(), sim.LaunchConfig{Grid: [3]int{len(samples)}, Threads: len(samples),
		Params: []uint64{out, in}, Memory: mem})
	bytes = make([]byte, 16*pairs)
	if err := errors.Join(err1, err2, err3, err4, mem.Read(out, bytes)); err != nil {
		t.Fatal(err)
	}
	words := make([]uint64, 2*pairs)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return words
}

// extend sign-extends the low bits of v.
func extend(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// TestNothingParsesOpcodes: what the assembler and the simulator ask of an instruction stands in its row.
func TestNothingParsesOpcodes(t *testing.T) {
	parses := regexp.MustCompile(`strings\.\w+\([^,()]*\b(?i:op|opcode|op\.name)\b`)
	paths, err := filepath.Glob("../[as][si]m/*.go")
	if err != nil || len(paths) < 40 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if parses.MatchString(line) {
				t.Errorf("%s:%d parses an opcode: %s", path, i+1, strings.TrimSpace(line))
			}
		}
	}
}
