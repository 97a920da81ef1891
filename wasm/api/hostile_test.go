package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/wasm/rpc"
)

// testBudget stops an endless kernel within a tenth of a second or so.
const testBudget = 1 << 26

var testLibraries = Libraries{Codecs: codec.Go{}}

// ask serves one request with a server of its own and returns the last reply. It fails where
// newt met a fault of its own, or where a reply cannot be read.
func ask(t testing.TB, r any) *Reply {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, newDocumentServer(testBudget, testLibraries), data)
}

// serve serves a request to its end and hands each reply on.
func serve(t testing.TB, s *server, m rpc.Message, each func(*Reply, [][]byte)) {
	t.Helper()
	later := s.accept(m, func(reply rpc.Message) {
		r := &Reply{}
		if err := json.Unmarshal(reply.Text, r); err != nil {
			t.Fatalf("%v: %.200s", err, reply.Text)
		}
		if bytes.Contains(reply.Text, []byte(":null")) {
			t.Errorf("a reply says null, which its TypeScript type does not know: %.2000s", reply.Text)
		}
		each(r, reply.Buffers)
	})
	if later != nil {
		later()
	}
}

func send(t testing.TB, s *server, data []byte) *Reply {
	t.Helper()
	compiler.Trace = func(reason any, stack []byte) { t.Errorf("panic: %v\n%s", reason, stack) }
	defer func() { compiler.Trace = nil }()
	var last *Reply
	serve(t, s, rpc.Message{Text: data}, func(r *Reply, _ [][]byte) {
		if last != nil && last.Done {
			t.Errorf("a reply after the last one: %+v", r)
		}
		last = r
	})
	if last == nil || !last.Done {
		t.Fatal("no last reply")
	}
	if strings.Contains(last.Error, "internal error") {
		t.Error(last.Error)
	}
	for _, d := range said(last) {
		if d.Code == "internal-error" {
			t.Error(d.Headline)
		}
	}
	return last
}

// said are a reply's diagnostics.
func said(r *Reply) []Diagnostic {
	switch {
	case r.Check != nil:
		return r.Check.Diagnostics
	case r.Free != nil:
		return r.Free.Diagnostics
	case r.Verdict != nil:
		return r.Verdict.Diagnostics
	}
	return nil
}

const kernelHead = "import triton\nimport triton.language as tl\n\n\n"

// kernelOf is a kernel k(x_ptr, n, B) with that body.
func kernelOf(body string) string {
	return kernelHead + "@triton.jit\ndef k(x_ptr, n, B: tl.constexpr):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
}

// freeOf runs a kernel on one tensor of 64 elements, n = 10 and B = 16.
func freeOf(text string) *FreeRequest {
	return &FreeRequest{Source: text, Grid: "1", Args: []FreeArg{
		{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "64", Fill: "arange"},
		{Name: "n", Kind: "int", Value: "10"},
		{Name: "B", Kind: "constexpr", Value: "16"},
	}}
}

func nested(depth int, open, inner, close string) string {
	return strings.Repeat(open, depth) + inner + strings.Repeat(close, depth)
}

