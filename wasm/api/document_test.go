package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/wasm/rpc"
)

// notebook is a page with a document: a text whose cells are separated by lines "# %%".
type notebook struct {
	*testing.T
	server  *server
	text    string
	instead int // the run that each cell's replaces
	files   []GivenFile
	data    []byte
	heard   func(*DocumentReply)
	rank    bool
	strict  bool
	name    string                           // of the document
	model   func(*JobReply) *LaunchedRequest // answers; nil does so never
}

// ran is what came of one run of cells.
type ran struct {
	replies []*DocumentReply
	stages  []Progress
	outputs []string // "kind: text", joined per cell as the page joins them
	ended   []bool
	last    *DocumentReply
}

// run runs the cells of the numbers given, from 0; all if none are given.
func (n *notebook) run(session string, numbers ...int) (out ran) {
	n.Helper()
	var places []CellPlace
	at := 0
	for i, code := range strings.Split(n.text, "# %%\n") {
		if len(numbers) == 0 {
			places = append(places, CellPlace{Run: i + 1, Instead: n.instead, From: at, To: at + len(code)})
		}
		for _, number := range numbers {
			if number == i {
				places = append(places, CellPlace{Run: i + 1, Instead: n.instead, From: at, To: at + len(code)})
			}
		}
		at += len(code) + len("# %%\n")
	}
	text, err := json.Marshal(Request{Lang: "en", Document: &DocumentRequest{Text: n.text, Cells: places, Session: session, Files: n.files, Rank: n.rank, Name: n.name, Strict: n.strict}})
	if err != nil {
		n.Fatal(err)
	}
	if n.files != nil && len(n.files) == 0 { // which Go does not write
		text = bytes.Replace(text, []byte(`"session"`), []byte(`"files":[],"session"`), 1)
	}
	serve(n.T, n.server, rpc.Message{Call: 1, Text: text, Buffers: [][]byte{n.data}}, func(r *Reply, _ [][]byte) {
		if r.Error != "" {
			n.Fatal(r.Error)
		}
		if r.Progress != nil {
			out.stages = append(out.stages, *r.Progress)
		}
		if r.Estimate != nil {
			n.answer(n.model(r.Estimate))
		}
		if r.Document == nil {
			return
		}
		if n.heard != nil {
			n.heard(r.Document)
		}
		out.replies, out.last = append(out.replies, r.Document), r.Document
		for _, o := range r.Document.Outputs {
			out.outputs = append(out.outputs, o.Kind+": "+strings.TrimRight(o.Text, "\n"))
		}
		if r.Document.Ended != nil {
			out.ended = append(out.ended, r.Document.Ended.OK)
		}
	})
	return out
}

// answer hands the call that runs cells what came of a launch.
func (n *notebook) answer(l *LaunchedRequest) {
	if l == nil {
		return
	}
	text, err := json.Marshal(Request{Launched: l})
	if err != nil {
		n.Fatal(err)
	}
	serve(n.T, n.server, rpc.Message{Call: 1, Text: text}, func(*Reply, [][]byte) { n.Error("a reply to an answer") })
}

// ask serves a request that has one reply.
func (n *notebook) ask(r Request) *Reply {
	n.Helper()
	r.Lang = "en"
	text, err := json.Marshal(r)
	if err != nil {
		n.Fatal(err)
	}
	return send(n.T, n.server, text)
}

const addCells = `import torch
import triton
import triton.language as tl

@triton.jit
def add(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1, mask=i < n)
# %%
x = torch.arange(6, dtype=torch.float32, device="cuda")
y = torch.zeros(6, device="cuda")
add[(2,)](x, y, 6, BLOCK=4)
print("ran")
y.cpu()
# %%
1 / 0
# %%
print("after")
y.cpu();
`

// TestDocument: cells share their variables, each says what it printed and what its last expression is, and one that
// fails does not end the rest.
func TestDocument(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: addCells}
	got := n.run("one")
	if len(got.ended) != 4 || !got.ended[1] || got.ended[2] || !got.ended[3] {
		t.Fatalf("the cells ended %v", got.ended)
	}
	text := strings.Join(got.outputs, "\n")
	for _, want := range []string{"stdout: ran", "value: tensor([1., 2., 3., 4., 5., 6.])", "ZeroDivisionError: division by zero", "stdout: after"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "tensor(") != 1 {
		t.Errorf("a value that ; silences is shown:\n%s", text)
	}
	d := got.last.Diagnostics
	if len(d) != 1 || d[0].Line != 16 || n.text[d[0].From:d[0].To] != "1 / 0" {
		t.Errorf("the diagnostics: %+v", d)
	}
	if !strings.Contains(text, "line 16") {
		t.Errorf("the traceback does not name the document's line:\n%s", text)
	}
}

