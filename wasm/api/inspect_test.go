package api

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/wasm/rpc"
)

// inspectRequest sends a request to inspect a launch.
func inspectRequest(t testing.TB, s *server, lang string, r *InspectRequest) (*InspectReply, [][]byte) {
	t.Helper()
	text, err := json.Marshal(&Request{Lang: lang, Inspect: r})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	var buffers [][]byte
	serve(t, s, rpc.Message{Text: text}, func(reply *Reply, b [][]byte) { last, buffers = reply, b })
	if last == nil || !last.Done || last.Inspect == nil {
		t.Fatalf("%+v", last)
	}
	return last.Inspect, buffers
}

// arrayAt is an array of an InspectReply.
func arrayAt(buffers [][]byte, at int) []byte {
	data := buffers[0][at:]
	return data[8:][:binary.LittleEndian.Uint32(data)]
}

// siteOf is what a step is of.
func siteOf(r *InspectReply, step int) Site { return r.Sites[r.Steps[step].Site] }

// unmasked is an answer to puzzle 2 that reads and writes past the end.
var unmasked = strings.NewReplacer(", mask=mask", "").Replace(answerTo(2))

func answerTo(number int) string {
	p, _ := puzzles.Get(number)
	return p.Text.Solutions[0].Source
}

// TestInspectOpensOnTheProblem: without a program, the reply is about the one that leaves its tensor first, and says so
// in the reader's language; the buffers hold what the fields promise.
func TestInspectOpensOnTheProblem(t *testing.T) {
	s := newServer(testBudget)
	for lang, want := range map[string]string{
		"en": "program 6 reads x[192:224]; 24 lanes lie past the end",
		"zh": "程序 6 读取 x[192:224]；24 个通道越过了末尾",
	} {
		r, buffers := inspectRequest(t, s, lang, &InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: unmasked}})
		if fmt.Sprint(r.Program, r.Grid) != "[6 0 0] [7 1 1]" || r.Total != len(r.Steps) || len(r.Diagnostics) != 2 {
			t.Errorf("program %v of %v, %d steps of %d, %v", r.Program, r.Grid, len(r.Steps), r.Total, r.Diagnostics)
		}
		found := false
		for at, step := range r.Steps {
			if step.Access == nil || step.Access.Kind != "load" {
				continue
			}
			found = step.Access.Sentence == want && step.Access.Outside == 24 && step.Problem != ""
			elements := arrayAt(buffers, step.Access.Elements)
			if n := binary.LittleEndian.Uint32(elements[4*31:]); len(elements) != 4*32 || n != 223 {
				t.Errorf("%d bytes of elements, the last is %d", len(elements), n)
			}
			if of := siteOf(r, at); !strings.HasPrefix(unmasked[of.From:of.To], "tl.load(") {
				t.Errorf("the step's text is %q", unmasked[of.From:of.To])
			}
		}
		if !found {
			t.Errorf("%s: no step says %q", lang, want)
		}
		z := r.Tensors[1]
		if len(arrayAt(buffers, z.After)) != 8*200 || len(arrayAt(buffers, z.Writers)) != 4*200 || z.Rows*z.Columns != 200 {
			t.Errorf("%+v", z)
		}
		if w := binary.LittleEndian.Uint32(arrayAt(buffers, z.Writers)[4*199:]); w != 6 {
			t.Errorf("the last element is written by %d", w)
		}
	}
}

// TestInspectWrongElement: where all accesses are in bounds, the program is the one that writes the first wrong
// element; a program of the request's choice comes before both.
func TestInspectWrongElement(t *testing.T) {
	text := strings.Replace(answerTo(2), "x + 10.0", "x + 10.0 + (pid == 3)", 1)
	if text == answerTo(2) {
		t.Fatal("the solution has changed")
	}
	s := newServer(testBudget)
	of := &PuzzleRequest{Puzzle: 2, Source: text}
	if r, _ := inspectRequest(t, s, "en", &InspectRequest{Puzzle: of}); r.Program[0] != 3 {
		t.Errorf("program %v", r.Program)
	}
}

