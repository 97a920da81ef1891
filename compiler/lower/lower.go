package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/reroll"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// Arg is the argument of a launch for one parameter.
type Arg struct {
	Name      string     // the parameter; "" for the next one in order
	Type      types.Type // of a run-time argument: a scalar or a pointer
	Constexpr bool       // there is no run-time argument: Value is known while compiling
	Unknown   bool       // nothing is known: what is computed from it is not judged
	// Value of a constexpr: nil (None), bool, int, int64, *big.Int, float64, string, num.DType, *Function, or a tuple
	// of such as []any or NamedTuple.
	// Of a run-time integer: its value if it is known, else nil. 1 makes it a constexpr, as in
	// Triton; any other is used only where the kernel needs a constexpr and has none.
	Value any
	// Descriptor is set for a tensor descriptor; Type is then that of its base.
	Descriptor *Descriptor
	// Tuple is set for a tuple, whose items are arguments of their own.
	Tuple     *TupleArg
	Divisible int // the value, or the pointer's address in bytes, is a multiple of this; 0 is unknown
}

// Options are the choices of one compilation.
type Options struct {
	Args     []Arg
	NumWarps int  // that run a program, as far as the kernel asks; 0: 4, as in Triton
	Strict   bool // what newt runs and Triton refuses is an error
	Triton   triton.Version
	// Interpreted lowers as TRITON_INTERPRET=1 runs kernels: what Triton's compiler refuses is fine, and statements
	// that call the program's own functions call them as Python.
	Interpreted bool
	// DotPrecision is that of a tl.dot without input_precision: what TRITON_F32_DEFAULT says, empty if that is unset.
	DotPrecision string
	Record       bool   // fill Result.Info
	Guess        *Guess // nil: Args are those of a launch
}

// Result is a lowered kernel.
type Result struct {
	Func   *ir.Func // nil if there were errors
	Prints []Print  // what tl.static_print printed
	Calls  []HostCall
	// Library are the calls of libdevice's functions, of values of the function as it is lowered.
	Library []LibraryCall
	Used    []string // run-time integer parameters whose value was compiled in
	Info    []Typed  // with Options.Record: the types of names, in the order of lowering
	Reads   []Read   // of a program's function: what the kernel read of the names around it

	Unrolled map[*ir.Block][]reroll.Loop // where the iterations of unrolled loops are, inner loops before outer ones

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

// Typed is the type of a name's value at one place.
type Typed struct {
	Span source.Span
	Name string
	Type string
}

const (
	maxDepth    = 64      // calls inside each other
	maxUnrolled = 20_000  // iterations of all unrolled loops together
	maxParts    = 20_000  // of a tuple, those of its elements included
	maxSteps    = 150_000 // statements lowered, repetitions included

	maxDiagnostics = 200 // lowering ends where it has found so many
	pollSteps      = 64  // statements between two questions whether to stop
)

type lowerer struct {
	opts    Options
	user    *module // the file of the kernel
	globals globals // module-level names, of that file and of the prelude
	diags   diag.List
	b       builder    // the IR function that is being written
	known   *knownInts // which run-time integers are known after all
	frame   *frame     // the function that is being lowered, and its local names
	result  Result
	items   map[string]*Arg // the arguments that are items of tuples, by TupleClass.Item

	unpadded map[*ir.Instr]bool // loads of blocks that leave lanes outside of the tensor undefined

	steps, unrolled int // statements lowered, iterations of unrolled loops
}

// bailout ends lowering at once; the diagnostic has been added. notConstant ends the evaluation of
// an expression that should be known.
type (
	bailout     struct{}
	notConstant struct{}
)

// Lower compiles the kernel fn of module m. The result's Func is nil if the list has errors.
func Lower(m *syntax.Module, fn *syntax.FunctionDef, opts Options) (*Result, diag.List) {
	user := newModule(m, false)
	user.enclose(m.Body, fn)
	return newLowerer(user, opts).lowerAndRecover(fn)
}

// LowerFunction compiles a kernel that a running program holds.
func LowerFunction(fn *Function, opts Options) (*Result, diag.List) {
	l := newLowerer(nil, opts)
	l.user = l.globals.moduleOf(fn)
	return l.lowerAndRecover(fn.Def)
}

func newLowerer(user *module, opts Options) *lowerer {
	l := &lowerer{opts: opts, user: user}
	l.globals = globals{l: l, scopes: make(map[Scope]*module), texts: make(map[*syntax.Module]*module),
		attributes: make(map[attributeOf]value),
		aggregates: make(map[*Aggregate]*aggregateClass)}
	l.b = builder{userSpan: l.userSpan, abort: l.abortWith}
	l.items = make(map[string]*Arg)
	l.result.Unrolled = make(map[*ir.Block][]reroll.Loop)
	l.unpadded = make(map[*ir.Instr]bool)
	l.known = newKnownInts()
	return l
}

func (l *lowerer) lowerAndRecover(fn *syntax.FunctionDef) (res *Result, list diag.List) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bailout); !ok {
				panic(r)
			}
			l.result.Func = nil
		}
		l.result.Steps = l.steps
		list = distinct(l.diags)
		list.SetVersion(l.opts.Triton)
		res = &l.result
	}()
	l.lowerKernel(fn)
	return nil, nil
}

func (l *lowerer) lowerKernel(def *syntax.FunctionDef) {
	l.b.ir = ir.NewBuilder(def.Name)
	fn := functionOf(def, l.user)
	l.frame = &frame{fn: &fn, vars: newEnv(), span: def.NameSpan}
	l.result.Reached = map[source.Span]bool{def.NameSpan: true}
	l.bindParams(def)
	l.lowerBody(&fn)
	l.b.emitVoid(def.NameSpan, ops.Return, nil)
	if !l.diags.HasErrors() {
		l.result.Func = l.b.ir.Finish()
		applyHints(l.result.Func)
	}
}

// inModuleCode reports whether module-level code is evaluated, which Python runs and not a kernel.
func (l *lowerer) inModuleCode() bool { return l.b.ir == nil }

// countStep counts statements, so that a small source cannot ask for endless work.
func (l *lowerer) countStep(at source.Span) {
	if l.steps++; l.steps > maxSteps {
		l.abortWith(diag.New("too-much-code", l.userSpan(at), ir.MaxInstrs))
	}
	if g := l.opts.Guess; g != nil && (l.steps > g.Steps || l.steps%pollSteps == 0 && g.Stop()) {
		panic(bailout{})
	}
	if len(l.diags) >= maxDiagnostics {
		panic(bailout{})
	}
}
