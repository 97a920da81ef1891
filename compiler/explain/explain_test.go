package explain

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// TestPages: each program yields its code and no other, put right it yields none, and what Triton refuses is an error
// under Strict.
func TestPages(t *testing.T) {
	pages := Pages()
	if len(pages) < 250 {
		t.Errorf("only %d pages", len(pages))
	}
	for _, p := range pages {
		if len(p.List) == 0 {
			t.Errorf("%s: its program yields nothing", p.Code)
		}
		for _, d := range p.List {
			if d.Code != p.Code {
				t.Errorf("%s: its program also yields %s", p.Code, d.Code)
			}
			if d.IsRefused() && !check(p.File, true).HasErrors() {
				t.Errorf("%s: --strict lets pass what Triton refuses", p.Code)
			}
		}
		for _, d := range check(source.NewFile("fixed.py", p.Fixed), true) {
			t.Errorf("%s: put right, its program yields %s", p.Code, d.Code)
		}
		for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
			text := p.Text(diag.Printer{Lang: lang})
			for _, part := range []string{"[" + p.Code + "]: " + p.Headline(lang), fixedWords[lang]} {
				if !strings.Contains(text, part) {
					t.Errorf("%s: its page lacks %q:\n%s", p.Code, part, text)
				}
			}
		}
	}
}

// TestRefusal: there is a reason where the example of a code is an error, and nowhere else.
func TestRefusal(t *testing.T) {
	for _, c := range []struct{ code, reason string }{
		{"pointer-indexed", "A pointer is an address"},
		{"lambda", ""},      // a warning: newt runs it
		{"puzzle-json", ""}, // it has no example
		{"pointer-index", ""},
	} {
		if got := Refusal(c.code); (got == "") != (c.reason == "") || !strings.HasPrefix(got, c.reason) {
			t.Errorf("%s: %q, want %q", c.code, got, c.reason)
		}
	}
}

// TestFixedRuns launches every kernel that has been put right: it ends, and stays within its tensors.
func TestFixedRuns(t *testing.T) {
	ran := 0
	for _, p := range Pages() {
		file := source.NewFile("fixed.py", p.Fixed)
		if len(compiler.Kernels(file)) == 0 {
			continue
		}
		args := []launch.Arg{{Tensor: &launch.Tensor{DType: num.Float32, Data: make([]byte, 4096*4)}},
			{Tensor: &launch.Tensor{DType: num.Int32, Data: make([]byte, 4096*4)}}, {Value: int64(100)}, {Value: int64(16)}}
		for i := range 4096 {
			binary.LittleEndian.PutUint32(args[1].Tensor.Data[4*i:], uint32(i))
		}
		kernels := compiler.Kernels(file)
		k, list := launch.Compile(file, kernels[len(kernels)-1], args, true)
		if k == nil {
			t.Errorf("%s: %s", p.Code, list[0].In(diag.English).Headline)
			continue
		}
		report, fault := k.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args,
			device.Launch{Grid: [3]int{1, 1, 1}})
		if fault != nil {
			t.Errorf("%s: %s", p.Code, fault.In(diag.English).Headline)
		} else if len(report.Diagnostics) > 0 {
			t.Errorf("%s: %s", p.Code, report.Diagnostics[0].In(diag.English).Headline)
		}
		ran++
	}
	if ran < 200 {
		t.Errorf("only %d kernels", ran)
	}
}

// TestWithoutExample: a code that no short program yields has its words, without arguments.
func TestWithoutExample(t *testing.T) {
	text := Of("too-nested").Text(diag.Printer{})
	if !strings.HasPrefix(text, "error[too-nested]: ") || strings.Contains(text, "{0}") {
		t.Error(text)
	}
	if Of("no-such-code") != nil {
		t.Error("a page for a code that does not exist")
	}
}
