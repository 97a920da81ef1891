// Package compiler turns Triton kernels into tile IR. It is the façade of the packages below it:
// source text goes through syntax (tree), resolve (names), lower (IR, types, constexprs) and opt.
// What is wrong with a program comes back as diagnostics, never as a panic or a Go error.
package compiler

import (
	"fmt"
	"runtime/debug"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/dump"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/opt"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Arg is what a kernel is called with for one parameter.
type Arg = lower.Arg

// Print is a line that a kernel printed while it was compiled.
type Print = lower.Print

// Typed is the type of what a name stands for at one place.
type Typed = lower.Typed

// Options say what to compile, and for which arguments.
type Options struct {
	Kernel    string // empty: the last kernel of the file
	Args      []Arg
	NumWarps  int
	NumStages int
	Strict    bool           // what newt runs and Triton refuses is an error
	Record    bool           // fill Artifact.Dump and Info
	Globals   map[string]any // module-level values known from outside, spelled as Arg.Value
}

// Artifact is a compiled kernel.
type Artifact struct {
	Kernel    string
	Params    []string // of the source, in order
	Func      *ir.Func // optimised
	Signature string   // the arguments it was compiled for, as ParseSignature reads them
	NumWarps  int
	NumStages int
	Prints    []Print  // from tl.static_print
	Used      []string // run-time integer parameters whose value was compiled in
	Info      []Typed  // with Options.Record

	// Dump holds the kernel at each stage: "source", "lower", then the passes. Nil without
	// Options.Record.
	Dump *dump.Recorder
}

// Compile compiles one kernel of a file. The artifact is nil where the list has errors; warnings
// say what Triton's own compiler would refuse.
func Compile(file *source.File, o Options) (art *Artifact, list diag.List) {
	defer guard(&art, &list)
	m, list := parse(file, o)
	fn, d := pick(m, o.Kernel)
	if d != nil {
		if !list.HasErrors() { // what cannot be read has no kernels
			list = append(list, d)
		}
		return nil, list
	}
	res, more := lower.Lower(m, fn, lowerOptions(o))
	list = merge(list, more)
	if res.Func == nil || list.HasErrors() {
		return nil, list
	}
	art = &Artifact{Kernel: fn.Name, Params: paramNames(fn), Func: res.Func, Signature: Signature(o.Args), NumWarps: o.NumWarps, NumStages: o.NumStages,
		Prints: res.Prints, Used: res.Used, Info: res.Info}
	if o.Record {
		art.Dump = &dump.Recorder{}
		art.Dump.Source(file, fn.Span())
	}
	optimise(art)
	return art, list
}

func lowerOptions(o Options) lower.Options {
	return lower.Options{Args: o.Args, Strict: o.Strict, Record: o.Record, Globals: o.Globals}
}

func optimise(art *Artifact) {
	if art.Dump == nil {
		opt.Run(art.Func, opt.Options{})
		return
	}
	why := make(map[string]string)
	for _, p := range opt.Passes() {
		why[p.Name] = p.Why
	}
	art.Dump.IR("lower", "what the kernel means for these arguments", art.Func)
	opt.Run(art.Func, opt.Options{Stages: func(name string, fn *ir.Func) { art.Dump.IR(name, why[name], fn) }})
}

// parse reads a file and resolves its names.
func parse(file *source.File, o Options) (*syntax.Module, diag.List) {
	m, list := syntax.Parse(file)
	known := make([]string, 0, len(o.Globals))
	for name := range o.Globals {
		known = append(known, name)
	}
	_, more := resolve.Resolve(m, known...)
	return m, append(list, more...)
}

// pick finds a kernel by name; no name means the last.
func pick(m *syntax.Module, name string) (*syntax.FunctionDef, *diag.Diagnostic) {
	kernels := lower.Kernels(m)
	if len(kernels) == 0 {
		return nil, diag.New("no-kernel", source.Span{})
	}
	if name == "" {
		return kernels[len(kernels)-1], nil
	}
	var names []string
	for i := len(kernels) - 1; i >= 0; i-- {
		if kernels[i].Name == name {
			return kernels[i], nil
		}
		names = append(names, kernels[i].Name)
	}
	d := diag.New("kernel-not-found", kernels[0].NameSpan, name, names[len(names)-1])
	return nil, d
}

// merge joins what two phases say; the later one keeps quiet about what the earlier has reported.
func merge(list, more diag.List) diag.List {
	type key struct {
		code string
		span source.Span
	}
	seen := make(map[key]bool, len(list))
	for _, d := range list {
		seen[key{d.Code, d.Primary.Span}] = true
	}
	for _, d := range more {
		if !seen[key{d.Code, d.Primary.Span}] {
			list = append(list, d)
		}
	}
	list.Sort()
	return list
}

// guard turns a panic, which is a mistake of newt's, into a diagnostic.
func guard[T any](result *T, list *diag.List) {
	r := recover()
	if r == nil {
		return
	}
	var zero T
	*result = zero
	trace(r)
	*list = diag.List{diag.New("internal-error", source.Span{}, fmt.Sprintf("%.60v", r))}
}

// Trace, where set, hears of every panic that was turned into a diagnostic. Tests set it.
var Trace func(reason any, stack []byte)

func trace(r any) {
	if Trace != nil {
		Trace(r, debug.Stack())
	}
}

// Kernels lists the names of a file's kernels in order.
func Kernels(file *source.File) []string {
	m, _ := syntax.Parse(file)
	var names []string
	for _, fn := range lower.Kernels(m) {
		names = append(names, fn.Name)
	}
	return names
}
