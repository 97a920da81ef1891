// Package document reads and writes what people keep their programs in: Python scripts with or without cells,
// Jupyter notebooks, Markdown with fenced code, and the text of a session that was copied out of a terminal or a page.
//
//	Parse ─► Document{Cells} ─ Encode ─► the same bytes, but for the cells that changed
//
// A cell remembers how it was written in its file, and Encode copies that text for as long as the cell says the same.
package document

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// Limits of a document.
const (
	MaxBytes = 64 << 20
	MaxCells = 10_000
)

// Format is a way to write a document down.
type Format string

// The formats.
const (
	Python     Format = "python"     // a script; lines "# %%" begin cells
	Notebook   Format = "notebook"   // Jupyter's .ipynb
	Markdown   Format = "markdown"   // prose with fenced code
	Transcript Format = "transcript" // a session with its prompts: In [1]:, >>>
)

// Kind is what a cell holds, in the words of Jupyter's format.
type Kind string

// The kinds of cells.
const (
	Code  Kind = "code"
	Prose Kind = "markdown"
	Raw   Kind = "raw"
)

// Document is a list of cells. Name is that of its file; Format is the one that it was read from.
type Document struct {
	Name   string
	Format Format
	Cells  []*Cell

	text     string    // as read; "" for a document that was not read
	cells    []*Cell   // as read
	head     string    // before the first cell: a byte order mark, the header of jupytext
	newline  string    // "\n" or "\r\n"
	notebook *notebook // of the format Notebook
}

// Cell is one cell. Source has "\n" between lines, and none at its end in the formats that are text.
type Cell struct {
	Kind    Kind
	Source  string
	Outputs []Output
	Count   int    // the execution count, In [Count]; 0 if there is none
	ID      string // of a notebook's cell; "" elsewhere
	Line    int    // the line of the file on which Source begins; 0 in a notebook

	was *written // how the cell was read; nil for a new one
}

// written is a cell as its file has it: what it says, and the text that says so.
type written struct {
	kind    Kind
	source  string
	outputs []Output
	count   int

	lead  string // a line "# %%", an opening fence, a prompt
	body  string // the source
	close string // a closing fence
	outs  string // the outputs
	tail  string // empty lines up to the next cell

	indent       string // before each line of a fenced body
	continuation string // before each further line of a transcript's body
	json         string // a notebook's cell
}

// extensions are the formats of file names.
var extensions = map[string]Format{
	".py": Python, ".pyw": Python, ".ipynb": Notebook, ".md": Markdown, ".markdown": Markdown, ".mdx": Markdown,
	".qmd": Markdown, ".rmd": Markdown,
}

var (
	looksLikeJSON       = pattern{text: `\A\s*\{\s*"`}
	looksLikeTranscript = pattern{text: `(?m)\A\s*>>>( |$)|^[ \t]*In \[[\d *]*\]:`}
	looksLikeMarkdown   = pattern{text: "(?m)^[ \t]*(```+|~~~+)[ \t]*\\{?\\.?(python|py|ipython|pycon)"}
)

// Detect is the format of a file: that of its name's extension, or else the one that its text looks like.
func Detect(name, text string) Format {
	if f, ok := extensions[strings.ToLower(path.Ext(name))]; ok {
		return f
	}
	switch {
	case looksLikeJSON.re().MatchString(text) && strings.Contains(text, `"nbformat"`):
		return Notebook
	case looksLikeTranscript.re().MatchString(text):
		return Transcript
	case looksLikeMarkdown.re().MatchString(text):
		return Markdown
	}
	return Python
}

// parsers fill a document of each format from its text. This is no global, which every program would link.
func parsers() map[Format]func(d *Document, text string) *diag.Diagnostic {
	return map[Format]func(d *Document, text string) *diag.Diagnostic{
		Python: parsePython, Notebook: parseNotebook, Markdown: parseMarkdown, Transcript: parseTranscript,
	}
}

// Parse reads a document. Where it cannot be read, the document is nil and the list, whose places lie in a source.File
// of that name and text, says why.
func Parse(name, text string) (*Document, diag.List) {
	return ParseAs(Detect(name, text), name, text)
}

// ParseAs is Parse for a format that the caller knows.
func ParseAs(format Format, name, text string) (*Document, diag.List) {
	d := &Document{Name: name, Format: format, text: text, newline: "\n"}
	if wrong := d.read(text); wrong != nil {
		return nil, diag.List{wrong}
	}
	d.cells = append([]*Cell{}, d.Cells...) // not nil, which is a document that was not read
	return d, nil
}

