// Package lower turns a kernel's syntax tree and the types of its arguments into tile IR.
//
// # How it works
//
// One walk does everything, because in Triton constexprs and argument types decide which code
// exists: a branch on a constexpr is not even looked at, a loop over tl.static_range is unrolled,
// x.dtype.element_ty picks a cast. The walk is an interpreter whose values ([value]) are either
// known now (numbers, dtypes, tuples, functions) or tensors, that is IR values.
//
// Calls are inlined. An if on a run-time condition lowers both branches into regions and merges
// the names that they assign; a loop lowers its body once, assuming that carried names keep their
// types, and once more where they turn out to change (flow.go, loops.go). break, continue and
// return inside of run-time control flow become flags that later statements are guarded by.
//
// What goes wrong becomes a diagnostic and the value poison, which silences everything that
// depends on it, so that one cause gives one message and lowering goes on.
//
// # The superset
//
// What Triton refuses although its meaning is clear runs with a warning that quotes Triton;
// every such place calls [lowerer.superset], which Options.Strict turns into an error.
package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// Arg is what the kernel is called with for one parameter.
type Arg struct {
	Name      string     // the parameter; "" for the next one in order
	Type      types.Type // of a run-time argument: a scalar or a pointer
	Constexpr bool       // there is no run-time argument: Value is known while compiling
	Unknown   bool       // nothing is known: what is computed from it is not judged
	// Value of a constexpr: nil (None), bool, int, int64, *big.Int, float64, string, num.DType or *Function.
	// Of a run-time integer: its value where it is known, else nil. 1 makes it a constexpr, as in
	// Triton; any other is used only where the kernel needs a constexpr and has none.
	Value     any
	Divisible int // the value, or the pointer's address in bytes, is a multiple of this; 0 is unknown
}

// Options are the choices of one compilation.
type Options struct {
	Args   []Arg
	Strict bool   // what newt runs and Triton refuses is an error
	Record bool   // fill Result.Info
	Guess  *Guess // nil: Args are those of a launch
}

// Result is a lowered kernel.
type Result struct {
	Func   *ir.Func // nil where there were errors
	Prints []Print  // what tl.static_print printed
	Used   []string // run-time integer parameters whose value was compiled in
	Info   []Typed  // with Options.Record: the types of names, in the order of lowering
	Reads  []Read   // of a program's function: what the kernel read of the names around it

	// With Options.Guess: whether a guess has chosen a branch, what was reported in such branches, and
	// the functions of the file that were lowered, by the places of their names.
	Branched bool
	Doubtful map[*diag.Diagnostic]bool
	Reached  map[source.Span]bool
	Steps    int // statements lowered
}

// Print is a line that the kernel printed while it was compiled.
type Print struct {
	Span source.Span
	Text string
}

// Typed is the type of what a name stands for at one place.
type Typed struct {
	Span source.Span
	Name string
	Type string
}

const (
	maxDepth    = 64      // calls inside each other
	maxUnrolled = 20_000  // iterations of all unrolled loops together
	maxSteps    = 150_000 // statements lowered, repetitions included

	maxDiagnostics = 200 // lowering ends where it has found so many
	pollSteps      = 64  // statements between two questions whether to stop
)

type lowerer struct {
	opts   Options
	user   *module
	std    *module // the prelude, once it is needed
	diags  diag.List
	b      *ir.Builder
	frame  *frame
	result Result

	steps, unrolled int
	nested          int                     // branches and bodies inside each other
	knownArgs       map[*ir.Value]knownArg  // run-time integer arguments whose value the launch gave
	linears         [2]map[*ir.Value]linear // what linear has worked out, without and with arguments
	scopes          map[Scope]*module       // of a program's functions
}

type knownArg struct {
	value int64
	name  string
	span  source.Span
}

// bailout ends lowering at once; the diagnostic has been added. notConstant ends the evaluation of
// an expression that should be known.
type (
	bailout     struct{}
	notConstant struct{}
)

// Lower compiles the kernel fn of module m. The result's Func is nil where the list has errors.
func Lower(m *syntax.Module, fn *syntax.FunctionDef, opts Options) (*Result, diag.List) {
	user := newModule(m, false)
	user.enclose(m.Body, fn)
	return newLowerer(user, opts).lower(fn)
}

// LowerFunction compiles a kernel that a running program holds.
func LowerFunction(fn *Function, opts Options) (*Result, diag.List) {
	l := newLowerer(nil, opts)
	l.user = l.moduleOf(fn)
	return l.lower(fn.Def)
}

func newLowerer(user *module, opts Options) *lowerer {
	return &lowerer{opts: opts, user: user, knownArgs: make(map[*ir.Value]knownArg), scopes: make(map[Scope]*module)}
}

