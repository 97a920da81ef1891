// Package compiler turns Triton kernels into tile IR. It is the façade of the packages below it:
// source text goes through syntax (tree), resolve (names), lower (IR, types, constexprs) and opt.
// What is wrong with a program comes back as diagnostics, never as a panic or a Go error.
package compiler

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/dump"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/opt"
	"github.com/newtlab/newt/compiler/reroll"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
)

// Arg is what a kernel is called with for one parameter.
type Arg = lower.Arg

// Print is a line that a kernel printed while it was compiled.
type Print = lower.Print

// HostCall is a call of one of the program's own functions by a kernel that is interpreted.
type HostCall = lower.HostCall

// LibraryCall is a call of a function of libdevice by a kernel.
type LibraryCall = lower.LibraryCall

// Function is a kernel, or a function that kernels call, as the value of a running program.
type Function = lower.Function

// Typed is the type of what a name stands for at one place.
type Typed = lower.Typed

// Read is the value that a name around a kernel had when the kernel was compiled.
type Read = lower.Read

// Options say what to compile, and for which arguments.
type Options struct {
	Kernel    string    // empty: the last kernel of the file
	Function  *Function // in place of file and Kernel: the kernel that a running program holds
	Args      []Arg
	NumWarps  int
	NumStages int
	Strict    bool // what newt runs and Triton refuses is an error
	// Triton is the version to compile for. Unset, it is what a comment line of the file says ("# triton: 3.8"), or
	// else the default.
	Triton triton.Version
	// Interpreted compiles as TRITON_INTERPRET=1 runs kernels: see lower.Options.
	Interpreted bool
	// DotPrecision is the precision of a tl.dot that names none: see lower.Options.
	DotPrecision string
	// Live gives a module without the branches of its top level that do not run; nil: all of them count.
	Live        func(*syntax.Module) *syntax.Module
	Unoptimized bool // Artifact.Func is as lowered: each expression of the source has an operation of its own
	Record      bool // fill Artifact.Dump and Info
}

// Artifact is a compiled kernel.
type Artifact struct {
	Kernel    string
	Params    []string // of the source, in order
	Func      *ir.Func // optimized, unless Options.Unoptimized
	Signature string   // the arguments it was compiled for, as ParseSignature reads them
	NumWarps  int
	NumStages int
	Prints    []Print // from tl.static_print
	Calls     []HostCall
	Library   []LibraryCall // of libdevice's functions; of values of Func where it is Unoptimized
	Used      []string      // run-time integer parameters whose value was compiled in
	Info      []Typed       // with Options.Record
	Reads     []Read        // with Options.Function: what the kernel read of the names around it

	// Dump holds the kernel at each stage: "source", "lower", then the passes. Nil without
	// Options.Record.
	Dump *dump.Recorder
}

// maxStraight is how many operations a kernel may have that keeps its unrolled loops unrolled. On tiles of four
// elements for each thread they are 16,000 instructions, more than a multiprocessor's instruction cache holds.
const maxStraight = 4096

// Compile compiles one kernel of a file. The artifact is nil where the list has errors; warnings
// say what Triton's own compiler would refuse. What the kernel does not reach says nothing.
func Compile(file *source.File, o Options) (art *Artifact, list diag.List) {
	defer Recover(&art, &list)
	if o.Function != nil {
		res, list := lower.LowerFunction(o.Function, lowerOptions(o))
		return artifact(o.Function.File, o.Function.Def, o, res, reached(o.Function.Names, list))
	}
	m, list := syntax.Parse(file)
	list = append(list, RequestedVersion(file, &o.Triton)...)
	live := m
	if o.Live != nil {
		live = o.Live(m)
	}
	fn, d := Pick(live, o.Kernel)
	if d != nil {
		if !list.HasErrors() { // what cannot be read has no kernels
			list = append(list, d)
		}
		return nil, list
	}
	_, names := resolve.Resolve(m)
	res, more := lower.Lower(live, fn, lowerOptions(o))
	list = append(append(list, notApplied(fn)...), reached(names, more)...)
	list.Sort()
	list.SetVersion(o.Triton)
	return artifact(file, fn, o, res, list)
}