func (d *Document) read(text string) *diag.Diagnostic {
	if len(text) > MaxBytes {
		return diag.New("document-size", source.Span{}, len(text)>>20, MaxBytes>>20)
	}
	if at := invalid(text); at >= 0 {
		return diag.New("document-encoding", span(at, at), at)
	}
	const mark = "\ufeff"
	if rest, ok := strings.CutPrefix(text, mark); ok {
		text, d.head = rest, mark
	}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.newline = "\r\n"
	}
	if wrong := parsers()[d.Format](d, text); wrong != nil {
		// A place in the text after the mark is 3 bytes further on in the file.
		wrong.Primary.Span.Start += int32(len(d.text) - len(text))
		wrong.Primary.Span.End += int32(len(d.text) - len(text))
		return wrong
	}
	if len(d.Cells) > MaxCells {
		return diag.New("document-cells", source.Span{}, len(d.Cells), MaxCells)
	}
	for _, c := range d.Cells {
		w := c.was
		w.kind, w.source, w.outputs, w.count = c.Kind, c.Source, append([]Output(nil), c.Outputs...), c.Count
	}
	return nil
}

// invalid is the offset of the first byte that is not UTF-8, -1 if all are.
func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

func span(start, end int) source.Span { return source.Span{Start: int32(start), End: int32(end)} }

// New makes a document of cells, to be written in a format.
func New(name string, format Format, cells ...*Cell) *Document {
	return &Document{Name: name, Format: format, Cells: cells, newline: "\n"}
}

// As is the document in another format. Its cells are copies.
func (d *Document) As(name string, format Format) *Document {
	out := New(name, format)
	for _, c := range d.Cells {
		clone := *c
		clone.was, clone.Line = nil, 0
		if format == Notebook && c.Kind == Prose && strings.TrimSpace(c.Source) == "" {
			continue
		}
		out.Cells = append(out.Cells, &clone)
	}
	return out
}

// Script is the document as one cell, as Python itself would run its file: a Python document's whole text.
// Documents of other formats are what they are.
func (d *Document) Script() *Document {
	if d.Format != Python || len(d.Cells) < 2 && d.head == "" {
		return d
	}
	return New(d.Name, Python, &Cell{Kind: Code, Source: plain(strings.TrimPrefix(d.Encode(), "\ufeff")), Line: 1})
}

// changed reports whether a cell says something else than its file.
func (c *Cell) changed() bool {
	return c.was == nil || c.Kind != c.was.kind || c.Source != c.was.source || c.Count != c.was.count ||
		!sameOutputs(c.Outputs, c.was.outputs)
}

// Changed reports whether the document says something else than its file.
func (d *Document) Changed() bool {
	return d.cells == nil || !slices.Equal(d.Cells, d.cells) || slices.ContainsFunc(d.Cells, (*Cell).changed)
}

// Encode is the document's text in its format: byte for byte that of its file wherever nothing has changed.
func (d *Document) Encode() string {
	switch {
	case !d.Changed():
		return d.text
	case d.Format == Notebook:
		return d.encodeNotebook()
	}
	var b strings.Builder
	b.WriteString(d.head)
	for i, c := range d.Cells {
		w := c.was
		if w == nil || c.Kind != w.kind || d.Format == Markdown && unfenced(c) {
			w = writers()[d.Format].fresh(c)
		}
		// What was the last cell of its file may have ended without a line break.
		if i > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteString(d.newline)
		}
		d.encodeCell(&b, c, w)
	}
	return b.String()
}

// writer is how a format of plain text writes cells.
type writer struct {
	fresh   func(c *Cell) *written           // of a cell that has not been in a file
	body    func(c *Cell, w *written) string // its source
	outputs func(c *Cell, w *written) string // its outputs
}

// writers are those of the formats of plain text.
func writers() map[Format]writer {
	return map[Format]writer{
		Python:     {freshPython, pythonBody, func(*Cell, *written) string { return "" }},
		Markdown:   {freshFence, fencedBody, fencedOutputs},
		Transcript: {freshPrompt, promptedBody, transcriptOutputs},
	}
}

func (d *Document) encodeCell(b *strings.Builder, c *Cell, w *written) {
	fresh := func(text string) { b.WriteString(strings.ReplaceAll(text, "\n", d.newline)) }
	kept := c.was == w
	b.WriteString(w.lead)
	if kept && c.Source == w.source {
		b.WriteString(w.body)
	} else {
		fresh(writers()[d.Format].body(c, w))
	}
	b.WriteString(w.close)
	if kept && sameOutputs(c.Outputs, w.outputs) {
		b.WriteString(w.outs)
	} else {
		fresh(writers()[d.Format].outputs(c, w))
	}
	b.WriteString(w.tail)
}

// Place is where the source of a cell lies, in the words of messages: the name of the file, and the line of it on which
// the source begins. A notebook's cells are files of their own: "a.ipynb:cell 3".
func (d *Document) Place(c *Cell) (file string, line int) {
	if d.Format == Notebook || c.Line == 0 {
		return d.Name + ":cell " + itoa(slices.Index(d.Cells, c)+1), 1
	}
	return d.Name, c.Line
}
