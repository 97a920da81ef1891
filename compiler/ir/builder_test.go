package ir

import (
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

var nowhere source.Span

// emitter fails the test on a mismatch, so that tests read like the code they build.
type emitter struct {
	*Builder
	t *testing.T
}

func (e emitter) emit(op ops.Op, operands []*Value, attrs ...Attr) *Value {
	e.t.Helper()
	v, m := e.Emit1(nowhere, op, operands, attrs...)
	if m != nil {
		e.t.Fatal(m)
	}
	return v
}

func (e emitter) int(v int64) *Value {
	return e.emit(ops.Const, nil, Attr{Name: "value", Value: num.FromInt(num.Int32, v)})
}

// sumLoop is for i in range(n): acc += i, then a store of acc.
func sumLoop(t *testing.T) *Func {
	e := emitter{NewBuilder("sum"), t}
	out := e.Param("out", types.PointerTo(num.Int32), 16)
	n := e.Param("n", types.Scalar(num.Int32), 1)
	zero, one := e.int(0), e.int(1)
	body := e.Block(n.Type, zero.Type)
	e.Push(body)
	next := e.emit(ops.Add, []*Value{body.Args[1], body.Args[0]})
	next.Name = "acc"
	e.emit(ops.Yield, []*Value{next})
	e.Pop()
	results, m := e.EmitRegions(nowhere, ops.For, []*Value{zero, n, one, zero}, []*Block{body})
	if m != nil {
		t.Fatal(m)
	}
	e.emit(ops.Store, []*Value{out, results[0], nil})
	e.emit(ops.Return, nil)
	return e.Finish()
}

func TestBuilderLoop(t *testing.T) {
	f := sumLoop(t)
	if got := len(f.Body.Instrs); got != 5 {
		t.Errorf("%d instructions in the body, want 5", got)
	}
	loop := f.Body.Instrs[2]
	if loop.Op != ops.For || !loop.Result().Type.Equal(types.Scalar(num.Int32)) {
		t.Errorf("third instruction is %s of %v", loop.Op, loop.Result())
	}
	if store := f.Body.Instrs[3]; len(store.Operands) != 2 {
		t.Errorf("an absent last operand was kept: %d operands", len(store.Operands))
	}
	if n := f.Number(); n != 8 {
		t.Errorf("%d values, want 8", n)
	}
}

func TestBuilderNormalizesAttrs(t *testing.T) {
	e := emitter{NewBuilder("f"), t}
	p := e.Param("p", types.PointerTo(num.Float32), 16)
	v := e.emit(ops.Load, []*Value{p, nil, nil}, Attr{Name: "volatile", Value: true}, Attr{Name: "eviction", Value: ""}, Attr{Name: "cache", Value: "cg"})
	if a := v.Def.Attrs; len(a) != 2 || a[0].Name != "cache" || a[1].Name != "volatile" {
		t.Errorf("attributes are %v", a)
	}
}

func TestBuilderRefuses(t *testing.T) {
	tile := func(e emitter, n int64) *Value {
		return e.emit(ops.Arange, nil, Attr{Name: "start", Value: int64(0)}, Attr{Name: "end", Value: n})
	}
	cases := []struct {
		name  string
		build func(e emitter) *ops.Mismatch
		want  string
	}{
		{"mask", func(e emitter) *ops.Mismatch {
			p := e.emit(ops.Splat, []*Value{e.Param("p", types.PointerTo(num.Float32), 1)}, Attr{Name: "shape", Value: []int64{64}})
			mask := e.emit(ops.Lt, []*Value{tile(e, 32), tile(e, 32)})
			_, m := e.Emit(nowhere, ops.Load, []*Value{p, mask})
			return m
		}, "load: mask has shape [32], ptr has shape [64]"},
		{"carried", func(e emitter) *ops.Mismatch {
			zero := e.int(0)
			body := e.Block(zero.Type, zero.Type)
			e.Push(body)
			e.emit(ops.Yield, []*Value{tile(e, 8)})
			e.Pop()
			_, m := e.EmitRegions(nowhere, ops.For, []*Value{zero, zero, zero, zero}, []*Block{body})
			return m
		}, "for: i32 as value 0 from region do, not i32[8]"},
		{"region without end", func(e emitter) *ops.Mismatch {
			zero := e.int(0)
			_, m := e.EmitRegions(nowhere, ops.For, []*Value{zero, zero, zero}, []*Block{e.Block(zero.Type)})
			return m
		}, "for: region do to end in yield"},
	}
	for _, c := range cases {
		if m := c.build(emitter{NewBuilder("f"), t}); m == nil || m.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.name, m, c.want)
		}
	}
}