// TestDocumentSession: a cell alone finds what those before it made, wherever it lies by now, until another session begins.
func TestDocumentSession(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: "a = 1\n# %%\ndef f():\n    return missing\n# %%\na += 1\nprint(a)\n# %%\nf()\n"}
	n.run("one", 0, 1)
	n.text = "# a line more\n\n" + n.text
	if got := n.run("one", 2); strings.Join(got.outputs, "") != "stdout: 2" {
		t.Errorf("the third cell gives %q", got.outputs)
	}
	d := n.run("one", 3).last.Diagnostics
	if len(d) != 1 || n.text[d[0].From:d[0].To] != "missing" {
		t.Errorf("the error of a function that has moved: %+v", d)
	}
	if got := n.run("two", 2); len(got.outputs) != 1 || !strings.Contains(got.outputs[0], "NameError: name 'a' is not defined") {
		t.Errorf("a new session knows the old one's variables: %q", got.outputs)
	}
}

// TestDocumentLaunches: each launch is listed with its arguments, and can be looked at.
func TestDocumentLaunches(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: addCells}
	var launches []CellLaunch
	for _, r := range n.run("one").replies {
		launches = append(launches, r.Launches...)
	}
	if len(launches) != 1 {
		t.Fatalf("%d launches", len(launches))
	}
	l := launches[0]
	if l.Kernel != "add" || l.Line != 12 || !l.OK || l.Grid[0] != 2 || l.Args[0] != (LaunchArg{"x_ptr", "float32 [6]"}) || l.Args[3] != (LaunchArg{"BLOCK", "4"}) {
		t.Errorf("the launch: %+v", l)
	}
	look := func(session string, number int) *FreeReply {
		return n.ask(Request{Look: &LookRequest{Session: session, Number: number, Text: n.text}}).Free
	}
	if of := look("one", 1); len(of.Tensors) != 2 || of.Tensors[0].Changed != 0 || of.Tensors[1].Changed != 6 {
		t.Errorf("the launch's tensors: %+v", of.Tensors)
	}
	if len(look("one", 2).Tensors)+len(look("two", 1).Tensors) > 0 {
		t.Error("a launch that never was has tensors")
	}
	gone := n.ask(Request{Inspect: &InspectRequest{Look: &LookRequest{Session: "one", Number: 2}}}).Inspect
	if len(gone.Steps) > 0 || !strings.Contains(gone.Message, "run its cell again") {
		t.Errorf("a launch that never was is shown: %q, %d steps", gone.Message, len(gone.Steps))
	}
}

// TestDocumentAddresses: a launch whose kernel reaches a tensor by its address shows that tensor, too; one whose kernel
// does not shows its own alone.
func TestDocumentAddresses(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: `import torch, triton, triton.language as tl
@triton.jit
def through(at, B: tl.constexpr):
    p = tl.load(at).to(tl.pointer_type(tl.float32))
    tl.store(p + tl.arange(0, B), 1.0)
@triton.jit
def two(p, B: tl.constexpr):
    tl.store(p + tl.arange(0, B), 2.0)
x = torch.zeros(6, device='cuda')
through[(1,)](torch.tensor([x.data_ptr()], device='cuda'), 4)
two[(1,)](x, 4)
print(x)
`}
	if got := strings.Join(n.run("one").outputs, ""); !strings.Contains(got, "tensor([2., 2., 2., 2., 0., 0.]") {
		t.Fatal(got)
	}
	of := func(number int) *LookRequest { return &LookRequest{Session: "one", Number: number, Text: n.text} }
	for number, tensors := range map[int]int{1: 2, 2: 1} {
		looked := n.ask(Request{Look: of(number)}).Free
		r, _ := inspectRequest(t, n.server, "en", &InspectRequest{Look: of(number)})
		if len(looked.Tensors) != tensors || looked.Tensors[tensors-1].Changed != 4 || len(r.Tensors) != tensors {
			t.Fatalf("launch %d: tensors %+v, inspected %d: %s", number, looked.Tensors, len(r.Tensors), r.Message)
		}
		last := r.Steps[len(r.Steps)-1]
		if text := last.Access.Sentence; !strings.HasPrefix(text, "program 0 writes") || !strings.HasSuffix(text, "[0:4]") {
			t.Errorf("launch %d: %s", number, text)
		}
	}
}

// TestDocumentOutput: a cell that prints without end shows as much as fits, and says that the rest is missing.
func TestDocumentOutput(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: "for i in range(40000):\n    print('line', i)\n"}
	var text string
	for _, piece := range n.run("one").outputs { // as many as the machine is slow
		_, said, _ := strings.Cut(piece, ": ")
		text += said
	}
	if size := len(text); size < maxCellOutput/2 || size > maxCellOutput+200 || !strings.Contains(text, "left out") {
		t.Errorf("%d bytes are shown, and last %q", size, text[max(0, size-200):])
	}
}

