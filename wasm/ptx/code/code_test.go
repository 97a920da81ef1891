package code

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/wasm/rpc"
)

const kernel = `import triton
import triton.language as tl


@triton.jit
def add_one(x_ptr, n, B: tl.constexpr):
    # é😀
    offs = tl.program_id(0) * B + tl.arange(0, B)
    mask = offs < n
    tl.store(x_ptr + offs, tl.load(x_ptr + offs, mask=mask) + 1.0, mask=mask)
`

func ask(t testing.TB, request string) Reply {
	t.Helper()
	var replies []Reply
	Handle(rpc.Message{Call: 7, Text: []byte(request)}, func(reply rpc.Message) {
		var r Reply
		if err := json.Unmarshal(reply.Text, &r); err != nil {
			t.Fatal(err)
		}
		replies = append(replies, r)
	})
	if len(replies) != 1 || !replies[0].Done {
		t.Fatalf("%d replies to %.200s", len(replies), request)
	}
	return replies[0]
}

// TestStages: the IR as lowered, after each pass and as it is placed on threads, linked with the source, and the plan for the
// options that are asked for.
func TestStages(t *testing.T) {
	args, err := compiler.ParseSignature("*fp32:16, i32, 128")
	if err != nil {
		t.Fatal(err)
	}
	lowered, _ := compiler.Compile(source.NewFile("k.py", kernel), compiler.Options{Args: args, Unoptimized: true})
	recorded, _ := compiler.Compile(source.NewFile("k.py", kernel), compiler.Options{Args: args, Record: true})
	reply := ask(t, request(t, func(r *Request) {
		r.Lowered, r.NumWarps, r.NumStages = base64.StdEncoding.EncodeToString(ir.Encode(lowered.Func)), 8, 2
	}))
	want := recorded.Dump.Stages()[1:] // after the source
	if reply.Error != "" || len(reply.Stages) < len(want)+2 {
		t.Fatalf("%d stages, want %d, those of placement and the plan (%s)", len(reply.Stages), len(want), reply.Error)
	}
	inLayout := func(l Line) bool { return strings.HasSuffix(l.Text, " #0") }
	if placed := reply.Stages[len(want)]; placed.Name != "layouts" || !slices.ContainsFunc(placed.Lines, inLayout) {
		t.Errorf("the first stage of placement is %s", placed.Name)
	}
	for i, s := range want {
		got := reply.Stages[i]
		if got.Name != s.Name || got.Changed != s.Changed || len(got.Lines) != len(s.Lines) {
			t.Errorf("stage %d is %s with %d lines, want %s with %d", i, got.Name, len(got.Lines), s.Name, len(s.Lines))
			continue
		}
		for j, l := range s.Lines {
			if got.Lines[j].Text != l.Text {
				t.Errorf("%s, line %d is %q, want %q", s.Name, j, got.Lines[j].Text, l.Text)
			}
		}
	}
	if first := reply.Stages[0].Lines; !slices.ContainsFunc(first, func(l Line) bool { return strings.Contains(l.Text, "load") && l.Line == 10 }) {
		t.Error("the load is not linked with its line")
	}
	plan := reply.Stages[len(reply.Stages)-1]
	if got := plan.Lines[0].Text; plan.Name != "plan" || got != "plan of add_one for sm_90a: 8 warps, 2 stages" {
		t.Errorf("the plan begins %q", got)
	}
	if reply.Threads != 256 {
		t.Errorf("%d threads", reply.Threads)
	}
	if wrong := ask(t, request(t, func(r *Request) { r.NumStages = 99 })); wrong.Error == "" {
		t.Error("99 stages are possible")
	}
}

