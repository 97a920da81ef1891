package api

import (
	"bytes"
	"context"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// ownRun is what the page's interpreter made of a launch that a device makes too.
type ownRun struct {
	written []copied // the memory that the kernel may write to
	ended   bool     // the launch came to its end
	traffic *traffic // nil where it was not counted
}

// copied is memory that a device changes, and the page's copy of it.
type copied struct {
	there device.Pointer
	here  []byte
}

// compareBudget bounds the page's own run of a launch to seconds: a device's answer waits for it.
const compareBudget = 1 << 31

// interpret runs a launch on copies of the memory that it may write to; counted says whether accesses are counted.
func (k *kernel) interpret(ctx context.Context, l device.Launch, written []device.Pointer, counted bool) *ownRun {
	own := &ownRun{}
	for _, p := range written {
		own.written = append(own.written, copied{p, slices.Clone(p.Memory.(*memory).data)})
	}
	l.Args = slices.Clone(l.Args)
	for i, a := range l.Args {
		if p, ok := a.(device.Pointer); ok {
			p.Memory = own.memory(p.Memory.(*memory))
			l.Args[i] = p
		}
	}
	if counted {
		own.traffic = &traffic{}
		l.Observer = own.traffic
	}
	// An exhausted budget counts as unfinished, not as different: nothing is compared then.
	l.Budget = min(l.Budget, compareBudget)
	_, err := k.own.Launch(ctx, l)
	own.ended = err == nil
	return own
}

// memory is the interpreter's for a piece of the device's: the copy where there is one.
func (o *ownRun) memory(m *memory) device.Memory {
	for _, c := range o.written {
		if c.there.Memory == m {
			return wrap(c.here)
		}
	}
	return m.Memory
}

// add compares what a device left in the memory that the kernel may write to with the page's own run.
func (c *Compared) add(number int, own *ownRun) {
	if !own.ended {
		c.Unfinished++
		return
	}
	c.Launches++
	if own.traffic != nil {
		c.ReadBytes, c.WrittenBytes = own.traffic.bytes()
		c.Products = own.traffic.products
	}
	for _, w := range own.written {
		c.tensor(number, w)
	}
}

func (c *Compared) tensor(number int, w copied) {
	data := w.there.Memory.(*memory).data
	shape := []int{len(data) / w.there.DType.Info().Bytes}
	array := puzzles.Array{Name: w.there.Name, DType: w.there.DType, Shape: shape}
	there, here := judge.Array{Array: array, Data: data}, judge.Array{Array: array, Data: w.here}
	c.Elements += there.Len()
	if bytes.Equal(data, w.here) {
		return
	}
	values := here.Floats()
	for i, x := range there.Floats() {
		// Equal, or both NaN: bytes may differ in a NaN's payload and in the sign of 0.
		if x == values[i] || x != x && values[i] != values[i] {
			continue
		}
		c.Different++
		c.MaxDifference = max(c.MaxDifference, difference(x, values[i]))
		if c.First == nil {
			c.First = &Different{
				Launch: number, Tensor: w.there.Name, Index: i, Page: element(here, i), Device: element(there, i),
			}
		}
	}
}

// element is the text of one element.
func element(a judge.Array, i int) string {
	size := a.DType.Info().Bytes
	a.Shape, a.Data = []int{1}, a.Data[i*size:(i+1)*size]
	return a.Texts(1)[0]
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
	args          []trace.Buffer
	read, written [][]bool           // by argument and element of its storage
	products      map[string]float64 // operations by the name of the arithmetic
}

func (t *traffic) Launch(_ [3]int, args []trace.Buffer) {
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
		// Offsets count from the argument's pointer, which may point into the middle of its storage.
		at := offset + int64(t.args[arg].Offset)
		if at < 0 || at >= int64(len(t.read[arg])) {
			continue
		}
		// An atomic operation reads and writes.
		t.read[arg][at] = t.read[arg][at] || a.Kind != trace.Store
		t.written[arg][at] = t.written[arg][at] || a.Kind != trace.Load
	}
}

// Product counts p by the name that a device's ceilings have for its arithmetic.
func (t *traffic) Product(p trace.Product) {
	name := p.A.String()
	// fp32 with input_precision tf32 or tf32x3 runs on tensor cores, whose peak is another.
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