// RequestedVersion sets a version of Triton that is not given to the one that a file's own text asks for, and warns of
// a line that asks for none that newt knows.
func RequestedVersion(file *source.File, v *triton.Version) (list diag.List) {
	asked, line := triton.Requested(file.Text)
	*v = v.Or(asked)
	if line != 0 {
		list = unknownVersion(file, line, *v)
	}
	return list
}

func unknownVersion(file *source.File, line int, v triton.Version) diag.List {
	at := file.LineSpan(line)
	return diag.List{diag.Warn("triton-version", at, file.Slice(at), triton.Names(), v)}
}

func lowerOptions(o Options) lower.Options {
	return lower.Options{Args: o.Args, NumWarps: o.NumWarps, Strict: o.Strict, Triton: o.Triton, Interpreted: o.Interpreted,
		DotPrecision: o.DotPrecision, Record: o.Record}
}

// reached joins what resolving a whole file and lowering one kernel of it have found. An error of
// a name counts where lowering came upon it; resolving has the better words for it.
func reached(names, lowered diag.List) diag.List {
	at := make(map[source.Span]int, len(lowered))
	for i, d := range lowered {
		if d.Severity == diag.Error {
			at[d.Primary.Span] = i
		}
	}
	list := slices.Clone(lowered)
	for _, d := range names {
		switch i, found := at[d.Primary.Span]; {
		case d.Severity == diag.Error && found:
			list[i] = d
		case d.Severity == diag.Hint:
			list = append(list, d)
		}
	}
	list.Sort()
	return list
}

// notApplied names the decorators of a kernel that compiling it by its name leaves out of account.
func notApplied(fn *syntax.FunctionDef) (list diag.List) {
	for _, d := range fn.Decorators {
		switch name := syntax.LastName(d); name {
		case "jit":
		case "autotune", "heuristics":
			d := diag.New("decorator-not-applied", d.Span(), name)
			d.Severity = diag.Hint
			list.Add(d)
		default:
			list.Add(diag.Warn("decorator-unknown", d.Span(), name))
		}
	}
	return list
}

// artifact optimizes what lowering has made; it is nil where the list has errors.
func artifact(
	file *source.File, fn *syntax.FunctionDef, o Options, res *lower.Result, list diag.List,
) (*Artifact, diag.List) {
	if res.Func == nil || list.HasErrors() {
		return nil, list
	}
	art := &Artifact{
		Kernel: fn.Name, Params: paramNames(fn), Signature: Signature(o.Args),
		NumWarps: o.NumWarps, NumStages: o.NumStages,
		Func: res.Func, Prints: res.Prints, Calls: res.Calls, Library: res.Library, Used: res.Used, Info: res.Info,
		Reads: res.Reads,
	}
	reroll.Func(art.Func, res.Unrolled, maxStraight)
	if o.Record {
		art.Dump = &dump.Recorder{}
		art.Dump.Source(file, fn.Span())
	}
	if !o.Unoptimized {
		optimize(art)
	}
	return art, list
}

func optimize(art *Artifact) {
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

// Pick finds a kernel of a module by its name; no name means the last.
func Pick(m *syntax.Module, name string) (*syntax.FunctionDef, *diag.Diagnostic) {
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

// Recover turns a panic, which is a mistake of newt's, into a diagnostic: list becomes an internal
// error and result its zero value. It is deferred by every entry into the compiler.
func Recover[T any](result *T, list *diag.List) {
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

// Parameters names the parameters of a file's kernel in order; the last of that name counts, as in
// Python. It is nil where the file has no such kernel.
func Parameters(file *source.File, kernel string) []string {
	m, _ := syntax.Parse(file)
	var names []string
	for _, fn := range lower.Kernels(m) {
		if fn.Name != kernel {
			continue
		}
		names = paramNames(fn)
	}
	return names
}

func paramNames(fn *syntax.FunctionDef) []string {
	names := make([]string, 0, len(fn.Params.List))
	for _, p := range fn.Params.List {
		names = append(names, p.Name)
	}
	return names
}