// TestInspectBeyond: a request, which may come from a link, for a test, program or step that is not there is answered
// with the last one.
func TestInspectBeyond(t *testing.T) {
	s := newServer(testBudget)
	of := &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}
	whole, _ := inspectRequest(t, s, "en", &InspectRequest{Puzzle: of, Case: 4, Program: []int{0}})
	if whole.Cases != 5 || whole.Case != 4 || whole.From != 0 {
		t.Fatalf("test %d of %d from step %d", whole.Case, whole.Cases, whole.From)
	}
	last := whole.Grid[0] - 1
	for _, r := range []InspectRequest{
		{Puzzle: of, Case: 99, Program: []int{1 << 30, 5, 7, 1}, From: 1 << 40},
		{Puzzle: of, Case: 4, Program: []int{last}, From: whole.Total},
	} {
		got, _ := inspectRequest(t, s, "en", &r)
		if got.Case != 4 || fmt.Sprint(got.Program) != fmt.Sprint([]int{last, 0, 0}) {
			t.Errorf("test %d, program %v", got.Case, got.Program)
		}
		if n := len(got.Steps); n == 0 || got.From+n != got.Total {
			t.Errorf("%d steps from %d of %d", n, got.From, got.Total)
		}
	}
}

// TestInspectFree: a free run is inspected like a test, and what cannot be made says why.
func TestInspectFree(t *testing.T) {
	s := newServer(testBudget)
	free := &FreeRequest{Source: answerTo(2), Grid: "2", Args: []FreeArg{
		{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "40", Fill: "arange"},
		{Name: "z_ptr", Kind: "tensor", DType: "float32", Shape: "40", Fill: "zeros"},
		{Name: "N0", Kind: "int", Value: "40"}, {Name: "B0", Kind: "constexpr", Value: "32"},
	}}
	r, _ := inspectRequest(t, s, "en", &InspectRequest{Free: free, Program: []int{1}, From: 5})
	if r.From != 5 || len(r.Steps) != r.Total-5 || r.Message != "" || r.Kernel == "" {
		t.Errorf("%d steps from %d of %d: %s", len(r.Steps), r.From, r.Total, r.Message)
	}
	free.Source = "import nothing"
	if r, _ := inspectRequest(t, s, "en", &InspectRequest{Free: free}); r.Message == "" || len(r.Diagnostics) == 0 {
		t.Errorf("%+v", r)
	}
	if r, _ := inspectRequest(t, s, "en", &InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 77}}); r.Message == "" {
		t.Errorf("%+v", r)
	}
}

func BenchmarkInspect(b *testing.B) {
	s := newServer(pageBudget)
	for _, p := range puzzles.All() {
		b.Run(p.Slug, func(b *testing.B) {
			r := &InspectRequest{Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: p.Text.Solutions[0].Source}}
			for b.Loop() {
				inspectRequest(b, s, "en", r)
			}
		})
	}
}

