package host

import (
	"errors"
	"hash"
	"image"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/tensor"
)

// The limits of Options that are zero.
const (
	DefaultMaxSteps = 20_000_000
	DefaultMaxItems = 1 << 26
	DefaultMaxDepth = 1000 // CPython's recursion limit
)

// Options say what a session may use, and what each of its runs may spend.
type Options struct {
	Stdout  io.Writer     // where print writes; nil discards
	Stderr  io.Writer     // sys.stderr; nil discards
	Display func(Display) // takes what display() and plt.show() show; nil prints its text
	// Draw makes a picture of a figure, in the format of a file's extension: ".svg" or ".png". nil draws none.
	Draw      func(f *figure.Figure, extension string) ([]byte, error)
	Measured  func(Measurement)     // hears of each measurement of a sweep; nil hears nothing
	Ranked    func(Ranking)         // hears of each order that Tune makes; nil hears nothing
	Ranking   func(d, n int)        // hears that d of n estimates for an order are made, last n of n; nil hears nothing
	Sweeping  func(SweepPoint) bool // asked before each point of a sweep; false leaves out the rest; nil measures all
	Tune      int                   // configs that autotune times: those that an Estimator puts first; 0 is all
	Files     Files                 // sibling modules and data files; nil has none
	Libraries Libraries             // modules that come with newt
	Launcher  Launcher              // runs kernels; nil refuses launches
	Tensors   *tensor.Context       // nil makes one with the default limits
	Argv      []string              // sys.argv
	Folder    string                // the absolute path of the document's folder; "" is DefaultFolder
	Path      []string              // folders of modules behind the document's own, absolute: the rest of sys.path
	Notebook  bool                  // the document is one of cells, which IPython would run
	Name      string                // the document's __name__; "" is "__main__"
	Package   string                // the dotted package that the document is a module of, "" for none
	Environ   map[string]string     // variables of os.environ besides those that every script may expect
	Triton    triton.Version        // the version that triton.__version__ names
	Codecs    Codecs                // hash functions and picture formats; nil has none
	Stop      func() bool           // asked now and then; true ends the run
	MaxSteps  int64                 // statements and calls
	MaxItems  int64                 // items of lists, tuples, dicts and bytes of text made
	MaxDepth  int                   // nested calls

	// CompileConfigs asks for all configs of a kernel under autotune to be compiled where none is timed: one that
	// Triton does not pass over fails as it would there.
	CompileConfigs bool
}

// Codecs are the hash functions and the picture formats of Python's libraries; codec.Go has them. Pictures are read by
// package image, which knows the formats that the program registers.
type Codecs interface {
	Hash(name string) (hash.Hash, bool) // a new hash by its name in hashlib
	EncodePNG(w io.Writer, p image.Image) error
	EncodeJPEG(w io.Writer, p image.Image, quality int) error // from 1 to 100
}

// noCodecs are the Codecs of a program that has none.
type noCodecs struct{}

var errNoCodec = errors.New("this program writes no pictures")

func (noCodecs) Hash(string) (hash.Hash, bool)                { return nil, false }
func (noCodecs) EncodePNG(io.Writer, image.Image) error       { return errNoCodec }
func (noCodecs) EncodeJPEG(io.Writer, image.Image, int) error { return errNoCodec }

// DefaultFolder is the folder of a document that has none on a disk.
const DefaultFolder = "/document"

// Files are the files that a document may read, by paths with slashes: relative to its folder for those in it and
// below, absolute for others. An error that is fs.ErrNotExist means that there is no such file. One that is a Lister as
// well can be listed, one that is a Sizer need not be read to learn what is there.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Sizer says how many bytes a file has. Of what is no file it gives the error that ReadFile does.
type Sizer interface {
	FileSize(name string) (int64, error)
}

