package isa

import (
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ptx/arch"
)

// TestTable: every row can be read, and says what its operands are.
func TestTable(t *testing.T) {
	byBase()
	for _, s := range table {
		for _, in := range s.rows {
			if !strings.Contains(in.Operands, "=") || in.Version != 0 && in.Version < 71 || in.Target != "" && arch.Find(in.Target) == nil {
				t.Errorf("%s: operands %q, version %d, target %s", in.Pattern, in.Operands, in.Version, in.Target)
			}
			// The first spelling of each row resolves, and is found again.
			var words []string
			for _, p := range in.parts {
				if !p.optional {
					words = append(words, strings.Replace(p.alternatives[0], "*", "8", 1))
				}
			}
			in.form(words)
			if op := strings.Join(words, "."); !slices.ContainsFunc(Lookup(op).Forms, func(f Form) bool { return f.Pattern == in.Pattern && f.Operands == in.Operands }) {
				t.Errorf("%s is not a form of %s", in.Pattern, op)
			}
		}
	}
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		op   string
		want string // the operands of its forms
	}{
		{"add.s32", "t = t t/i"},
		{"add.s33", ""},
		{"add", ""},
		{"add.sat.u32", ""},
		{"mul.wide.u32", "w = t t/i"},
		{"ld.global.v4.b32", "*t = m"},
		{"ld.global.v3.b32", ""},
		{"ld.v4.global.b32", ""},
		{"red.relaxed.gpu.global.add.noftz.v8.f16", "= m *t"},
		{"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "#:b32 = b64 b64 p i i i i; #:b32 = 4:b32 b64 p i i i"},
		{"wgmma.mma_async.sync.aligned.m64nk16.f32.f16.f16", ""},
		{"wgmma.mma_async.sync.aligned.m64n08k16.f32.f16.f16", ""},
		{"", ""},
	} {
		var got []string
		for _, f := range Lookup(c.op).Forms {
			got = append(got, f.Operands)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.op, got, c.want)
		}
	}
}

// TestOperands: operands have the sizes of the opcode's types.
func TestOperands(t *testing.T) {
	for _, c := range []struct {
		op   string
		bits []int // of destinations and sources; the length of vectors, negative
	}{
		{"mad.wide.s32", []int{64, 32, 32, 64}},
		{"cvt.rn.f16x2.f32", []int{32, 32, 32}},
		{"cvt.s16.s8", []int{16, 16}},
		{"shl.b64", []int{64, 64, 32}},
		{"ld.global.v2.b64", []int{-2, 0}},
		{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", []int{-4, 0}},
		{"setp.gt.and.s64", []int{1, 64, 64, 1}},
	} {
		f := Lookup(c.op).Forms[0]
		for i, o := range slices.Concat(f.Dst, f.Src) {
			got := o.Bits
			if o.Kind == Vector {
				got = -o.Len
			}
			if got != c.bits[i] {
				t.Errorf("%s: operand %d has %d, want %d", c.op, i, got, c.bits[i])
			}
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		op, target string
		want       bool
	}{
		{"add.s32", "sm_80", true}, {"add.s32", "sm_90a", true}, {"add.bf16", "sm_89", false}, {"add.bf16", "sm_90", true},
		{"wgmma.fence.sync.aligned", "sm_90", false}, {"wgmma.fence.sync.aligned", "sm_90a", true}, {"add.bf16", "sm_100", true}, {"wgmma.fence.sync.aligned", "sm_100a", false},
	} {
		if got := Lookup(c.op).Forms[0].On(c.target); got != c.want {
			t.Errorf("%s on %s: %v", c.op, c.target, got)
		}
	}
}