func request(t testing.TB, change func(*Request)) string {
	t.Helper()
	args, err := compiler.ParseSignature("*fp32:16, i32, 128")
	if err != nil {
		t.Fatal(err)
	}
	artifact, list := compiler.Compile(source.NewFile("k.py", kernel), compiler.Options{Args: args})
	if list.HasErrors() {
		t.Fatal(list[0].Code)
	}
	r := Request{Lang: "en", IR: base64.StdEncoding.EncodeToString(ir.Encode(artifact.Func)), Source: kernel, Target: "sm_90a"}
	change(&r)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCode(t *testing.T) {
	r := ask(t, request(t, func(*Request) {}))
	if r.ID != 7 || r.Error != "" || r.Threads != 128 || len(r.Layouts) == 0 {
		t.Fatalf("%+v", r)
	}
	// A tile of 128 elements over four warps: each thread has one of its own.
	if l := r.Layouts[0]; len(l.Shape) != 1 || len(l.Lane) != 5 || len(l.Warp) != 2 || l.Line.Line == 0 || r.Idle {
		t.Errorf("the first tile: %+v", l)
	}
	stores := 0
	for _, l := range r.PTX {
		utf16 := strings.Replace(kernel, "😀", "..", 1) // two units, as the editor counts
		if strings.Contains(l.Text, "st.global") && strings.HasPrefix(string([]rune(utf16)[l.From:l.To]), "tl.store(") {
			stores++
			if l.Line != 10 {
				t.Errorf("%s comes from line %d", l.Text, l.Line)
			}
		}
	}
	if stores == 0 {
		t.Error("no instruction comes from the store")
	}
}

// TestUnchecked: without checks the code has fewer branches, and neither parameters nor code for reports.
func TestUnchecked(t *testing.T) {
	checked := ask(t, request(t, func(*Request) {}))
	plain := ask(t, request(t, func(r *Request) { r.Unchecked = true }))
	if plain.Error != "" || len(plain.PTX) == 0 || len(plain.PTX) >= len(checked.PTX)*3/4 {
		t.Errorf("%d lines with checks, %d without; %s", len(checked.PTX), len(plain.PTX), plain.Error)
	}
}

func TestHostileRequests(t *testing.T) {
	for _, c := range []struct{ name, data, err string }{
		{"nothing", "", "cannot be read"},
		{"no IR", `{"target":"sm_80"}`, "IR"},
		{"no base64", request(t, func(r *Request) { r.IR = "?" }), "base64"},
		{"IR cut off", request(t, func(r *Request) { r.IR = r.IR[:len(r.IR)/2/4*4] }), "cannot be read"},
		{"a target that is none", request(t, func(r *Request) { r.Target = "sm_90a; .entry" }), "no known target"},
		{"three warps", request(t, func(r *Request) { r.NumWarps = 3 }), "warps"},
		{"64 warps", request(t, func(r *Request) { r.NumWarps = 64 }), "warps"},
		{"-1 warps", request(t, func(r *Request) { r.NumWarps = -1 }), "warps"},
		{"another source", request(t, func(r *Request) { r.Source = "" }), ""},
		{"too much", fmt.Sprintf(`{"source":%q}`, strings.Repeat("x", MaxRequest)), "are allowed"},
	} {
		if r := ask(t, c.data); !strings.Contains(r.Error, c.err) || (r.Error == "") != (c.err == "") {
			t.Errorf("%s: %q, not %q", c.name, r.Error, c.err)
		}
	}
}

func FuzzHandle(f *testing.F) {
	f.Add(request(f, func(*Request) {}))
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, text string) { ask(t, text) })
}

// TestTritonRefuses: a kernel for which Triton has too little shared memory is compiled, and Triton's refusal is said.
func TestTritonRefuses(t *testing.T) {
	const product = `import triton
import triton.language as tl


@triton.jit
def product(a, b, c, n, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for at in range(0, n, K):
        x = tl.load(a + i[:, None] * n + (at + k)[None, :])
        y = tl.load(b + (at + k)[:, None] * N + j[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None] * N + j[None, :], acc)
`
	for _, c := range []struct {
		lang   string
		k      int
		target string
		says   string // "" for nothing
	}{
		{"en", 128, "sm_90a", "Triton refuses this launch of `product` on sm_90a"},
		{"zh", 128, "sm_90a", "Triton 会拒绝在 sm_90a 上启动 `product`"},
		{"en", 32, "sm_90a", ""},
	} {
		args, err := compiler.ParseSignature(fmt.Sprintf("*fp16:16, *fp16:16, *fp32:16, i32:16, 128, %d, 256", c.k))
		if err != nil {
			t.Fatal(err)
		}
		artifact, list := compiler.Compile(source.NewFile("k.py", product), compiler.Options{Args: args})
		if list.HasErrors() {
			t.Fatal(list[0].Code)
		}
		reply := ask(t, request(t, func(r *Request) {
			r.IR, r.Source, r.Lang, r.Target = base64.StdEncoding.EncodeToString(ir.Encode(artifact.Func)), product, c.lang, c.target
		}))
		if said := strings.Join(reply.Refused, " "); len(reply.PTX) == 0 || (said == "") != (c.says == "") || !strings.HasPrefix(said, c.says) {
			t.Errorf("%d: %d lines, %q (%s %s)", c.k, len(reply.PTX), said, reply.Problem, reply.Error)
		}
	}
}
