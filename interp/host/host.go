package host

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// machine is what the units of one session share. It is for one goroutine.
type machine struct {
	options Options
	tensors *tensor.Context
	sources source.Set  // every text that has run
	main    *namespace  // the document's
	frame   *frame      // the frame that runs
	active  *activation // the innermost call
	budget  budget
	at      source.Span // the statement that runs
	modules importer
	files   fileSystem
	// generators are those that the run has made.
	generators generatorList
	// atEnd are what libraries do at the end of a cell of a notebook, or of a script.
	atEnd     []func(m *machine, notebook bool)
	texts     textCache // characters of texts that are indexed
	clock     clock     // times launches and what contains them
	launching launchMode
	matmul    *Kernel   // that of torch._newt_matmul.py, once a product has needed it
	handled   []*raised // the exceptions that except clauses are handling
	document  string    // the name of the file that has run last
	conftests []Value   // the conftest modules around the document, the outermost first; nil until they are loaded
	// shell is what get_ipython() gives, once something has asked.
	shell Value
	// subclasses are the classes that the program has made, by their bases.
	subclasses map[*Class][]Value
	// explain runs the document's assert statements while its tests run; nil outside of them.
	explain func(f *frame, s *syntax.Assert)
	said    diag.List // hints, and what came before the error that ended the run
}

func newMachine(o Options) *machine {
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	if o.Codecs == nil {
		o.Codecs = noCodecs{}
	}
	if o.Folder == "" {
		o.Folder = DefaultFolder
	}
	if o.Tensors == nil {
		o.Tensors = tensor.New(tensor.Options{})
	}
	if o.Libraries.operations != nil {
		o.Tensors.Operations = o.Libraries.operations()
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
	sessionsBegun.Store(true)
	m := &machine{options: o, tensors: o.Tensors, main: newNamespace(cmp.Or(o.Name, "__main__"), "")}
	if multiply := o.Libraries.multiply; multiply != nil {
		m.tensors.Multiply = func(out, x, y *tensor.Tensor) bool { return multiply(m, out, x, y) }
	}
	m.tensors.Stop = o.Stop
	m.budget = budget{options: &m.options, files: &m.sources}
	m.files = fileSystem{options: &m.options, budget: &m.budget, written: map[string]string{}}
	m.modules = newImporter(m)
	m.main.vars.put("__package__", python.Str(o.Package))
	return m
}

// runGuarded runs f. An uncaught exception or a limit is the last of the list, an error; the exception is given, too.
func (m *machine) runGuarded(f func()) (list diag.List, failed *raised) {
	enabled := m.tensors.GradEnabled // an exception may leave a torch.no_grad() block behind
	m.said = nil
	defer func() {
		if r := recover(); r != nil {
			failed = m.unwind(r, checkpoint{})
		}
		m.handled = nil
		if failed == nil || failed.stop == nil {
			if stopped := m.closeGenerators(); stopped != nil {
				failed = stopped
			}
		}
		// The newest first, since an older generator may hold a newer one in its body.
		for _, g := range slices.Backward(m.generators.inOrder()) { // nobody will ask them again
			g.stop()
		}
		m.generators.open = nil
		m.tensors.GradEnabled = enabled
		if failed != nil {
			m.said = append(m.said, reportRaised(m, failed)...)
		}
		list = m.said
	}()
	f()
	return nil, nil
}

// closeGenerators runs the finally clauses of generators that were not asked to their end, as Python does when a script
// ends. What they raise is ignored, as it is there; what stops the run is given.
func (m *machine) closeGenerators() (stopped *raised) {
	last := 0
	for again := true; again; { // closing one may make others
		again = false
		for _, g := range m.generators.inOrder() {
			if g.number <= last {
				continue
			}
			last, again = g.number, true
			if e := m.exceptionOf(g.close); e != nil && e.stop != nil {
				return e
			}
		}
	}
	return nil
}

// failure is the error of a list that guarded returned, nil if it has none: it is the last.
func failure(list diag.List) *diag.Diagnostic {
	if n := len(list); n > 0 && list[n-1].Severity == diag.Error {
		return list[n-1]
	}
	return nil
}

// reportRaised puts what nobody caught into words. SystemExit with status 0 is the normal end.
func reportRaised(m *machine, r *raised) diag.List {
	// What goes wrong in the argument of eval is shown at the call: no one can open <string>.
	r.span = openablePlace(m, r.span, r)
	if r.stop != nil {
		r.stop.Primary.Span = openablePlace(m, r.stop.Primary.Span, r)
		return diag.List{r.stop}
	}
	e := r.exception
	message := m.messageOf(e) + e.suggestion()
	switch {
	// sys.exit() and sys.exit(0) end a script well; a status or a text is shown as an error.
	case e.class.isA("SystemExit") && exitStatus(e) == 0:
		return nil
	case e.own != nil:
		return r.traced(m, e.own)
	case message == "":
		return r.traced(m, diag.List{diag.New("host-exception-bare", r.span, e.class.Name)})
	}
	return r.traced(m, diag.List{diag.New("host-exception", r.span, e.class.Name, message)})
}

// openablePlace is a place in a file that can be opened: the given one, or that of the call which led there.
func openablePlace(m *machine, at source.Span, r *raised) source.Span {
	for _, l := range r.trace {
		if openable(m, at) {
			break
		}
		at = l.at
	}
	return at
}

// openable reports whether a place is in a text that the user can open, and not in one of newt's own.
func openable(m *machine, at source.Span) bool {
	f := m.sources.File(at)
	return f == nil || !strings.HasPrefix(f.Name, "<")
}

// callerPlace is where the program's own text called what runs now.
func (m *machine) callerPlace() source.Span {
	at := m.at
	for call := m.active; !openable(m, at) && call.caller != nil; call = call.caller {
		at = call.at
	}
	return at
}

// traced is a list whose errors show the way to them: the place that raised the exception and the
// calls that led there. An error without a place of its own has that of the exception.
func (r *raised) traced(m *machine, list diag.List) diag.List {
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
		for n, l := range r.trace {
			if n > maxTraceback {
				break
			}
			// The innermost is the place itself; newt's own texts of libraries are nothing to mend.
			if n > 0 && l.at != r.span && openable(m, l.at) {
				c.Because(l.at, "host.called-here")
			}
		}
		out[i] = &c
	}
	return out
}

// maxTraceback is how many of the calls that led to an exception are shown.
const maxTraceback = 8
