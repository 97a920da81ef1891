package tile

import (
	"fmt"
	"math"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// The grid's limits are CUDA's.
const (
	maxGridX  = 1<<31 - 1
	maxGridYZ = 65535
)

// maxArguments bounds a launch's arguments: their numbers have 13 bits of a pointer, of which one stands for none.
const maxArguments = 1<<13 - 1

// addressAlign is what the addresses of memory are multiples of, so that an address is aligned as it is on
// the device.
const addressAlign = 256

// Given describes an argument for Check. The zero Given is that of an absent argument.
type Given struct {
	Kind    GivenKind
	DType   num.DType
	Bytes   int   // of the whole storage that a pointer points into
	Offset  int   // the element of it that the pointer points to
	Address int64 // of the storage; reachable memory, which has no parameter, has one
}

// GivenKind says what an argument is.
type GivenKind uint8

// The kinds of arguments.
const (
	GivenNothing GivenKind = iota
	GivenPointer
	GivenScalar
)

func (g Given) String() string {
	return [...]string{"nothing", "*" + g.DType.Info().Short, g.DType.Info().Short}[g.Kind]
}

// Check refuses launches of fn that cannot be, on any device.
func Check(fn *ir.Func, grid [3]int, args []Given) *Fault {
	// The grid is checked here for the interpreter, too, so that a launch that works in the page works on a GPU.
	limits := [3]int{maxGridX, maxGridYZ, maxGridYZ}
	for i, n := range grid {
		if n < 1 || n > limits[i] {
			return &Fault{Code: "grid-out-of-range", Args: []any{fmt.Sprint(n), "xyz"[i : i+1], limits[i]}}
		}
	}
	n := len(fn.Params)
	if len(args) < n || len(args) > n && args[n].Address == 0 || len(args) > maxArguments {
		return &Fault{Code: "launch-arguments", Args: []any{fn.Name, n, len(args)}}
	}
	for i, a := range args[n:] {
		if a.Kind != GivenPointer || a.Offset != 0 || a.Address <= 0 || a.Address%addressAlign != 0 ||
			a.Address > math.MaxInt64-int64(a.Bytes) {
			return &Fault{Code: "launch-address", Args: []any{fn.Name, n + i + 1}}
		}
	}
	for i, a := range args[:n] {
		param := fn.Params[i]
		t := param.Value.Type
		// Widths must agree, since offsets count elements; how the bits are read is up to the kernel.
		pointer := a.Kind == GivenPointer
		if pointer != t.Pointer || a.Kind == GivenNothing || pointer && a.DType.Info().Bytes != t.DType.Info().Bytes {
			return &Fault{Code: "launch-argument-type", Args: []any{param.Name, t.String(), a.String()}}
		}
		if a.Address < 0 || a.Address%addressAlign != 0 || a.Address > math.MaxInt64-int64(a.Bytes) {
			return &Fault{Code: "launch-address", Args: []any{fn.Name, i + 1}}
		}
		if n := a.Bytes / t.DType.Info().Bytes; a.Offset < 0 || a.Offset > n {
			return &Fault{Code: "launch-argument-offset", Args: []any{param.Name, a.Offset, n}}
		}
	}
	return nil
}

// check refuses launches that cannot be.
func (k *Kernel) check(l *Launch) *Fault {
	given := make([]Given, len(l.Args))
	for i, a := range l.Args {
		switch a := a.(type) {
		case Buffer:
			given[i] = Given{GivenPointer, a.DType, len(a.Data), a.Offset, a.Address}
		case Scalar:
			given[i] = Given{Kind: GivenScalar, DType: a.DType}
		}
	}
	return Check(k.fn, l.Grid, given)
}
