package gpu

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
)

// TestCodeIsBounded puts more than Code keeps: what was used lately stays.
func TestCodeIsBounded(t *testing.T) {
	c := NewCode()
	const each, all = 1 << 20, 4 * codeBytes >> 20
	m := &compiled{module: &ptx.Module{Text: strings.Repeat(" ", each)}}
	key := func(i int) codeKey { return codeKey{printBytes: i} }
	for i := range all {
		c.put(key(i), m)
		if c.get(key(0)) == nil {
			t.Fatalf("what was used last is dropped after %d more", i)
		}
	}
	if c.get(key(all-1)) == nil || c.get(key(1)) != nil {
		t.Error("what came last is dropped, or what came first kept")
	}
	if n := len(c.recent) + len(c.older); n*each > 2*codeBytes {
		t.Errorf("%d bytes are kept", n*each)
	}
}

// TestCodeSize: what Code keeps takes no more memory than it counts.
func TestCodeSize(t *testing.T) {
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	const start = "func @stores(%z: *i32) {\n  %0 = const {value=i32(0)} : i32\n"
	var folded strings.Builder // instructions of which no PTX is made
	for i := range 1000 {
		fmt.Fprintf(&folded, "  %%%d = add %%0, %%%d : i32\n", i+1, i)
	}
	for name, wire := range map[string][]byte{
		"matmul": ir.Encode(devicetest.TileMatmulKernel(t)),
		"folded": wireOf(t, start+folded.String()+"  store %z, %1000\n  return\n}\n"),
		"small":  wireOf(t, start+"  store %z, %0\n  return\n}\n"),
	} {
		const entries = 20
		compile := func(d device.Device, i int) {
			t.Helper()
			fn, err := ir.Decode(wire)
			if err != nil {
				t.Fatal(err)
			}
			fn.Name = fmt.Sprint("kernel", i)
			loaded, err := d.Load(fn, device.Options{})
			if err != nil {
				t.Fatal(err)
			}
			k := loaded.(*kernel)
			k.makeProver()
			if _, err := k.compilePTX(k.prover.weakest(allFacts)); err != nil {
				t.Fatal(err)
			}
		}
		code := NewCode()
		open := func(c *Code) device.Device { return Open(NewSimulator(SimulatorOptions{}), Options{Code: c}) }
		compile(open(nil), 0) // what is made once for all is not counted
		before := heap()
		for i := range entries {
			compile(open(code), i)
		}
		if held := heap() - before; held > code.bytes {
			t.Errorf("%s: %d entries take %d bytes, which count as %d", name, entries, held, code.bytes)
		}
		runtime.KeepAlive(code)
	}
}

func wireOf(t *testing.T, text string) []byte {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return ir.Encode(fn)
}