// Lister lists the files of a folder, as fs.ReadDirFS does.
type Lister interface {
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Display is something shown, in the forms that it has; Text is always there.
type Display struct {
	Text     string // its repr
	HTML     string
	Markdown string
	Image    []byte
	MIME     string         // of Image: "image/png", "image/svg+xml", …
	Figure   *figure.Figure // a plot, which the script may go on to change
}

// Session is one run of a document: a namespace that its cells share, and the modules that they import. It is for one
// goroutine.
type Session struct{ m *machine }

// Outcome is how the run of a cell or a script ended.
type Outcome struct {
	Diagnostics diag.List // an error in it means that the run has failed; it is the last
	Traceback   string    // what Python prints about the exception that nothing caught; "" if none, or a plain exit
	Status      int       // the exit status: of sys.exit, 1 for other failures
	Exited      bool      // the run ended by sys.exit or its like
	Value       Value     // of the last statement, if it is an expression not silenced by ";" and not None
}

// New makes a session.
func New(o Options) *Session { return &Session{newMachine(o)} }

// Load runs one file in a new session. The session is nil where the file does not parse.
func Load(file *source.File, o Options) (*Session, diag.List) {
	s := New(o)
	out := s.Run(file)
	if s.m.budget.steps == 0 && out.Diagnostics.HasErrors() { // nothing has run
		return nil, out.Diagnostics
	}
	return s, out.Diagnostics
}

// Sources are the texts that have run; the spans of diagnostics and launches are places in them. A file
// that is added here before it runs keeps its spans.
func (s *Session) Sources() *source.Set { return &s.m.sources }

// Run parses, resolves and runs one cell or script among the globals of the session. What ran before
// a failure has happened, and the session goes on. Each run has a budget of its own.
func (s *Session) Run(file *source.File) (out Outcome) {
	m := s.m
	// A run has what its options say, whatever the runs before it have spent.
	m.budget.reset()
	file = m.sources.Add(file)
	var tree *syntax.Module
	var diags diag.List
	if e := m.exceptionOf(func() { tree, diags = syntax.Parse(file) }); e != nil { // a mistake in newt
		return m.runOutcome(func() { panic(e) }, &out)
	}
	if diags.HasErrors() {
		return Outcome{Diagnostics: diags, Traceback: syntaxErrorOf(m, diags), Status: 1}
	}
	// Each cell is a file of its own; the script of a plain run keeps its name.
	m.document = file.Name
	m.main.vars.put("__file__", python.Str(m.files.absolute(path.Base(file.Name))))
	var u *unit
	if e := m.exceptionOf(func() { u = newUnit(tree, m.main) }); e != nil {
		return m.runOutcome(func() { panic(e) }, &out)
	}
	for _, d := range u.said {
		if d.Severity == diag.Hint {
			diags.Add(d)
		}
	}
	out = m.runOutcome(func() { out.Value = m.runCell(u, tree.Body) }, &out)
	out.Diagnostics = append(diags, out.Diagnostics...)
	return out
}

// runOutcome runs f and says how it ended.
func (m *machine) runOutcome(f func(), out *Outcome) Outcome {
	list, failed := m.runGuarded(f)
	out.Diagnostics = list
	switch {
	case failed == nil:
	case failed.stop != nil:
		out.Status = 1
	case failed.exception.class.isA("SystemExit"):
		out.Exited, out.Status = true, exitStatus(failed.exception)
	default:
		out.Status, out.Traceback = 1, tracebackText(m, failed)
	}
	return *out
}

// runCell runs a unit; the value is that of its last statement, if it is to be shown.
func (m *machine) runCell(u *unit, body []syntax.Stmt) (shown Value) {
	last, ok := lastExpression(u.file, body)
	if !ok {
		m.runUnit(u, body)
		return nil
	}
	u.declare()
	f := m.topFrame(u)
	m.inFrame(f, func() {
		f.execBlock(body[:len(body)-1])
		m.at = last.Span()
		m.budget.countStep(m.at)
		shown = f.evalExpr(last.Value)
	})
	// A notebook shows nothing for None.
	if shown == none {
		return nil
	}
	return shown
}

// lastExpression is the statement whose value a notebook shows: the last, an expression without ";" after it.
func lastExpression(file *source.File, body []syntax.Stmt) (*syntax.ExprStmt, bool) {
	if len(body) == 0 {
		return nil, false
	}
	last, ok := body[len(body)-1].(*syntax.ExprStmt)
	if !ok {
		return nil, false
	}
	// The semicolon is no part of the statement's span: it follows after blanks and continued lines.
	rest := file.Slice(source.Span{Start: last.Span().End, End: file.Span().End})
	return last, !strings.HasPrefix(strings.TrimLeft(rest, " \t\\\r\n"), ";")
}

// Show displays a value as a notebook displays the last expression of a cell: its class may have a _repr_html_, a
// _repr_markdown_ and a __repr__, which may fail.
func (s *Session) Show(v Value) Outcome {
	out := &Outcome{}
	return s.m.runOutcome(func() { s.m.showDisplay(s.m.displayOf(v)) }, out)
}

// EndCell does what comes after a cell of a notebook, or at the end of a script: open figures are shown.
func (s *Session) EndCell(notebook bool) Outcome {
	out := &Outcome{}
	return s.m.runOutcome(func() {
		for _, f := range s.m.atEnd {
			f(s.m, notebook)
		}
	}, out)
}

// showDisplay hands something shown to whoever shows it, or prints its text.
func (m *machine) showDisplay(d Display) {
	if m.options.Display != nil {
		m.options.Display(d)
		return
	}
	m.writeText(m.options.Stdout, d.Text+"\n")
}

// displayOf asks a value for the forms in which it can be shown.
func (m *machine) displayOf(v Value) Display {
	d := Display{Text: m.reprOf(v)}
	if o, ok := v.(*Instance); ok {
		form := func(name string) string {
			if text, ok := m.callSpecial(o, name); ok && text != none {
				return m.strOf(text)
			}
			return ""
		}
		d.HTML, d.Markdown = form("_repr_html_"), form("_repr_markdown_")
		// Of several pictures the last is shown.
		pictures := []struct{ method, mime string }{{"_repr_jpeg_", "image/jpeg"}, {"_repr_png_", "image/png"}}
		for _, picture := range pictures {
			if data, ok := m.callSpecial(o, picture.method); ok && data != none {
				d.Image, d.MIME = []byte(mustBytes(data)), picture.mime
			}
		}
	}
	return d
}

// writeText prints a text.
func (m *machine) writeText(to io.Writer, text string) {
	m.budget.chargeItems(len(text))
	if _, err := io.WriteString(to, text); err != nil {
		limit("OSError", "the output is full")
	}
}

// Tensors is the context that the session's tensors belong to.
func (s *Session) Tensors() *tensor.Context { return s.m.tensors }

// Global finds a variable of the document.
func (s *Session) Global(name string) (Value, bool) { return s.m.main.vars.named(name) }

// SetGlobal binds a variable of the document.
func (s *Session) SetGlobal(name string, v Value) { s.m.main.vars.put(name, v) }

// Func finds a function of the document.
func (s *Session) Func(name string) (*Function, bool) {
	v, ok := s.Global(name)
	f, isFunction := v.(*Function)
	return f, ok && isFunction
}

// Call runs a function, or anything else that Python can call.
func (s *Session) Call(f Value, args ...Value) (v Value, d *diag.Diagnostic) {
	s.m.budget.reset()
	list, _ := s.m.runGuarded(func() { v = s.m.callValue(f, arguments{positional: args}) })
	return v, failure(list)
}

// Keyword is an argument that is passed by a parameter's name.
type Keyword struct {
	Name  string
	Value Value
}

// CallWith is Call with arguments by name.
func (s *Session) CallWith(f Value, keywords []Keyword) (v Value, d *diag.Diagnostic) {
	a := arguments{}
	for _, k := range keywords {
		a.add(k.Name, k.Value)
	}
	s.m.budget.reset()
	list, _ := s.m.runGuarded(func() { v = s.m.callValue(f, a) })
	return v, failure(list)
}

// Place is where the document's own text called what runs now.
func (s *Session) Place() source.Span { return s.m.callerPlace() }

// Signature is a function's parameters and annotations.
type Signature struct {
	Name   string
	Params []SignatureParam
	Return *Annotation // nil if there is none
}

// SignatureParam is one parameter. Annotation is nil where it has none, or one of another kind; Default is nil where
// the parameter has to be given.
type SignatureParam struct {
	Name       string
	Span       source.Span
	Annotation *Annotation
	Default    syntax.Expr
}

// Signature evaluates a function's annotations. A failing annotation is a diagnostic.
func (s *Session) Signature(f *Function) (sig Signature, d *diag.Diagnostic) {
	list, _ := s.m.runGuarded(func() {
		sig.Name = f.Name
		for _, p := range f.params.List {
			sig.Params = append(sig.Params,
				SignatureParam{p.Name, p.Loc, annotationOf(f, p.Annotation), p.Default})
		}
		if f.def != nil {
			sig.Return = annotationOf(f, f.def.Returns)
		}
	})
	return sig, failure(list)
}

func annotationOf(f *Function, e syntax.Expr) *Annotation {
	if e == nil {
		return nil
	}
	if a, ok := f.frame.evalExpr(e).(Annotation); ok {
		return &a
	}
	return nil
}

// FromTensor makes a tensor an argument for Call.
func FromTensor(t *tensor.Tensor) Value { return Tensor{t} }

// AsTensor is the tensor that a value is, or that triton.reinterpret made of one.
func AsTensor(v Value) (*tensor.Tensor, bool) {
	if w, ok := v.(tensorWrapper); ok {
		return w.as.Tensor, true
	}
	t, ok := v.(Tensor)
	return t.Tensor, ok
}