// hostileSources are texts with the code that newt is to say about each, "" where it says none of
// weight.
var hostileSources = []struct{ name, text, code string }{
	{"nothing", "", "no-kernel"},
	{"unterminated string", kernelOf("x = 'abc\ntl.store(x_ptr, n)"), "unterminated-string"},
	{"unterminated triple quotes", kernelOf("x = '''abc\ntl.store(x_ptr, n)"), "unterminated-string"},
	{"unterminated f-string", kernelOf("print(f'{n)\ntl.store(x_ptr, n)"), "unterminated-string"},
	{"tabs and spaces", kernelHead + "@triton.jit\ndef k(x_ptr, n, B: tl.constexpr):\n    if n:\n        a = 1\n\tb = 2\n", "mixed-indentation"},
	{"10 MB of one line", "x = 1" + strings.Repeat(" + 1", 10<<18), "source-too-large"},
	{"10 MB of lines", strings.Repeat("x = 1\n", 10<<20/6), "source-too-large"},
	{"1 MB of kernel", kernelOf(strings.Repeat("n += 1\n", 1<<20/11-100)), ""},
	{"10000 parentheses", kernelOf("tl.store(x_ptr, " + nested(10000, "(", "n", ")") + ")"), "too-deep"},
	{"10000 open parentheses", kernelOf("tl.store(x_ptr, " + strings.Repeat("(", 10000)), "unclosed-bracket"},
	{"10000 minus signs", kernelOf("tl.store(x_ptr, " + strings.Repeat("-", 10000) + "n)"), "too-deep"},
	{"10000 subscripts", kernelOf("tl.store(x_ptr" + strings.Repeat("[None]", 10000) + ", n)"), ""},
	{"10000 attributes", kernelOf("tl" + strings.Repeat(".a", 10000)), ""},
	{"1000 nested ifs", kernelHead + deepIfs(1000), "too-deep"},
	{"60 nested ifs", kernelHead + deepIfs(60), ""},
	{"10000 elifs", kernelOf("if n == 0:\n    pass\n" + strings.Repeat("elif n == 1:\n    n += 1\n", 10000)), ""},
	{"10000 lambdas", kernelOf("f = " + strings.Repeat("lambda: ", 10000) + "1"), "too-deep"},
	{"10000 decorators", strings.Repeat("@triton.jit\n", 10000) + "def k():\n    pass\n", ""},
	{"NUL bytes", kernelOf("tl.store(x_ptr, n)\x00\x00"), "nul-byte"},
	{"nothing but NUL", strings.Repeat("\x00", 1000), "nul-byte"},
	{"invalid UTF-8", kernelOf("tl.store(x_ptr, n) # \xff\xfe\ns = '\xc3'"), ""},
	{"lone surrogates", kernelOf("s = '\\ud800'\nprint(s)"), ""},
	{"a kernel that calls itself", kernelOf("k(x_ptr, n, B)"), "recursion"},
	{"kernels that call each other", kernelHead + "@triton.jit\ndef f(p, n):\n    g(p, n)\n\n\n@triton.jit\ndef g(p, n):\n    f(p, n)\n\n\n" + strings.TrimPrefix(kernelOf("f(x_ptr, n)"), kernelHead), "recursion"},
	{"a lambda that calls itself", kernelOf("f = lambda a: f(a)\ntl.store(x_ptr, f(n))"), ""},
	{"a tile of 2^20", kernelOf("o = tl.arange(0, 1048576)\ntl.store(x_ptr + o, o, mask=o < 64)"), ""},
	{"a tile of 2^21", kernelOf("o = tl.arange(0, 2097152)\ntl.store(x_ptr + o, o, mask=o < 64)"), "tile-too-large"},
	{"a tile of 2^10 by 2^11", kernelOf("a = tl.zeros([1024, 2048], tl.float32)\ntl.store(x_ptr, tl.sum(tl.sum(a, 0), 0))"), "tile-too-large"},
	{"a tile of 2^62", kernelOf("a = tl.zeros([2147483647, 2147483647], tl.float32)\ntl.store(x_ptr, n)"), ""},
	{"a tile of 2^200", kernelOf("a = tl.zeros([2 ** 100, 2 ** 100], tl.float32)\ntl.store(x_ptr, n)"), ""},
	{"an arange to 2^63", kernelOf("o = tl.arange(0, 9223372036854775808)\ntl.store(x_ptr + o, o)"), ""},
	{"ten axes", kernelOf("a = tl.zeros([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], tl.float32)\ntl.store(x_ptr + a.to(tl.int32), a)"), ""},
	{"many large tiles", kernelOf(strings.Repeat("x_ptr += tl.sum(tl.arange(0, 1048576) * n)\n", 200)), ""},
	{"many large tiles alive", kernelOf(manyTiles(200)), ""},
	{"a while that never ends", kernelOf("while True:\n    tl.store(x_ptr, n)"), "loop-budget"},
	{"a while that does nothing", kernelOf("while True:\n    pass"), "loop-budget"},
	{"a while of a run-time truth", kernelOf("while n > 0:\n    n += 0"), "loop-budget"},
	{"a for over a huge range", kernelOf("for i in range(0, 2147483647):\n    tl.store(x_ptr, i)"), "loop-budget"},
	{"a for that does nothing", kernelOf("for i in range(0, 2147483647):\n    pass"), ""},
	{"nested loops that do nothing", kernelOf("for i in range(0, 2147483647):\n    for j in range(0, 2147483647):\n        n += 0"), ""},
	{"a for that sums", kernelOf("s = 0\nfor i in range(0, n * 100000000):\n    s += i\ntl.store(x_ptr, s)"), "loop-budget"},
	{"a for with step 0", kernelOf("for i in range(0, n, 0):\n    tl.store(x_ptr, i)"), ""},
	{"a for with a run-time step 0", kernelOf("for i in range(0, n, n - 10):\n    tl.store(x_ptr, i)"), ""},
	{"a for past int32", kernelOf("for i in range(2147483600, 2147483647, 64):\n    tl.store(x_ptr, i)"), ""},
	{"a for over large tiles", kernelOf("a = tl.zeros([1048576], tl.float32)\nfor i in range(0, 2147483647):\n    a += tl.exp(a)\ntl.store(x_ptr, tl.sum(a))"), "loop-budget"},
	{"a kernel that prints for ever", kernelOf("while True:\n    print('more', n)"), "loop-budget"},
	{"a print of a tile of 2^20", kernelOf("print('all', tl.arange(0, 1048576))"), ""},
	{"prints of tiles of 2^20", kernelOf("for i in range(0, 1000000):\n    print('all', i + tl.arange(0, 1048576))"), "loop-budget"},
	{"a static_range of 10^9", kernelOf("for i in tl.static_range(0, 1000000000):\n    tl.store(x_ptr, i)"), ""},
	{"a static_range that does nothing", kernelOf("for i in tl.static_range(0, 1000000000):\n    pass"), ""},
	{"nested static_ranges", kernelOf("for i in tl.static_range(0, 1000):\n    for j in tl.static_range(0, 1000):\n        for l in tl.static_range(0, 1000):\n            tl.store(x_ptr, i)"), ""},
	{"a static while", kernelOf("i: tl.constexpr = 0\nwhile i < 1000000000:\n    i = i + 1"), ""},
	{"static prints for ever", kernelOf("for i in tl.static_range(0, 1000000):\n    tl.static_print('x' * 1000, i)"), ""},
	{"helpers 100 deep", helpers(100), "call-too-deep"},
	{"helpers that double", doubling(40), ""},
	{"a comprehension of 10^9", kernelOf("a = [i for i in range(1000000000)]\ntl.store(x_ptr, n)"), ""},
	{"a list times 10^9", kernelOf("a = [0] * 1000000000\ntl.store(x_ptr, n)"), ""},
	{"powers of powers", kernelOf("tl.store(x_ptr, 9 ** 9 ** 9 ** 9)"), ""},
	{"a format of a billion", kernelOf("tl.static_print(f'{1:1000000000}')"), ""},
	{"a global of a billion", "W = 'x' * 1000000000\n" + kernelOf("tl.store(x_ptr, n)\ntl.static_print(W)"), ""},
	{"division by zero", kernelOf("tl.store(x_ptr, n // 0)\ntl.store(x_ptr, n // (n - 10))\ntl.store(x_ptr, n % (n - 10))"), ""},
	{"far beyond the tensor", kernelOf("tl.store(x_ptr + 9223372036854775807, n)\ntl.load(x_ptr - 9223372036854775807)"), ""},
	{"integers as pointers", kernelOf("p = (n * 1000).to(tl.pointer_type(tl.float32))\ntl.store(p, 1.0)"), ""},
}

