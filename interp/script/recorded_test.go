package script

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
)

// recorded holds what Python, torch and Triton did; its README says how it was recorded.
const recorded = "../host/testdata/recorded/"

// shrink is for whoever made something match: `go test ./interp/script -shrink` takes it off the lists.
var shrink = flag.Bool("shrink", false, "take the recorded cases that match now off the pending lists")

// outcome is what can be compared of a run.
type outcome struct {
	Stdout string
	Failed bool   // the exit status is not 0
	Error  string // the last line of standard error, where the run failed
}

// run runs a script on the CPU as `newt run` does.
func run(t *testing.T, name, text string) outcome {
	t.Helper()
	d := cpu.New(cpu.Options{})
	defer d.Close()
	var stdout bytes.Buffer
	l := &Launcher{Context: t.Context(), Device: d}
	_, list := host.Load(source.NewFile(name, text), host.Options{
		Libraries: host.AllLibraries(), Codecs: codec.Go{},
		Stdout: &stdout, Launcher: l, Argv: []string{name}, Stop: func() bool { return t.Context().Err() != nil }})
	o := outcome{Stdout: stdout.String(), Failed: list.HasErrors()}
	if o.Failed {
		o.Error = list[len(list)-1].In(diag.English).Headline
	}
	return o
}

// pending is a list of the cases that do not match yet. A file of it has a case and the reason a line, with ":: "
// between. A case that matches must be taken off, so that the list only shrinks.
type pending struct {
	file    string
	reasons map[string]string
	matched []string
}

func readPending(t *testing.T, file string) *pending {
	t.Helper()
	p := &pending{file: recorded + file, reasons: map[string]string{}}
	for line := range strings.Lines(read(t, p.file)) {
		name, reason, ok := strings.Cut(strings.TrimSpace(line), ":: ")
		if !ok || reason == "" {
			t.Errorf("%s: %q gives no reason", file, name)
		}
		p.reasons[name] = reason
	}
	return p
}

// compare says what a case came to: an empty difference is a match.
func (p *pending) compare(t *testing.T, name, difference string) {
	t.Helper()
	_, listed := p.reasons[name]
	delete(p.reasons, name)
	switch {
	case listed && difference == "":
		p.matched = append(p.matched, name)
		if !*shrink {
			t.Errorf("%s matches now: take it off the list (-shrink does)", name)
		}
	case !listed && difference != "":
		t.Errorf("%s\n%s", name, difference)
	case listed && testing.Verbose():
		t.Logf("%s\n%s", name, difference)
	}
}

// end checks that every name of the list was that of a case.
func (p *pending) end(t *testing.T) {
	t.Helper()
	for name := range p.reasons {
		t.Errorf("%s is pending, but is no recorded case", name)
	}
	if !*shrink || len(p.matched) == 0 {
		return
	}
	var kept strings.Builder
	for line := range strings.Lines(read(t, p.file)) {
		if name, _, _ := strings.Cut(line, ":: "); !slices.Contains(p.matched, name) {
			kept.WriteString(line)
		}
	}
	if err := os.WriteFile(p.file, []byte(kept.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// difference shows the first line in which two texts differ, "" if they are equal.
func difference(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(g) && i < len(w) && g[i] == w[i] {
		i++
	}
	line := func(of []string) string {
		if i < len(of) {
			return of[i]
		}
		return "(the end)"
	}
	return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, line(g), line(w))
}

// TestScripts: a script's standard output and its end are those of Python.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(recorded + "scripts/*.py")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	list := readPending(t, "pending.txt")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			got := run(t, filepath.Base(file), read(t, file))
			d := difference(got.Stdout, read(t, strings.TrimSuffix(file, ".py")+".out"))
			_, err := os.Stat(strings.TrimSuffix(file, ".py") + ".err")
			if want := !errors.Is(err, fs.ErrNotExist); d == "" && got.Failed != want {
				d = fmt.Sprintf("failed: got %v, want %v", got.Failed, want)
			}
			if d != "" && got.Failed {
				d += "\n" + got.Error
			}
			list.compare(t, name, d)
		})
	}
	list.end(t)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !utf8.Valid(text) {
		t.Fatal(file, err)
	}
	return string(text)
}

// rows reads a file of one JSON object a line.
func rows[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	f, err := os.Open(recorded + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var row T
		if err := json.Unmarshal(scan.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// imports is what the expressions of printing.txt and errors.txt stand on.
func imports(code string) string {
	head := "import torch, torch.nn as nn, torch.nn.functional as F\nnan, inf = float('nan'), float('inf')\n"
	if strings.Contains(code, "np.") {
		head = "import numpy as np\n" + head
	}
	return head
}

// TestPrinting: values print as Python prints them.
func TestPrinting(t *testing.T) {
	type row struct {
		Code, Text string
		Options    map[string]any
		Repr       bool
	}
	list := readPending(t, "pending_printing.txt")
	for _, r := range rows[row](t, "printing.jsonl.gz") {
		name := r.Code
		code := "str(" + r.Code + ")"
		if r.Repr {
			name, code = "repr: "+name, "repr("+r.Code+")"
		}
		text := imports(code) + "torch.manual_seed(3)\n"
		if r.Options != nil {
			options, err := json.Marshal(r.Options)
			if err != nil {
				t.Fatal(err)
			}
			name += " ;; " + string(options)
			text += "torch.set_printoptions(**" + strings.NewReplacer("true", "True", "false", "False").Replace(string(options)) + ")\n"
		}
		got := run(t, "case.py", text+"print("+code+")\n")
		list.compare(t, name, strings.TrimSpace(difference(got.Stdout, r.Text+"\n")+"\n"+got.Error))
	}
	list.end(t)
}

// TestErrors: errors have Python's class and message.
func TestErrors(t *testing.T) {
	type row struct{ Code, Text, Class, Message string }
	list := readPending(t, "pending_errors.txt")
	const setup = `a, b, c = torch.ones(2, 3, device="cuda"), torch.ones(4, device="cuda"), torch.ones(2, 3)
i, m = torch.tensor([1, 2], device="cuda"), torch.ones(3, 3, device="cuda")
h, z = torch.ones(2, 3, device="cuda", dtype=torch.float16), torch.zeros(0, device="cuda")
g = torch.ones(2, requires_grad=True)
try:
    print(CODE)
except Exception as e:
    print(type(e).__name__, e, sep=": ")
`
	for _, r := range rows[row](t, "errors.jsonl.gz") {
		want := r.Text
		if r.Class != "" {
			want = r.Class + ": " + r.Message
		}
		got := run(t, "case.py", imports(r.Code)+strings.Replace(setup, "CODE", r.Code, 1))
		list.compare(t, r.Code, strings.TrimSpace(difference(got.Stdout, want+"\n")+"\n"+got.Error))
	}
	list.end(t)
}
