package script

import (
	"context"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// Options say how a document runs.
type Options struct {
	// Host are the session's. Its streams, Display, Measured, Ranked, Ranking and Launcher are the Run's own; its Stop
	// ends cells as ctx does. Its Triton is the one that the document asks for, unless it is set.
	Host     host.Options
	Launcher *Launcher   // its Context and Triton are the Run's own
	Emit     func(Event) // hears of everything as it happens; nil hears nothing
	// Script runs the document as Python runs a file: no values are displayed, and the first failure ends it.
	Script bool
	// Tests runs a script's tests after it, as pytest -q does.
	Tests bool
	// MaxOutput bounds the bytes that one cell may output; what comes after them is dropped. 0 is DefaultMaxOutput.
	MaxOutput int
	// Keep bounds the launches that are logged; the zero value logs none.
	Keep Keep
}

// DefaultMaxOutput is enough for the longest useful table, and what a page can still show.
const DefaultMaxOutput = 4 << 20

// Run is a document that runs: one session, with one namespace, over its cells. It is for one goroutine.
type Run struct {
	doc     *document.Document
	o       Options
	session *host.Session
	files   files
	log     log
	ran     map[*source.File]document.Cell
	ctx     context.Context // of the cell that runs
	count   int             // of the executions so far

	wrongVersion bool // the document's line for a version of Triton names none, which is still to be said

	// Lang is the language of newt's own notes in outputs; the zero value is English.
	Lang diag.Lang
	out  *output // of the cell that runs
}

// Event is something that happened to a cell.
type Event struct {
	Kind   EventKind
	Cell   *document.Cell
	Output document.Output  // of Printed: a stream with what is new of it; of Displayed and Failed
	Launch *Launch          // of Launched
	Sweep  host.Measurement // of Measured
	Order  host.Ranking     // of Ranked
	Steps  Steps            // of Ranking
	Result *Result          // of Ended
}

// EventKind is what an Event tells.
type EventKind uint8

// The kinds of events, in the order in which a cell can have them.
const (
	Started EventKind = iota
	Printed
	Displayed
	Failed
	Launched
	Ranking
	Ranked
	Measured
	Ended
)

// Steps are how many configs of a kernel have an estimate, of all that are to be ranked. The last has Done == Total.
type Steps struct{ Done, Total int }

// Result is how a cell ended. Its diagnostics are places in the Run's Sources: notes on the lines that are IPython's
// own, warnings, and last the error that ended the cell, if one did.
type Result struct {
	Diagnostics diag.List
	Traceback   string // Python's words on the exception that nothing caught
	Status      int    // the exit status that a script would have
	Exited      bool   // by sys.exit
	Launches    int    // of kernels
	Took        time.Duration
}

// New makes a run of a document. Nothing has run yet.
func New(doc *document.Document, o Options) *Run {
	if o.Emit == nil {
		o.Emit = func(Event) {}
	}
	if o.MaxOutput == 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	r := &Run{doc: doc, o: o, ctx: context.Background(), ran: map[*source.File]document.Cell{}}
	r.files = files{below: o.Host.Files, written: map[string][]byte{}}
	r.log.keep = o.Keep
	h := o.Host
	text, _, _ := doc.Program()
	asked, wrong := triton.Requested(text.Text)
	h.Triton, r.wrongVersion = h.Triton.Or(asked), wrong != 0
	h.Libraries, h.Notebook = host.AllLibraries(), !o.Script
	h.Stdout, h.Stderr = stream{r, "stdout"}, stream{r, "stderr"}
	h.Display, h.Files = r.display, r.files
	h.Stop = func() bool { return o.Host.Stop != nil && o.Host.Stop() || r.ctx.Err() != nil }
	if o.Launcher != nil {
		o.Launcher.Triton = h.Triton
		h.Launcher = logged{o.Launcher, r}
	}
	h.Measured = func(m host.Measurement) { r.o.Emit(Event{Kind: Measured, Cell: r.out.cell, Sweep: m}) }
	h.Ranked = func(order host.Ranking) { r.o.Emit(Event{Kind: Ranked, Cell: r.out.cell, Order: order}) }
	h.Ranking = func(done, total int) {
		r.o.Emit(Event{Kind: Ranking, Cell: r.out.cell, Steps: Steps{done, total}})
	}
	r.session = host.New(h)
	return r
}

// Sources are the texts that have run, for the places of diagnostics and launches.
func (r *Run) Sources() *source.Set { return r.session.Sources() }

// Ran is the file of Sources that holds an offset, and the cell as it was when that file ran. ok is false for other
// sources, such as modules.
func (r *Run) Ran(offset int32) (file *source.File, cell document.Cell, ok bool) {
	if file = r.Sources().File(source.Span{Start: offset, End: offset}); file != nil {
		cell, ok = r.ran[file]
	}
	return file, cell, ok
}

// Tensor is the tensor that a variable of the document holds.
func (r *Run) Tensor(name string) (*tensor.Tensor, bool) {
	v, _ := r.session.Global(name)
	return host.AsTensor(v)
}

// All runs the cells of code in order, until one ends the document: by sys.exit, by a failure in a script, or because
// ctx is done. The status is that of the document's process.
func (r *Run) All(ctx context.Context) (status int) {
	for _, c := range r.doc.Cells {
		if c.Kind != document.Code {
			continue
		}
		result := r.Cell(ctx, c)
		switch {
		case result.Exited || r.o.Script && result.Status != 0:
			return result.Status
		case ctx.Err() != nil:
			return 1
		}
		status = max(status, result.Status)
	}
	return status
}

// Cell runs one cell, which may have run before, and replaces its outputs.
func (r *Run) Cell(ctx context.Context, c *document.Cell) Result {
	start := time.Now()
	r.ctx = ctx
	if r.o.Launcher != nil {
		r.o.Launcher.Context = ctx
	}
	r.count++
	c.Count, c.Outputs = r.count, nil
	code := document.CodeOf(c.Source)
	r.out = &output{cell: c, emit: r.o.Emit, left: r.o.MaxOutput, quiet: code.Quiet, lang: r.Lang}
	r.log.begin(c)
	before := r.log.number
	r.o.Emit(Event{Kind: Started, Cell: c})
	result := r.run(c, code)
	r.out.end()
	result.Took, result.Launches = time.Since(start), r.log.number-before
	r.o.Emit(Event{Kind: Ended, Cell: c, Result: &result})
	return result
}

// run runs a cell's code and collects how it ended.
func (r *Run) run(c *document.Cell, code document.PythonCode) (result Result) {
	_, line := r.doc.Place(c)
	file := r.Sources().Add(r.doc.File(c, code))
	r.ran[file] = *c
	result.Diagnostics = code.Diagnostics(file, line)
	if r.wrongVersion {
		followed := r.o.Host.Triton
		said := compiler.RequestedVersion(file, &followed)
		result.Diagnostics = append(result.Diagnostics, said...)
		r.wrongVersion = len(said) == 0
	}
	for _, o := range code.Shows {
		r.out.show(o)
	}
	if code.File != "" {
		r.out.write("stdout", r.files.write(code))
	}
	if r.o.Tests {
		if r.end(&result, r.session.LoadConftests()); result.Status != 0 {
			return result
		}
	}
	out := r.session.Run(file)
	r.end(&result, out)
	if out.Value != nil && !r.o.Script && result.Status == 0 {
		r.out.value = true
		r.end(&result, r.session.Show(out.Value))
	}
	if r.o.Tests && result.Status == 0 && !result.Exited {
		r.end(&result, r.session.RunTests())
	}
	if at := r.session.EndCell(!r.o.Script); at.Status != 0 {
		r.end(&result, at)
	}
	return result
}

// end adds an outcome of the session to a result.
func (r *Run) end(result *Result, out host.Outcome) {
	if l := r.o.Launcher; l != nil {
		result.Diagnostics.AddNew(l.Said...)
		l.Said = nil
	}
	result.Diagnostics = append(result.Diagnostics, out.Diagnostics...)
	result.Status, result.Exited = out.Status, out.Exited
	if result.Traceback = out.Traceback; result.Traceback != "" {
		class, message := lastLine(result.Traceback)
		lines := strings.Split(strings.TrimSuffix(result.Traceback, "\n"), "\n")
		r.out.fail(document.Failed(class, message, lines...))
	}
}

// lastLine is the class and the message in a traceback's last line, the first after the frames that is not indented.
func lastLine(traceback string) (class, message string) {
	const begins = "Traceback (most recent call last):\n"
	_, text, found := cutLast(traceback, begins)
	if !found {
		text = traceback
	}
	for strings.HasPrefix(text, " ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	class, message, _ = strings.Cut(strings.TrimSuffix(text, "\n"), ": ")
	return class, message
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
