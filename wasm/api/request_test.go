package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/wasm/rpc"
)

// TestHostileJSON: whatever comes in the place of a request, one reply says what is wrong with it.
func TestHostileJSON(t *testing.T) {
	huge := make([]byte, 100<<20)
	for _, c := range []struct {
		name, data string
		err        string // a part of the reply's error
	}{
		{"nothing", "", "cannot be read"},
		{"cut off", `{"check": {"source": "x`, "cannot be read"},
		{"a number", "7", "cannot be read"},
		{"null", "null", "the request is empty"},
		{"an empty object", "{}", "the request is empty"},
		{"no request", `{"lang": "en"}`, "the request is empty"},
		{"a list for a source", `{"check": {"source": ["x"]}}`, "cannot be read"},
		{"an object for arguments", `{"free": {"args": {"a": 1}}}`, "cannot be read"},
		{"an unknown field", `{"check": {"source": "", "shell": "ls"}}`, "cannot be read"},
		{"an unknown request", `{"exec": {}}`, "cannot be read"},
		{"text behind the request", `{"check": {"source": "x = 1"}} {}`, "cannot be read"},
		{"nested lists", `{"check": ` + strings.Repeat("[", 20000) + "}", "cannot be read"},
		{"no puzzle 0", `{"puzzle": {"puzzle": 0, "source": ""}}`, "no puzzle 0"},
		{"no puzzle -1", `{"puzzle": {"puzzle": -1, "source": ""}}`, "no puzzle -1"},
		{"no puzzle of that number", `{"puzzle": {"puzzle": 9223372036854775807, "source": ""}}`, "no puzzle"},
		{"100 MB", string(huge), "104857600 bytes"},
		{"an unknown language", `{"lang": "\u0000tlh", "check": {"source": ""}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply := send(t, newDocumentServer(testBudget, testLibraries), []byte(c.data))
			if !strings.Contains(reply.Error, c.err) || (reply.Error == "") != (c.err == "") {
				t.Errorf("says %q, not %q", reply.Error, c.err)
			}
		})
	}
	for _, text := range []string{`{"check": {"source": ""}}`, "nonsense"} {
		for _, call := range []int{-3, 0, 1, 1 << 50} {
			var id int
			serve(t, newDocumentServer(testBudget, testLibraries), rpc.Message{Call: call, Text: []byte(text)}, func(r *Reply, _ [][]byte) { id = r.ID })
			if id != call {
				t.Errorf("the reply to %d, %s, names %d", call, text, id)
			}
		}
	}
}

// TestHostileForms: a field of the form is an expression and nothing else, and what it makes is
// bounded.
func TestHostileForms(t *testing.T) {
	tensor := func(shape, fill, dtype string) FreeArg {
		return FreeArg{Name: "x_ptr", Kind: "tensor", DType: dtype, Shape: shape, Fill: fill}
	}
	number := func(name, kind, value string) FreeArg { return FreeArg{Name: name, Kind: kind, Value: value} }
	good := tensor("64", "zeros", "float32")
	large := func(name string) FreeArg {
		return FreeArg{Name: name, Kind: "tensor", DType: "float64", Shape: "1 << 24", Fill: "zeros"}
	}
	for _, c := range []struct {
		name    string
		grid    string
		args    []FreeArg
		message string // a part of the reply's message; "" means that it runs
	}{
		{"a plain form", "1", []FreeArg{good}, ""},
		{"a grid of names", "(triton.cdiv(n, B), 1)", []FreeArg{good}, ""},
		{"a grid of 2^31", "2147483648", []FreeArg{good}, "diagnostics"},
		{"a grid of 2^31 - 1", "2147483647", []FreeArg{good}, "diagnostics"},
		{"a grid of 2^31 along y", "(1, 2147483648)", []FreeArg{good}, "diagnostics"},
		{"a grid of 2^80", "2 ** 80", []FreeArg{good}, "grid"},
		{"a grid of 2^32 by 2^32 by 2^32", "(4294967296, 4294967296, 4294967296)", []FreeArg{good}, "diagnostics"},
		{"no grid", "", []FreeArg{good}, "grid"},
		{"a grid of 0", "0", []FreeArg{good}, "grid"},
		{"a negative grid", "-1", []FreeArg{good}, "grid"},
		{"a grid of a fraction", "1.5", []FreeArg{good}, "grid"},
		{"four axes", "(1, 1, 1, 1)", []FreeArg{good}, "grid"},
		{"an empty grid", "()", []FreeArg{good}, "grid"},
		{"a grid of text", "'1'", []FreeArg{good}, "grid"},
		{"a grid with a statement", "1; import os", []FreeArg{good}, "grid"},
		{"a grid on two lines", "1\nimport os", []FreeArg{good}, "grid"},
		{"a grid that closes its bracket", "1) + (2", []FreeArg{good}, "grid"},
		{"a grid that hides a line", "1)\nx = (2", []FreeArg{good}, "grid"},
		{"a grid with a carriage return", "1\rimport os", []FreeArg{good}, "grid"},
		{"a grid with a comment", "1 # ", []FreeArg{good}, "grid"},
		{"a grid that goes on", "1 \\", []FreeArg{good}, "grid"},
		{"a grid in quotes that stay open", "'''", []FreeArg{good}, "grid"},
		{"a grid that assigns", "(m := 3)", []FreeArg{good}, ""},
		{"a grid that never ends", "sum(1 for i in range(10 ** 12))", []FreeArg{good}, "grid"},
		{"a grid of powers", "9 ** 9 ** 9 ** 9", []FreeArg{good}, "grid"},
		{"a grid of brackets", nested(400, "(", "1", ")"), []FreeArg{good}, "grid"},
		{"a grid of a call that never ends", "(lambda f: f(f))(lambda f: f(f))", []FreeArg{good}, "grid"},
		{"a grid that imports", "__import__('os').getpid()", []FreeArg{good}, "grid"},
		{"a grid that opens a file", "open('/etc/passwd')", []FreeArg{good}, "grid"},
		{"a grid that climbs", "().__class__.__base__.__subclasses__()", []FreeArg{good}, "grid"},
		{"a grid of a huge text", "len('x' * 10 ** 12)", []FreeArg{good}, "grid"},
		{"a grid of a huge list", "len([0] * 10 ** 12)", []FreeArg{good}, "grid"},
		{"a grid of a huge tensor", "torch.zeros(1 << 40).numel()", []FreeArg{good}, "grid"},

		{"no shape", "1", []FreeArg{tensor("", "zeros", "float32")}, "x_ptr"},
		{"no dimensions", "1", []FreeArg{tensor("()", "zeros", "float32")}, ""},
		{"an empty tensor", "1", []FreeArg{tensor("0", "zeros", "float32")}, "diagnostics"},
		{"a shape of 2^40", "1", []FreeArg{tensor("1 << 40", "zeros", "float32")}, "x_ptr"},
		{"a shape of 2^62 by 2^62", "1", []FreeArg{tensor("1 << 62, 1 << 62", "rand", "float64")}, "x_ptr"},
		{"a shape that is negative", "1", []FreeArg{tensor("-4", "zeros", "float32")}, "x_ptr"},
		{"a shape that wraps around", "1", []FreeArg{tensor("1 << 32, 1 << 32, 4", "arange", "int8")}, "x_ptr"},
		{"a shape of 100 axes", "1", []FreeArg{tensor(strings.Repeat("1,", 99)+"64", "zeros", "float32")}, "x_ptr"},
		{"a shape with a statement", "1", []FreeArg{tensor("64); import os; (1", "zeros", "float32")}, "x_ptr"},
		{"a shape that closes its bracket", "1", []FreeArg{tensor("64), torch.zeros(1", "zeros", "float32")}, "x_ptr"},
		{"a shape of text", "1", []FreeArg{tensor("'64'", "zeros", "float32")}, "x_ptr"},
		{"an unknown fill", "1", []FreeArg{tensor("64", "zeros(1); import os", "float32")}, "x_ptr"},
		{"an unknown dtype", "1", []FreeArg{tensor("64", "zeros", "float32; import os")}, "x_ptr"},
		{"a dtype of nothing", "1", []FreeArg{tensor("64", "zeros", "")}, "x_ptr"},
		{"random whole numbers", "1", []FreeArg{tensor("64", "rand", "bool")}, ""},
		{"NaN in int32", "1", []FreeArg{tensor("64", "nan", "int32")}, ""},

		{"a name with a statement", "1", []FreeArg{good, number("y = 1; import os; z", "int", "1")}, "y = 1"},
		{"a name that is a keyword", "1", []FreeArg{good, number("import", "int", "1")}, "import"},
		{"no name", "1", []FreeArg{good, number("", "int", "1")}, "name"},
		{"a name with a dot", "1", []FreeArg{good, number("torch.zeros", "int", "1")}, "torch.zeros"},
		{"a name on two lines", "1", []FreeArg{good, number("y\nimport os", "int", "1")}, "import os"},
		{"torch's own name", "1", []FreeArg{number("torch", "int", "1"), good}, "x_ptr"},
		{"an argument that the kernel lacks", "1", []FreeArg{good, number("zz", "int", "1")}, "diagnostics"},
		{"a value with a statement", "1", []FreeArg{good, number("n", "int", "1; import os")}, "n"},
		{"a value of 2^70", "1", []FreeArg{good, number("n", "int", "1 << 70")}, ""},
		{"a value of text", "1", []FreeArg{good, number("n", "int", "'ten'")}, ""},
		{"a value that is a list", "1", []FreeArg{good, number("n", "int", "[1]")}, "n"},
		{"a value that is a module", "1", []FreeArg{good, number("n", "int", "torch")}, "n"},
		{"a value that is a function", "1", []FreeArg{good, number("n", "constexpr", "lambda: 1")}, "n"},
		{"a float of nothing", "1", []FreeArg{good, number("n", "float", "None")}, "n"},
		{"a float of infinity", "1", []FreeArg{good, number("n", "float", "float('inf')")}, ""},
		{"a constexpr of 2^30", "1", []FreeArg{good, number("B", "constexpr", "1 << 30")}, "diagnostics"},
		{"a constexpr of 2^100", "1", []FreeArg{good, number("B", "constexpr", "1 << 100")}, "diagnostics"},
		{"a constexpr of -1", "1", []FreeArg{good, number("B", "constexpr", "-1")}, "diagnostics"},
		{"a constexpr of NaN", "1", []FreeArg{good, number("B", "constexpr", "float('nan')")}, "diagnostics"},
		{"an unknown kind", "1", []FreeArg{good, number("n", "pointer", "1")}, ""},
		{"a tensor as a number", "1", []FreeArg{number("x_ptr", "int", "torch.zeros(64)")}, ""},
		{"tensors of 384 MB", "1", []FreeArg{large("x_ptr"), large("y"), large("z")}, "z"},
		{"2000 arguments", "1", manyArguments(2000), "diagnostics"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &FreeRequest{Grid: c.grid, Args: c.args, Source: kernelOf(
				"tl.store(x_ptr + tl.arange(0, B), tl.load(x_ptr + tl.arange(0, B)) + tl.program_id(0))")}
			for _, a := range []FreeArg{number("n", "int", "10"), number("B", "constexpr", "1")} {
				if !has(c.args, a.Name) {
					r.Args = append(r.Args, a)
				}
			}
			reply := ask(t, Request{Free: r})
			checked := ask(t, Request{Check: &CheckRequest{Source: r.Source, Args: r.Args}})
			switch f := reply.Free; {
			case f == nil:
				t.Error(reply.Error)
			case c.message == "" && (!f.OK || len(f.Tensors) == 0):
				t.Errorf("does not run: %s %v", f.Message, f.Diagnostics)
			case c.message == "diagnostics" && (f.OK || len(f.Diagnostics) == 0):
				t.Errorf("says nothing: %q %v", f.Message, checked.Check)
			case c.message != "" && c.message != "diagnostics" && !strings.Contains(f.Message, c.message):
				t.Errorf("says %q %v", f.Message, f.Diagnostics)
			}
		})
	}
}

func has(args []FreeArg, name string) bool {
	for _, a := range args {
		if a.Name == name {
			return true
		}
	}
	return false
}

func manyArguments(n int) []FreeArg {
	var args []FreeArg
	for i := range n {
		args = append(args, FreeArg{Name: fmt.Sprintf("a%d", i), Kind: "tensor", DType: "float32", Shape: "64", Fill: "zeros"})
	}
	return args
}

// TestPuzzlesThroughTheAPI: a solution and a starter come back as verdicts, with the stages on
// the way; a kernel that never ends costs a bounded time and says where it loops.
func TestPuzzlesThroughTheAPI(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	for _, p := range puzzles.All() {
		for _, c := range []struct {
			text string
			pass bool
		}{{p.Text.Starter, false}, {p.Text.Solutions[0].Source, true}} {
			data, err := json.Marshal(Request{Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: c.text}})
			if err != nil {
				t.Fatal(err)
			}
			reply := send(t, s, data)
			if v := reply.Verdict; v == nil || v.Pass != c.pass || v.Message == "" || !v.Classic.Ran {
				t.Errorf("puzzle %d: %s %+v", p.Number, reply.Error, v)
			}
		}
	}
}

// fuzzed makes a request of one kind out of what a fuzzer gives; field stands for what people type
// into the form beside the source.
func fuzzed(kind uint8, text, field string, at int) any {
	r := Request{}
	switch kind % 7 {
	case 0:
		return json.RawMessage(text)
	case 1:
		r.Free = &FreeRequest{Source: text, Grid: "2", Args: []FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "64", Fill: "arange"},
			{Name: "n", Kind: "int", Value: field},
			{Name: "B", Kind: "constexpr", Value: "16"},
		}}
	case 2:
		r.Free = &FreeRequest{Source: kernelOf("tl.store(x_ptr, B)"), Grid: field, Args: []FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float16", Shape: text, Fill: "rand"},
			{Name: "n", Kind: "float", Value: field},
			{Name: "B", Kind: "constexpr", Value: field},
		}}
	case 3:
		r.Puzzle = &PuzzleRequest{Puzzle: 1 + abs(at)%12, Source: text}
	case 4:
		r.Check = &CheckRequest{Source: text, Puzzle: abs(at) % 13, Strict: at < 0}
	case 5:
		r.Complete = &CompleteRequest{Source: text, Offset: at}
	case 6:
		r.Hover = &HoverRequest{text, at}
	}
	return r
}

func abs(i int) int { return max(i, -i, 0) }

// FuzzHandle: any request gets exactly one last reply, without a fault of newt's own.
func FuzzHandle(f *testing.F) {
	for _, c := range hostileSources {
		if len(c.text) < 1000 {
			f.Add(uint8(1), c.text, "10", 0)
		}
	}
	for _, p := range puzzles.All() {
		text := p.Text.Solutions[0].Source
		for kind := range uint8(4) {
			f.Add(3+kind, text, "", p.Number-1)
		}
		f.Add(uint8(2), "4, 16", "(triton.cdiv(100, 16), 2)", p.Number)
		f.Add(uint8(0), `{"kernels": {"source": "def k():\n"}}`, "", 0)
	}
	s := newDocumentServer(1<<22, testLibraries)
	f.Fuzz(func(t *testing.T, kind uint8, text, field string, at int) {
		if len(text) > 4096 || len(field) > 200 {
			t.Skip("long requests are slow and find nothing new")
		}
		data, err := json.Marshal(fuzzed(kind, text, field, at))
		if err != nil {
			data = []byte(text) // no JSON
		}
		send(t, s, data)
	})
}
