package plan

import (
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Update is how an atomic operation updates elements.
type Update struct {
	Way   Way
	Instr string // of InOne: what PTX calls it
}

// Way is a way to update elements.
type Way uint8

// The ways.
const (
	InOne      Way = iota // by one instruction
	AsIntegers            // extremes of floats: by one instruction for those that are negative, one for the others
	InLoop                // by compare-and-swap until nobody has come between
	Moved                 // by a load or a store in a memory order
)

// nativeAtomics are the instructions that update an element at once (PTX ISA, "atom").
var nativeAtomics = map[string]map[num.DType]string{
	"add": {num.Int32: "add.u32", num.Uint32: "add.u32", num.Int64: "add.u64", num.Uint64: "add.u64",
		num.Float16: "add.noftz.f16", num.BFloat16: "add.noftz.bf16", num.Float32: "add.f32", num.Float64: "add.f64"},
	"max":  {num.Int32: "max.s32", num.Uint32: "max.u32", num.Int64: "max.s64", num.Uint64: "max.u64"},
	"min":  {num.Int32: "min.s32", num.Uint32: "min.u32", num.Int64: "min.s64", num.Uint64: "min.u64"},
	"and":  bitwiseAtomics("and", 32, 64),
	"or":   bitwiseAtomics("or", 32, 64),
	"xor":  bitwiseAtomics("xor", 32, 64),
	"xchg": bitwiseAtomics("exch", 32, 64),
	"cas":  bitwiseAtomics("cas", 16, 32, 64),
}

// bitwiseAtomics is an instruction on bits, for every dtype of one of the sizes.
func bitwiseAtomics(op string, sizes ...int) map[num.DType]string {
	m := map[num.DType]string{}
	for d := range num.NumDTypes {
		if n := d.Info().Bits; slices.Contains(sizes, n) {
			m[d] = op + ".b" + strconv.Itoa(n)
		}
	}
	return m
}

// vectorRedWidths is how many elements one red adds where a target has that, if the old values are not used (PTX ISA,
// "red": .v2, .v4, .v8 of f16, bf16 and f32 need sm_90).
var vectorRedWidths = map[num.DType]int{num.Float32: 4, num.Float16: 8, num.BFloat16: 8}

// update chooses how an atomic updates elements of dtype d, and how many at once; unused says that nothing uses the old
// values.
func (t Target) update(in *ir.Instr, d num.DType, unused bool) (u Update, vector int) {
	name := "cas"
	switch in.Op {
	case ops.AtomicLoad, ops.AtomicStore:
		return Update{Way: Moved}, 1
	case ops.AtomicRMW:
		name = in.Str("rmw")
	}
	adds := t.Arch.VectorRed
	u.Instr, vector = nativeAtomics[name][d], 1
	switch {
	case u.Instr == "" && d.Info().Bits >= 32:
		u.Way = AsIntegers
	case u.Instr == "" || d == num.BFloat16 && name == "add" && !adds:
		u.Way = InLoop
	case name == "add" && unused && adds:
		vector = max(1, vectorRedWidths[d])
	}
	return u, vector
}
