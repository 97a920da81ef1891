package code

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/wasm/rpc"
)

// lensRequest asks for a lens of add_one on n elements, which are zeros.
func lensRequest(t testing.TB, n int, change func(*protocol.Submit)) string {
	t.Helper()
	return request(t, func(r *Request) {
		tensor := 0
		s := &protocol.Submit{
			Job: 1, IRBytes: len(r.IR) / 4 * 3, Grid: []int{(n + 127) / 128, 1, 1},
			Args: []protocol.Arg{
				{Name: "x_ptr", DType: "fp32", Tensor: &tensor}, {DType: "i32", Bits: fmt.Sprintf("%x", n)},
			},
			Tensors: []protocol.Tensor{{Bytes: 4 * n, Zero: true}},
		}
		change(s)
		text, err := json.Marshal(protocol.ClientMessage{Submit: s})
		if err != nil {
			t.Fatal(err)
		}
		r.Launch = string(text)
	})
}

// units are the memory sectors that a line's accesses of a kind touch.
func units(t *testing.T, r *lens.Report, line int, a lens.Access) uint64 {
	t.Helper()
	for _, l := range r.Lines {
		for _, m := range l.Memory {
			if l.Line == line && m.Access == a {
				if m.Units != m.Ideal {
					t.Errorf("%s: %d sectors, %d are ideal", a, m.Units, m.Ideal)
				}
				return m.Units
			}
		}
	}
	t.Fatalf("line %d has no %s", line, a)
	return 0
}

// TestLens: 1000 elements of fp32 are 125 sectors of 32 bytes, loaded and stored by one line.
func TestLens(t *testing.T) {
	r := ask(t, lensRequest(t, 1000, func(*protocol.Submit) {}))
	if r.Error != "" || r.Problem != "" || r.Lens == nil {
		t.Fatalf("%+v", r)
	}
	if units(t, r.Lens, 10, "load") != 125 || units(t, r.Lens, 10, "store") != 125 || r.Lens.ReadBytes != 4000 {
		t.Errorf("%+v", r.Lens)
	}
	if r.Lens.Programs != 8 || r.Lens.Simulated != 8 || len(r.Lens.Roofline) == 0 {
		t.Errorf("%+v", r.Lens)
	}
}

// TestLensOfASample: of a launch that would take too long a part is simulated, and the roofline is of all of it.
func TestLensOfASample(t *testing.T) {
	const n = 1 << 23
	r := ask(t, lensRequest(t, n, func(*protocol.Submit) {}))
	if r.Lens == nil {
		t.Fatalf("%+v", r)
	}
	l := r.Lens
	if l.Programs != n/128 || l.Simulated == 0 || l.Simulated >= l.Programs {
		t.Fatalf("%d of %d programs", l.Simulated, l.Programs)
	}
	if got := units(t, l, 10, "load"); got != 16*l.Simulated {
		t.Errorf("%d sectors of %d programs", got, l.Simulated)
	}
	for _, f := range l.Roofline {
		peak := map[string]float64{"H100 SXM": 3.35e12, "H200 SXM": 4.8e12}[f.GPU]
		if least := 8 * n / peak; f.MemorySeconds < 0.99*least || f.MemorySeconds > 1.01*least {
			t.Errorf("%s takes %g s, not %g", f.GPU, f.MemorySeconds, least)
		}
	}
}

// TestLensOfProducts: products of matrices take long in few instructions, so that they count by their operations.
func TestLensOfProducts(t *testing.T) {
	const products = `import triton
import triton.language as tl


@triton.jit
def products(x_ptr, n, B: tl.constexpr):
    x = tl.full((B, B), 1.0, tl.float16)
    sums = tl.zeros((B, B), tl.float32)
    for _ in range(n):
        sums = tl.dot(x, x, sums)
    at = tl.arange(0, B)
    tl.store(x_ptr + at[:, None] * B + at[None, :], sums)
`
	args, err := compiler.ParseSignature("*fp32:16, i32, 128")
	if err != nil {
		t.Fatal(err)
	}
	artifact, list := compiler.Compile(source.NewFile("k.py", products), compiler.Options{Args: args})
	if list.HasErrors() {
		t.Fatal(list[0].Code)
	}
	text := lensRequest(t, 128*128, func(s *protocol.Submit) {
		s.Grid[0], s.Args[1].Bits, s.IRBytes = 32, "8", len(ir.Encode(artifact.Func))
	})
	var r Request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	r.IR, r.Source = encoded(artifact), products
	asked, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	reply := ask(t, string(asked))
	if l := reply.Lens; l == nil || l.Programs != 32 || l.Simulated > 8 || l.FLOPs["tensor"] != l.Simulated*8*2*128*128*128 {
		t.Errorf("%+v, %q", l, reply.Problem+reply.Error)
	}
}

// TestLadder: a launch is graded by the goals of the request, in its language, unless it is too long to be counted whole.
func TestLadder(t *testing.T) {
	goals := []goal.Goal{{Count: "sectors", Most: []float64{1000, 250, 249}}, {Count: "warps", Least: []float64{1, 1, 1}}}
	for _, c := range []struct {
		n     int
		level int // -1: there is none
	}{{1000, 2}, {3000, 1}, {5000, 0}, {1 << 23, -1}} {
		text := lensRequest(t, c.n, func(*protocol.Submit) {})
		var r Request
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		r.Goals, r.Lang = goals, "zh"
		asked, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		reply := ask(t, string(asked))
		if l := reply.Ladder; (l == nil) != (c.level < 0) || reply.Lens == nil {
			t.Errorf("%d elements: %+v, %q", c.n, l, reply.Problem+reply.Error)
		} else if l != nil && (l.Level != c.level || l.Rungs[0].Value != float64(2*(c.n/8)) || l.Rungs[0].Label != "全局内存扇区") {
			t.Errorf("%d elements: %+v", c.n, l)
		}
	}
}

// TestLensOfAFault: a launch that cannot be made is told so in words.
func TestLensOfAFault(t *testing.T) {
	for _, c := range []struct {
		name, problem, err string
		change             func(*protocol.Submit)
	}{
		{"too few arguments", "argument", "", func(s *protocol.Submit) { s.Args = s.Args[:1] }},
		{"too much memory", "", "cannot be read", func(s *protocol.Submit) { s.Tensors[0].Bytes = simulatedMemory }},
		{"no such tensor", "", "cannot be read", func(s *protocol.Submit) { *s.Args[0].Tensor = 1 }},
		{"no grid", "", "cannot be read", func(s *protocol.Submit) { s.Grid = nil }},
	} {
		r := ask(t, lensRequest(t, 1000, c.change))
		said := strings.Contains(r.Problem, c.problem) && strings.Contains(r.Error, c.err)
		if r.Lens != nil || !said || r.Problem+r.Error == "" {
			t.Errorf("%s: %q, %q", c.name, r.Problem, r.Error)
		}
	}
}

// TestLensTakesTensors: a tensor that is not all zeros is the buffer of its number.
func TestLensTakesTensors(t *testing.T) {
	text := lensRequest(t, 1000, func(s *protocol.Submit) { s.Tensors[0].Zero = false })
	for bytes, problem := range map[int]bool{4000: false, 4004: true} {
		Handle(rpc.Message{Call: 1, Text: []byte(text), Buffers: [][]byte{make([]byte, bytes)}}, func(m rpc.Message) {
			var r Reply
			if err := json.Unmarshal(m.Text, &r); err != nil || (r.Problem != "") != problem {
				t.Errorf("%d bytes: %v, %q, %q", bytes, err, r.Problem, r.Error)
			}
		})
	}
}