// TestDocumentStop: a cell that is stopped ends, those after it do not run, and the variables are there.
func TestDocumentStop(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	n := &notebook{T: t, server: s, text: "a = 1\nprint('begun')\nwhile True:\n    a += 1\n# %%\nprint('next')\n# %%\nprint(a > 1)\n"}
	stop, _ := json.Marshal(Request{Lang: "en", Stop: &StopRequest{}})
	n.heard = func(r *DocumentReply) {
		for _, o := range r.Outputs {
			if strings.Contains(o.Text, "begun") {
				s.accept(rpc.Message{Call: 1, Text: stop}, func(rpc.Message) { t.Error("a reply to the stop") })
			}
		}
	}
	if got := n.run("one", 0, 1); len(got.ended) != 1 || got.ended[0] {
		t.Errorf("the cells ended %v: %q", got.ended, got.outputs)
	}
	if got := n.run("one", 2); strings.Join(got.outputs, "") != "stdout: True" {
		t.Errorf("after the stop: %q", got.outputs)
	}
}

// TestDocumentAgain: the launches of a cell that runs again replace those of its earlier run.
func TestDocumentAgain(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: addCells}
	n.run("one")
	n.instead = 2
	n.run("one", 1)
	list, more := n.server.extra.(*documents).session.run.Launches()
	if len(list) != 1 || more != 0 {
		t.Errorf("%d launches and %d more", len(list), more)
	}
	n.text = "# a line more\n" + n.text
	reply := n.ask(Request{LaunchIR: &LookRequest{Session: "one", Number: list[0].Number, Text: n.text}}).IR
	var operations []int
	for _, text := range []string{reply.IR, reply.Lowered} {
		wire, _ := base64.StdEncoding.DecodeString(text)
		fn, err := ir.Decode(wire)
		if err != nil || reply.Kernel != "add" {
			t.Fatalf("the launch's IR: %v, %+v", err, reply)
		}
		said, count := "", 0
		fn.Body.Walk(func(in *ir.Instr) {
			said += n.text[in.Span.Start:in.Span.End] + "\n"
			count++
		})
		if !strings.Contains(said, "tl.load(x_ptr + i, mask=i < n)") {
			t.Errorf("the places of the operations:\n%s", said)
		}
		operations = append(operations, count)
	}
	if operations[0] >= operations[1] {
		t.Errorf("%d operations after the passes, %d before", operations[0], operations[1])
	}
}

// TestDocumentFiles: files given with a document are imported, read and listed, until others are given.
func TestDocumentFiles(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: "import os\nprint(open('data/a.txt').read(), sorted(os.listdir('.')))\nimport helper; helper.N\n"}
	n.files, n.data = []GivenFile{{"helper.py", 5}, {"./data/a.txt", 5}}, []byte("N = 7hello")
	if got := n.run("one"); strings.Join(got.outputs, "|") != "stdout: hello ['data', 'helper.py']|value: 7" {
		t.Errorf("%q", got.outputs)
	}
	n.files, n.data = []GivenFile{}, nil
	if got := n.run("one"); !strings.Contains(strings.Join(got.outputs, ""), "FileNotFoundError") {
		t.Errorf("without the files: %q", got.outputs)
	}
}

// TestDocumentMagics: lines that are IPython's own are noted and skipped, when a document is checked and when it runs, and
// what is wrong after them is at its place.
func TestDocumentMagics(t *testing.T) {
	n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), text: "%matplotlib inline\n!pip install triton\nx = 1\n# %%\n%%writefile m.py\ny = 2\n" +
		"# %%\n%env A=1\nimport m\nprint(x + m.y); missing\n"}
	got := n.run("one")
	if text := strings.Join(got.outputs, "\n"); !strings.Contains(text, "stdout: 3") || !strings.Contains(text, "line 10") {
		t.Errorf("the cells give\n%s", text)
	}
	check := ask(t, Request{Lang: "en", Check: &CheckRequest{Source: n.text, Document: true}}).Check.Diagnostics
	for _, list := range [][]Diagnostic{check, got.last.Diagnostics} {
		hints, errors := 0, 0
		for _, d := range list {
			at := n.text[d.From:d.To]
			switch {
			case d.Severity == "hint" && (strings.HasPrefix(at, "!pip") || strings.HasPrefix(at, "%env")):
				hints++
			case d.Severity == "error" && at == "missing":
				errors++
			default:
				t.Errorf("at %q: %s", at, d.Headline)
			}
		}
		if hints == 0 {
			t.Error("no note on what is skipped")
		}
	}
}

// TestDocumentName: a traceback and sys.argv name the document as its file is named.
func TestDocumentName(t *testing.T) {
	for name, want := range map[string]string{"softmax.py": "softmax.py", "": "document.py"} {
		n := &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), name: name,
			text: "import sys\nprint(sys.argv[0])\n1 / 0\n"}
		out := strings.Join(n.run("a").outputs, "\n")
		if !strings.Contains(out, `File "`+want+`", line 3`) || !strings.Contains(out, "stdout: "+want) {
			t.Errorf("a document named %q: %s", name, out)
		}
	}
}
