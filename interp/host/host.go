package host

import (
	"io"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// The limits of Options that are zero.
const (
	DefaultMaxSteps = 20_000_000
	DefaultMaxItems = 1 << 26
	DefaultMaxDepth = 1000 // CPython's recursion limit
)

// Options say what a script may use and spend.
type Options struct {
	Stdout   io.Writer       // where print writes; nil discards
	Launcher Launcher        // runs kernels; nil refuses launches
	Tensors  *tensor.Context // nil makes one with the default limits
	Argv     []string        // sys.argv
	Stop     func() bool     // asked now and then; true ends the run
	MaxSteps int64           // statements and calls
	MaxItems int64           // items of lists, tuples, dicts and bytes of text made
	MaxDepth int             // nested calls
}

// Module is a file that has been loaded.
type Module struct{ m *machine }

// machine runs one module. It is for one goroutine.
type machine struct {
	file    *source.File
	info    *resolve.Info
	options Options
	tensors *tensor.Context
	globals *frame
	stars   map[string]Value // names from "import *"
	budget  budget
	at      source.Span         // the statement that runs
	stops   []func()            // end generators that have not finished
	loaded  map[string]*Library // the modules that the script has imported
	handled []*raised           // the exceptions that except clauses are handling
	names   diag.List           // what resolving the file found, for the kernels that launches reach
	said    diag.List           // hints, and what came before the error that ended the run
}

// Load parses and resolves a file and runs its top level. Where the diagnostics hold an error,
// the Module may lack what comes after it; it is nil only where the file does not parse.
func Load(file *source.File, options Options) (*Module, diag.List) {
	tree, diags := syntax.Parse(file)
	if diags.HasErrors() {
		return nil, diags
	}
	info, names := resolve.Resolve(tree)
	m := newMachine(file, info, options)
	m.names = names
	for _, d := range names {
		if d.Severity == diag.Hint {
			diags.Add(d)
		}
	}
	diags = append(diags, m.guarded(func() { m.globals.execBlock(tree.Body) })...)
	return &Module{m}, diags
}

func newMachine(file *source.File, info *resolve.Info, o Options) *machine {
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Tensors == nil {
		o.Tensors = tensor.New(tensor.Options{})
	}
	if o.MaxSteps <= 0 {
		o.MaxSteps = DefaultMaxSteps
	}
	if o.MaxItems <= 0 {
		o.MaxItems = DefaultMaxItems
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	m := &machine{file: file, info: info, options: o, tensors: o.Tensors, stars: map[string]Value{},
		loaded: map[string]*Library{}}
	m.budget = budget{options: &m.options, file: file}
	m.globals = newFrame(m, info.ModuleScope(), nil, nil)
	m.stars["__name__"] = python.Str("__main__")
	m.stars["__file__"] = python.Str(file.Name)
	return m
}

// guarded runs f. An uncaught exception or a limit is the last of the list, an error.
func (m *machine) guarded(f func()) (list diag.List) {
	enabled := m.tensors.GradEnabled // an exception may leave a torch.no_grad() block behind
	m.said = nil
	defer func() {
		for _, stop := range slices.Backward(m.stops) { // generators that nobody will ask again
			stop()
		}
		m.stops, m.budget.loops, m.budget.depth, m.handled = nil, nil, 0, nil
		m.tensors.GradEnabled = enabled
		if r := recover(); r != nil {
			m.said = append(m.said, m.report(m.caught(r))...)
		}
		list = m.said
	}()
	f()
	return nil
}

// failure is the error of a list that guarded returned, nil if it has none: it is the last.
func failure(list diag.List) *diag.Diagnostic {
	if n := len(list); n > 0 && list[n-1].Severity == diag.Error {
		return list[n-1]
	}
	return nil
}

// report puts what nobody caught into words. SystemExit with status 0 is the normal end.
func (m *machine) report(r *raised) diag.List {
	if r.stop != nil {
		return diag.List{r.stop}
	}
	e := r.exception
	switch {
	case e.class.isA("SystemExit") && (len(e.args) == 0 || !m.truth(e.args[0])):
		return nil
	case e.own != nil:
		return r.traced(e.own)
	case e.message() == "":
		return r.traced(diag.List{diag.New("host-exception-bare", r.span, e.class.Name)})
	}
	return r.traced(diag.List{diag.New("host-exception", r.span, e.class.Name, e.message())})
}

// traced is a list whose errors show the way to them: the place that raised the exception and the
// calls that led there. An error without a place of its own has that of the exception.
func (r *raised) traced(list diag.List) diag.List {
	out := slices.Clone(list)
	for i, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		// Diagnostics may be shared: by an exception that is raised again, or a launch that is repeated.
		c := *d
		c.Related = slices.Clone(d.Related)
		if c.Primary.Span == (source.Span{}) {
			c.Primary.Span = r.span
		}
		if c.Primary.Span != r.span {
			c.Because(r.span, "host.launched-here")
		}
		for n, at := range r.calls {
			if n == maxTraceback {
				break
			}
			if at != r.span {
				c.Because(at, "host.called-here")
			}
		}
		out[i] = &c
	}
	return out
}

// maxTraceback is how many of the calls that led to an exception are shown.
const maxTraceback = 8

// File is the module's source.
func (m *Module) File() *source.File { return m.m.file }

// Info is the resolver's result for the module.
func (m *Module) Info() *resolve.Info { return m.m.info }

// Tensors is the context that the module's tensors belong to.
func (m *Module) Tensors() *tensor.Context { return m.m.tensors }

// Global finds a variable of the module.
func (m *Module) Global(name string) (Value, bool) { return m.m.global(name) }

func (m *machine) global(name string) (Value, bool) {
	if sym := m.globals.scope.Names[name]; sym != nil {
		if v, ok := m.globals.vars[sym]; ok {
			return v, true
		}
	}
	return m.outside(name)
}

// Func finds a function of the module.
func (m *Module) Func(name string) (*Function, bool) {
	v, ok := m.Global(name)
	f, isFunction := v.(*Function)
	return f, ok && isFunction
}

// Call runs a function, or anything else that Python can call.
func (m *Module) Call(f Value, args ...Value) (v Value, d *diag.Diagnostic) {
	m.m.budget.reset()
	d = failure(m.m.guarded(func() { v = m.m.call(f, arguments{positional: args}) }))
	return v, d
}

// Signature is a function's parameters and annotations.
type Signature struct {
	Name   string
	Params []SignatureParam
	Return *Annotation // nil if there is none
}

// SignatureParam is one parameter; Annotation is nil where it has none, or one of another kind.
type SignatureParam struct {
	Name       string
	Span       source.Span
	Annotation *Annotation
}

// Signature evaluates a function's annotations. A failing annotation is a diagnostic.
func (m *Module) Signature(f *Function) (s Signature, d *diag.Diagnostic) {
	d = failure(m.m.guarded(func() {
		s.Name = f.Name
		for _, p := range f.params.List {
			s.Params = append(s.Params, SignatureParam{p.Name, p.Loc, annotationOf(f, p.Annotation)})
		}
		if f.def != nil {
			s.Return = annotationOf(f, f.def.Returns)
		}
	}))
	return s, d
}

func annotationOf(f *Function, e syntax.Expr) *Annotation {
	if e == nil {
		return nil
	}
	if a, ok := f.frame.eval(e).(Annotation); ok {
		return &a
	}
	return nil
}

// FromTensor makes a tensor an argument for Call.
func FromTensor(t *tensor.Tensor) Value { return Tensor{t} }

// AsTensor is the tensor that a value is.
func AsTensor(v Value) (*tensor.Tensor, bool) {
	t, ok := v.(Tensor)
	return t.Tensor, ok
}