func deepIfs(depth int) string {
	var b strings.Builder
	b.WriteString("@triton.jit\ndef k(x_ptr, n, B: tl.constexpr):\n")
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i+1) + "if n:\n")
	}
	b.WriteString(strings.Repeat(" ", depth+1) + "tl.store(x_ptr, n)\n")
	return b.String()
}

func manyTiles(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d = tl.arange(0, 1048576) * (n + %d)\n", i, i)
	}
	b.WriteString("s = 0\n")
	for i := range n {
		fmt.Fprintf(&b, "s += tl.sum(a%d * a%d)\n", i, n-1-i)
	}
	return b.String() + "tl.store(x_ptr, s)"
}

// helpers is a kernel that calls n functions, each inside the one before.
func helpers(n int) string {
	var b strings.Builder
	b.WriteString(kernelHead + "@triton.jit\ndef f0(n):\n    return n\n\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "@triton.jit\ndef f%d(n):\n    return f%d(n) + 1\n\n\n", i, i-1)
	}
	return b.String() + strings.TrimPrefix(kernelOf(fmt.Sprintf("tl.store(x_ptr, f%d(n))", n)), kernelHead)
}

// doubling is a kernel whose call tree has 2^n leaves.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(kernelHead + "@triton.jit\ndef f0(n):\n    return n\n\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "@triton.jit\ndef f%d(n):\n    return f%d(n) + f%d(n)\n\n\n", i, i-1, i-1)
	}
	return b.String() + strings.TrimPrefix(kernelOf(fmt.Sprintf("tl.store(x_ptr, f%d(n))", n)), kernelHead)
}

// TestHostileSources: every request about a hostile source ends, without a panic, with the
// diagnostic that fits; a source that only newt's budget stops is stopped by it.
func TestHostileSources(t *testing.T) {
	for _, c := range hostileSources {
		t.Run(c.name, func(t *testing.T) {
			if len(c.text) > 1<<18 {
				soak.Only(t, "smaller sources have what is hostile of this one")
			}
			reply := ask(t, Request{Free: freeOf(c.text)})
			if reply.Free == nil {
				t.Fatal(reply.Error)
			}
			codes := []string{}
			for _, d := range said(reply) {
				codes = append(codes, d.Code)
			}
			if c.code != "" && !slices.Contains(codes, c.code) {
				t.Errorf("says %q, not %s", codes, c.code)
			}
			if len(reply.Free.Prints) > 1001 {
				t.Errorf("%d prints", len(reply.Free.Prints))
			}
			ask(t, Request{Check: &CheckRequest{Source: c.text}})
			ask(t, Request{Kernels: &KernelsRequest{Source: c.text}})
			for _, at := range []int{-1, len(c.text) / 2, 1 << 40} {
				ask(t, Request{Complete: &CompleteRequest{Source: c.text, Offset: at}})
				ask(t, Request{Hover: &HoverRequest{Source: c.text, Offset: at}})
			}
		})
	}
}

// TestFreeReportsRaces: the free page names programs that store to the same elements.
func TestFreeReportsRaces(t *testing.T) {
	r := freeOf(kernelOf("i = tl.arange(0, B)\ntl.store(x_ptr + i, i * 1.0 + tl.program_id(0))"))
	r.Grid = "8"
	for _, d := range said(ask(t, Request{Free: r})) {
		if d.Code == "race-stores" {
			return
		}
	}
	t.Error("no race-stores")
}