// TestOtherSizes: an answer that passes its tests and fails elsewhere is told so, and the launch can be inspected.
func TestOtherSizes(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	for _, c := range []struct {
		puzzle      int
		from, to    string // a change of the solution
		sizes       string
		en, zh      string
		program     string // that the page opens on, its grid, and the shape of the first tensor
		outOfBounds bool
	}{
		{2, "x = tl.load(x_ptr + i, mask=mask)", "x = tl.load(x_ptr + i, mask=mask | (pid == 1))", "N0 = 33",
			"It passes its tests, but fails at N0 = 33: `x` is read at index 33, but it has 33 elements (program 1).",
			"能通过测试，但在 N0 = 33 时不对：读取 `x` 的下标 33 越界：它只有 33 个元素（程序 1）。", "[1 0 0] [2 1 1] [33]", true},
		{4, "mask=i < N0)", "mask=(i < N0) | (N0 < 8))", "N0 = 1, N1 = 1",
			"It passes its tests, but fails at N0 = 1, N1 = 1: `x` is read at index 1, but it has 1 element (program 0).",
			"能通过测试，但在 N0 = 1, N1 = 1 时不对", "[0 0 0] [1 1 1] [1]", true},
		{5, "mask=j < N1)\n", "mask=j < tl.minimum(N1, 90), other=0.0)\n", "N0 = 2, N1 = 91",
			"It passes its tests, but fails at N0 = 2, N1 = 91: no program reads `y[90]`, 1 of 91 elements; the first wrong element is `z[90, 0]`",
			"能通过测试，但在 N0 = 2, N1 = 91 时不对", "[0 2 0] [1 3 1] [2]", false},
		{7, "tl.range(0, T, B1)", "tl.range(0, 1024, B1)", "N0 = 1, T = 1025",
			"It passes its tests, but fails at N0 = 1, T = 1025: no program reads `x[0, 1024]`, 1 of 1025 elements",
			"能通过测试，但在 N0 = 1, T = 1025 时不对", "[0 0 0] [1 1 1] [1 1025]", false},
	} {
		request := &PuzzleRequest{Puzzle: c.puzzle, Source: strings.Replace(answerTo(c.puzzle), c.from, c.to, 1)}
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			text, err := json.Marshal(&Request{Lang: lang, OtherSizes: request})
			if err != nil {
				t.Fatal(err)
			}
			o := send(t, s, text).OtherSizes
			if o == nil || o.Failure == nil {
				t.Fatalf("puzzle %d: %+v", c.puzzle, o)
			}
			if !strings.HasPrefix(o.Message, want) || o.Failure.Text != c.sizes || len(o.Failure.Diagnostics) == 1 != c.outOfBounds {
				t.Errorf("puzzle %d: %s; %s, %d diagnostics", c.puzzle, o.Message, o.Failure.Text, len(o.Failure.Diagnostics))
			}
			r, _ := inspectRequest(t, s, lang, &InspectRequest{Puzzle: request, Case: o.Failure.Case, Sizes: o.Failure.Sizes})
			if got := fmt.Sprint(r.Program, r.Grid, r.Tensors[0].Shape); got != c.program {
				t.Errorf("puzzle %d: opens on %s, want %s", c.puzzle, got, c.program)
			}
		}
	}
	text, _ := json.Marshal(&Request{OtherSizes: &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}})
	if o := send(t, s, text).OtherSizes; o == nil || o.Failure != nil || !strings.HasPrefix(o.Message, "Also right at") {
		t.Errorf("%+v", o)
	}
}

// TestInspectLoop: steps of a loop share what the source says of them and where they are in loops, so that thousands of
// them are a short text.
func TestInspectLoop(t *testing.T) {
	r, buffers := inspectRequest(t, newServer(testBudget), "en",
		&InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 10, Source: answerTo(10)}})
	if len(buffers) != 1 || len(r.Loops) < 2 || len(r.Steps) < 20*len(r.Sites) || len(r.Steps) < 3*len(r.Iterations) {
		t.Fatalf("%d steps of %d sites, in %d iterations of %d loops",
			len(r.Steps), len(r.Sites), len(r.Iterations), len(r.Loops))
	}
	type place struct{ site, iteration int }
	seen := map[place]bool{}
	for at, step := range r.Steps {
		of := place{step.Site, step.Iteration}
		if seen[of] {
			t.Fatalf("step %d repeats %+v in one iteration", at, siteOf(r, at))
		}
		seen[of] = true
	}
	for i, of := range r.Iterations {
		if len(of.Loops) != len(of.Numbers) || of.Numbers[0] > r.Loops[of.Loops[0]].Last {
			t.Errorf("iteration %d: %+v", i, of)
		}
	}
}
