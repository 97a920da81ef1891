package ir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// damager changes one thing of a function, without regard for what it means.
type damager struct {
	*rand.Rand
	instrs []*ir.Instr
	blocks []*ir.Block
	values []*ir.Value
}

func newDamager(f *ir.Func, seed uint64) *damager {
	d := &damager{Rand: rand.New(rand.NewPCG(seed, 2)), blocks: []*ir.Block{f.Body}}
	d.values = append(d.values, f.Body.Args...)
	f.Body.Walk(func(in *ir.Instr) {
		d.instrs = append(d.instrs, in)
		d.blocks = append(d.blocks, in.Regions...)
		d.values = append(d.values, in.Results...)
		for _, r := range in.Regions {
			d.values = append(d.values, r.Args...)
		}
	})
	return d
}

func any1[T any](d *damager, list []T) T { return list[d.IntN(len(list))] }

// set overwrites an element of a list, cuts the list, or appends to it.
func set[T any](d *damager, list []T, v T) []T {
	switch n := len(list); {
	case n == 0 || d.IntN(4) == 0:
		return append(list[:n:n], v)
	case d.IntN(4) == 0:
		return list[:d.IntN(n)]
	default:
		list[d.IntN(n)] = v
	}
	return list
}

func (d *damager) strike() {
	in, block, value := any1(d, d.instrs), any1(d, d.blocks), any1(d, d.values)
	switch d.IntN(12) {
	case 0:
		in.Op = ops.Op(d.IntN(256))
	case 1, 2, 3:
		in.Operands = set(d, in.Operands, any1(d, append(d.values, nil)))
	case 4:
		in.Results = set(d, in.Results, any1(d, append(d.values, nil)))
	case 5:
		in.Regions = set(d, in.Regions, any1(d, append(d.blocks, nil)))
	case 6:
		list := []any{nil, "x", "", int64(-1), int64(1) << 40, []int64{0}, []int64{3, 1 << 40}, true, num.Scalar{DType: 77, Bits: 5}, 3}
		in.Attrs = set(d, in.Attrs, ir.Attr{Name: any1(d, []string{"axis", "shape", "value", "to", ""}), Value: any1(d, list)})
	case 7:
		block.Instrs = set(d, block.Instrs, any1(d, append(d.instrs, nil)))
	case 8:
		block.Args = set(d, block.Args, any1(d, append(d.values, nil)))
	case 9:
		value.Type.DType = num.DType(d.IntN(256))
	case 10:
		value.Type.Shape = any1(d, [][]int{nil, {0}, {3}, {-4}, {1 << 30, 1 << 40}, make([]int, 30)})
	case 11:
		value.Name = any1(d, []string{"a b", "\xff", "9", "x", "é", "a.1", "."})
	}
}

// TestVerifyWithstandsDamage: whatever Verify is given, it does not panic, and what it lets through
// can be written and read in both forms.
func TestVerifyWithstandsDamage(t *testing.T) {
	passed := 0
	for seed := range seeds.Upto(3000) {
		f := irgen.Generate(seed%200, irgen.Config{Instrs: 8}).Func
		d := newDamager(f, seed)
		for range 1 + d.IntN(2) {
			d.strike()
		}
		if len(ir.Verify(f)) > 0 {
			continue
		}
		passed++
		if _, err := ir.Decode(ir.Encode(f)); err != nil {
			t.Fatalf("seed %d: %v in the wire form of\n%s", seed, err, f)
		}
		if _, err := ir.Parse(ir.Print(f)); err != nil {
			t.Fatalf("seed %d: %v in the text form of\n%s", seed, err, f)
		}
	}
	if passed == 0 {
		t.Error("no damage was harmless: the test damages too much")
	}
}
