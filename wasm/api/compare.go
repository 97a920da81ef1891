package api

import (
	"context"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// ownRun is what the page's interpreter made of a launch that a device makes too.
type ownRun struct {
	args    []launch.Arg // with memory of its own
	ended   bool         // the launch came to its end
	traffic *traffic     // nil where it was not counted
}

// interpret runs a launch on a copy of its memory; counted says whether accesses are counted.
func interpret(ctx context.Context, k *launch.Kernel, args []launch.Arg, l tile.Launch, counted bool) *ownRun {
	own := &ownRun{args: slices.Clone(args)}
	for i, a := range args {
		if a.Tensor != nil {
			copied := *a.Tensor
			copied.Data = slices.Clone(copied.Data)
			own.args[i].Tensor = &copied
		}
	}
	if counted {
		own.traffic = &traffic{}
		l.Observer = own.traffic
	}
	own.ended = judge.Interpret(ctx, k, own.args, l).Fault == nil
	return own
}

// add compares what a device left in the tensors among args with the page's own run.
func (c *Compared) add(number int, args []launch.Arg, own *ownRun) {
	if !own.ended {
		return
	}
	c.Launches++
	if own.traffic != nil {
		c.ReadBytes, c.WrittenBytes = own.traffic.bytes()
		c.Products = own.traffic.products
	}
	for i := range args {
		if args[i].Tensor != nil {
			c.tensor(number, args[i].Tensor, own.args[i].Tensor)
		}
	}
}

func (c *Compared) tensor(number int, device, page *tile.Buffer) {
	array := puzzles.Array{Name: device.Name, DType: device.DType, Shape: []int{len(device.Data) / device.DType.Info().Bytes}}
	there, here := judge.Array{Array: array, Data: device.Data}, judge.Array{Array: array, Data: page.Data}
	values := here.Floats()
	c.Elements += len(values)
	for i, x := range there.Floats() {
		if x == values[i] || x != x && values[i] != values[i] {
			continue
		}
		c.Different++
		c.MaxDifference = max(c.MaxDifference, difference(x, values[i]))
		if c.First == nil {
			c.First = &Different{Launch: number, Tensor: device.Name, Index: i, Page: here.Texts(i + 1)[i], Device: there.Texts(i + 1)[i]}
		}
	}
}

// difference of two numbers; JSON has no infinity, so the largest number stands for it and for NaN.
func difference(a, b float64) float64 {
	d := math.Abs(a - b)
	if math.IsNaN(d) {
		return math.MaxFloat64
	}
	return min(d, math.MaxFloat64)
}

// traffic counts the elements of each argument that a launch reads and writes, each once, and what its
// products compute.
type traffic struct {
	args          []trace.Arg
	read, written [][]bool           // by argument and element of its storage
	products      map[string]float64 // operations by the name of the arithmetic
}

func (t *traffic) Launch(_ [3]int, args []trace.Arg) {
	t.args, t.read, t.written = args, make([][]bool, len(args)), make([][]bool, len(args))
	for i, a := range args {
		if len(a.Data) > 0 {
			n := len(a.Data) / a.DType.Info().Bytes
			t.read[i], t.written[i] = make([]bool, n), make([]bool, n)
		}
	}
}

func (t *traffic) Access(a *trace.Access) {
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, offset := trace.Split(p)
		if arg < 0 || arg >= len(t.args) {
			continue
		}
		at := offset + int64(t.args[arg].Origin)
		if at < 0 || at >= int64(len(t.read[arg])) {
			continue
		}
		t.read[arg][at] = t.read[arg][at] || a.Kind != trace.Store
		t.written[arg][at] = t.written[arg][at] || a.Kind != trace.Load
	}
}

// Product counts p by the name that a device's ceilings have for its arithmetic.
func (t *traffic) Product(p trace.Product) {
	name := p.A.String()
	if p.A == num.Float32 && p.Precision != "ieee" {
		name = p.Precision
	}
	if t.products == nil {
		t.products = map[string]float64{}
	}
	t.products[name] += float64(p.Operations)
}

func (t *traffic) bytes() (read, written int) {
	for i, a := range t.args {
		read += count(t.read[i]) * a.DType.Info().Bytes
		written += count(t.written[i]) * a.DType.Info().Bytes
	}
	return read, written
}

func count(list []bool) (n int) {
	for _, set := range list {
		if set {
			n++
		}
	}
	return n
}