func (l *lowerer) lower(fn *syntax.FunctionDef) (res *Result, list diag.List) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bailout); !ok {
				panic(r)
			}
			l.result.Func = nil
		}
		l.result.Steps = l.steps
		list = distinct(l.diags)
		res = &l.result
	}()
	l.kernel(fn)
	return nil, nil
}

func (l *lowerer) kernel(def *syntax.FunctionDef) {
	l.b = ir.NewBuilder(def.Name)
	fn := functionOf(def, l.user)
	l.frame = &frame{fn: &fn, vars: newEnv(), span: def.NameSpan}
	l.result.Reached = map[source.Span]bool{def.NameSpan: true}
	l.bindParams(def)
	l.body(&fn)
	l.emitNone(def.NameSpan, ops.Return, nil)
	if !l.diags.HasErrors() {
		l.result.Func = l.b.Finish()
	}
}

// distinct drops repetitions: an unrolled or inlined statement reports the same thing each time.
func distinct(list diag.List) diag.List {
	type key struct {
		code string
		span source.Span
		name any
	}
	seen := make(map[key]bool)
	out := list[:0]
	list.Sort()
	for _, d := range list {
		k := key{code: d.Code, span: d.Primary.Span}
		switch d.Code { // once for each name
		case "plain-global":
			k = key{code: d.Code, name: d.Args[0]}
		case "argument-constexpr":
			k = key{code: d.Code, name: d.Args[2]}
		}
		if !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	return out
}

func (l *lowerer) userFile() *source.File { return l.user.file }

// fail reports d and gives the value that silences what follows.
func (l *lowerer) fail(d *diag.Diagnostic) value {
	l.diags.Add(d)
	return poison{}
}

// inModule reports whether module-level code is evaluated, which Python runs and not a kernel.
func (l *lowerer) inModule() bool { return l.b == nil }

// superset reports what newt runs and Triton refuses.
func (l *lowerer) superset(d *diag.Diagnostic) {
	if l.inModule() {
		return
	}
	d.Severity = diag.Warning
	if l.opts.Strict {
		d.Severity = diag.Error
	}
	l.diags.Add(d)
}

// stop reports d and ends lowering. Module-level code that is too long is merely not known.
func (l *lowerer) stop(d *diag.Diagnostic) {
	if l.inModule() {
		panic(notConstant{})
	}
	l.diags.Add(d)
	panic(bailout{})
}

// emit appends an operation with one result.
func (l *lowerer) emit(at source.Span, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	l.needBlock()
	v, m := l.b.Emit1(l.at(at), op, operands, attrs...)
	l.check(at, m)
	return v
}

// emitNone appends an operation without results.
func (l *lowerer) emitNone(at source.Span, op ops.Op, operands []*ir.Value, attrs ...ir.Attr) {
	l.needBlock()
	_, m := l.b.Emit(l.at(at), op, operands, attrs...)
	l.check(at, m)
}

// emitRegions appends an operation with regions.
func (l *lowerer) emitRegions(at source.Span, op ops.Op, operands []*ir.Value, regions []*ir.Block, attrs ...ir.Attr) []*ir.Value {
	vs, m := l.b.EmitRegions(l.at(at), op, operands, regions, attrs...)
	l.check(at, m)
	return vs
}

// needBlock ends the evaluation of module-level code that turns out to need the GPU.
func (l *lowerer) needBlock() {
	if l.inModule() {
		panic(notConstant{})
	}
}

// block makes an empty block.
func (l *lowerer) block(args ...types.Type) *ir.Block {
	l.needBlock()
	return l.b.Block(args...)
}

// check ends lowering where an operation does not fit: the size limits are the only reason a
// program can give, everything else is a mistake of this package.
func (l *lowerer) check(at source.Span, m *ops.Mismatch) {
	switch {
	case m == nil:
	case m.Kind == ops.LimitReached && l.nested > ir.MaxDepth:
		l.stop(diag.New("too-nested", l.at(at), ir.MaxDepth))
	case m.Kind == ops.LimitReached:
		l.stop(diag.New("too-much-code", l.at(at), ir.MaxInstrs))
	default:
		l.stop(diag.New("internal-error", l.at(at), m.Op.String()))
	}
}

// step counts statements, so that a small source cannot ask for endless work.
func (l *lowerer) step(at source.Span) {
	if l.steps++; l.steps > maxSteps {
		l.stop(diag.New("too-much-code", l.at(at), ir.MaxInstrs))
	}
	if g := l.opts.Guess; g != nil && (l.steps > g.Steps || l.steps%pollSteps == 0 && g.Stop()) {
		panic(bailout{})
	}
	if len(l.diags) >= maxDiagnostics {
		panic(bailout{})
	}
}
