package ir_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
)

// repeated is the wire form of a function with one line n times, each with names of its own for the values that begin
// with %x.
func repeated(tb testing.TB, line string, n int) []byte {
	tb.Helper()
	var b strings.Builder
	b.WriteString("func @f(%z: *i32) {\n")
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%x", fmt.Sprintf("%%x%d", i)))
	}
	b.WriteString("return\n}\n")
	fn := parse(tb, b.String())
	fn.Body.Walk(func(in *ir.Instr) {
		for _, r := range in.Results {
			r.Name = ""
		}
	})
	return ir.Encode(fn)
}

const programID = "%x = program_id {axis=0} : i32\n"

// heap is how many bytes are reachable.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemory: a function that takes more memory than MaxMemory is refused, and one that takes less is accepted and
// takes no more than that.
func TestMemory(t *testing.T) {
	const rank20 = "[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]"
	const wide = "%x = const {value=i32(0), shape=" + rank20 + "} : i32" + rank20 + "\n"
	for _, c := range []struct {
		name, line string
		few, many  int
	}{
		{"instructions with results", programID, 100_000, 140_000},
		{"instructions with shapes", wide, 30_000, 60_000},
	} {
		few, many := repeated(t, c.line, c.few), repeated(t, c.line, c.many)
		before := heap()
		fn, err := ir.Decode(few)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if held := heap() - before; held > ir.MaxMemory {
			t.Errorf("%s: %d bytes of wire form take %d MiB", c.name, len(few), held>>20)
		}
		runtime.KeepAlive(fn)
		if _, err := ir.Decode(many); err == nil || err.Error() != "the kernel takes more than 32 MiB" {
			t.Errorf("%s: %d bytes of wire form are read with error %v", c.name, len(many), err)
		}
	}
}

// TestGarbage: decoding takes no more than twice the memory of what is decoded.
func TestGarbage(t *testing.T) {
	for _, line := range []string{"barrier\n", programID} {
		wire := repeated(t, line, 50_000)
		before := heap()
		fn, err := ir.Decode(wire)
		if err != nil {
			t.Fatal(err)
		}
		held := heap() - before
		runtime.KeepAlive(fn)
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		ir.Decode(wire)
		runtime.ReadMemStats(&to)
		if took := int64(to.TotalAlloc - from.TotalAlloc); took > 2*held {
			t.Errorf("%s: %d bytes are allocated for %d", line, took, held)
		}
	}
}

// ending is a context that ends when it was asked left times.
type ending struct {
	context.Context
	asked, left int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// TestDecodeContext: reading, verifying and writing back each ask the context at least every 1024 instructions, and
// give up when it ends.
func TestDecodeContext(t *testing.T) {
	const instrs = 10_000
	wire := repeated(t, programID, instrs)
	whole := &ending{left: 1 << 30}
	if _, err := ir.DecodeContext(whole, wire); err != nil {
		t.Fatal(err)
	}
	if least := 3 * (instrs/1024 - 1); whole.asked < least {
		t.Errorf("the context was asked %d times, not %d", whole.asked, least)
	}
	for left := range whole.asked {
		c := &ending{left: left}
		if fn, err := ir.DecodeContext(c, wire); fn != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("a context that ends when asked for the %d. time of %d: error %v", left+1, whole.asked, err)
		}
		if c.asked != left+1 {
			t.Fatalf("a context that ended was asked %d times more", c.asked-left-1)
		}
	}
}

func BenchmarkDecodeDense(b *testing.B) {
	for name, line := range map[string]string{"barrier": "barrier\n", "program_id": programID} {
		wire := repeated(b, line, 120_000)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(wire)))
			for b.Loop() {
				ir.Decode(wire)
			}
		})
	}
}
