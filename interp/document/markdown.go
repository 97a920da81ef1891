package document

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// A Markdown document: fences with Python in them are cells of code, a fence "output" right after one holds what the
// cell has printed, and everything else is prose, kept as it is.
var (
	fence = pattern{text: "^([ \\t]*)(`{3,}|~{3,})([^`\\r\\n]*)"}
	front = pattern{text: `\A---[ \t\r]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t\r]*(?:\n|\z)`}
	// pythonFences and outputFences are the languages of fences; "code-cell" is MyST's.
	pythonFences = []string{"python", "python3", "py", "py3", "ipython", "ipython3", "code-cell"}
	outputFences = []string{"output", "out"}
	promptFences = []string{"pycon", "doctest"}
)

// block is one fence with the lines in it, each with its line break.
type block struct {
	open     string
	indent   string
	run      string // the backquotes or tildes
	language string
	lines    []string
	close    string
}

func parseMarkdown(d *Document, text string) *diag.Diagnostic {
	if head := front.re().FindString(text); head != "" {
		d.head += head
		text = text[len(head):]
	}
	p := markdown{d: d, line: 1 + strings.Count(d.head, "\n")}
	lines := slices.Collect(strings.Lines(text))
	for i := 0; i < len(lines); {
		b, n := blockAt(lines[i:])
		p.add(b, lines[i:i+n])
		i += n
	}
	p.flush()
	return nil
}

// blockAt is the fence that the first of lines opens, with the number of its lines; one line and nil where none does.
func blockAt(lines []string) (*block, int) {
	m := fence.re().FindStringSubmatch(lines[0])
	if m == nil {
		return nil, 1
	}
	b := &block{open: lines[0], indent: m[1], run: m[2], language: languageOf(m[3])}
	for i, l := range lines[1:] {
		closing := strings.TrimSpace(l)
		if len(closing) >= len(b.run) && strings.Trim(closing, b.run[:1]) == "" {
			b.lines, b.close = lines[1:i+1], l
			return b, i + 2
		}
	}
	b.lines = lines[1:]
	return b, len(lines)
}

// languageOf is the language of a fence's info string: of "python title=x", "{python}", "{.python .numbered}" and
// "{code-cell} ipython3".
func languageOf(info string) string {
	between := func(r rune) bool { return strings.ContainsRune("{}.,:= \t", r) }
	words := strings.FieldsFunc(strings.ToLower(info), between)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// markdown collects the cells of a document: prose gathers lines until a fence of Python ends it.
type markdown struct {
	d     *Document
	line  int // of the file, next
	prose []string
	start int // the line of the file on which prose begins
}

func (p *markdown) add(b *block, lines []string) {
	switch {
	case b != nil && slices.Contains(pythonFences, b.language):
		p.flush()
		p.code(b)
	case b != nil && slices.Contains(promptFences, b.language):
		p.flush()
		p.transcript(b)
	case b != nil && slices.Contains(outputFences, b.language) && p.answers():
		p.output(b)
	default:
		if len(p.prose) == 0 {
			p.start = p.line
		}
		p.prose = append(p.prose, lines...)
	}
	p.line += len(lines)
}

// last is the cell before what is being read, nil if there is none.
func (p *markdown) last() *Cell {
	if len(p.d.Cells) == 0 {
		return nil
	}
	return p.d.Cells[len(p.d.Cells)-1]
}

// flush makes the prose so far a cell; empty lines alone belong to what is before them.
func (p *markdown) flush() {
	text := strings.Join(p.prose, "")
	p.prose = nil
	body := strings.Trim(text, " \t\r\n")
	switch last := p.last(); {
	case text == "":
	case body == "" && last != nil:
		last.was.tail += text
	case body == "":
		p.d.head += text
	default:
		at := strings.Index(text, body)
		at = strings.LastIndexByte(text[:at], '\n') + 1 // the indentation of the first line is part of it
		body = strings.TrimRight(text[at:], " \t\r\n")
		p.d.Cells = append(p.d.Cells, &Cell{Kind: Prose, Line: p.start + strings.Count(text[:at], "\n"),
			Source: plain(body), was: &written{lead: text[:at], body: body, tail: text[at+len(body):]}})
	}
}

func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func (p *markdown) code(b *block) {
	if len(b.lines) > 0 && strings.HasPrefix(strings.TrimSpace(b.lines[0]), ">>>") {
		p.transcript(b)
		return
	}
	raw := strings.Join(b.lines, "")
	body := strings.TrimRight(raw, "\r\n")
	lines := strings.Split(plain(body), "\n")
	for i, l := range lines {
		lines[i] = dedent(l, b.indent)
	}
	p.d.Cells = append(p.d.Cells, &Cell{Kind: Code, Source: strings.Join(lines, "\n"), Line: p.line + 1,
		was: &written{lead: b.open, body: body, close: raw[len(body):] + b.close, indent: b.indent}})
}

// transcript makes cells of a session in a fence. The fence's lines stay with the first and the last of them.
func (p *markdown) transcript(b *block) {
	cells, head := transcript(b.lines, p.line+1)
	if len(cells) == 0 {
		p.prose, p.start = slices.Concat([]string{b.open}, b.lines, []string{b.close}), p.line
		return
	}
	cells[0].was.lead = b.open + head + cells[0].was.lead
	cells[len(cells)-1].was.tail += b.close
	p.d.Cells = append(p.d.Cells, cells...)
}

// answers reports whether nothing but empty lines is between a fence and the cell of code before it.
func (p *markdown) answers() bool {
	last := p.last()
	return strings.TrimSpace(strings.Join(p.prose, "")) == "" && last != nil && last.Kind == Code &&
		last.was.outs == "" && last.was.continuation == ""
}

func (p *markdown) output(b *block) {
	last := p.last()
	raw := strings.Join(b.lines, "")
	last.was.outs = strings.Join(p.prose, "") + b.open + raw + b.close
	p.prose = nil
	last.Outputs = []Output{Stream("stdout", plain(raw))}
}

// dedent takes as much of the indentation of a fence from a line as the line has.
func dedent(line, indent string) string {
	n := 0
	for n < len(indent) && n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return line[n:]
}

// unfenced reports whether a cell's new source would end the fence that it was written in.
func unfenced(c *Cell) bool {
	if c.Kind != Code || c.was == nil {
		return false
	}
	m := fence.re().FindStringSubmatch(c.was.lead)
	return m != nil && c.Source != c.was.source && strings.Contains(c.Source, m[2])
}

// freshFence is how a new cell is written. The fence is longer than any run of backquotes in the source.
func freshFence(c *Cell) *written {
	if c.Kind != Code {
		return &written{tail: "\n\n"}
	}
	run := "```"
	for strings.Contains(c.Source, run) {
		run += "`"
	}
	return &written{lead: run + "python\n", close: "\n" + run + "\n", tail: "\n"}
}

func fencedBody(c *Cell, w *written) string {
	if w.continuation != "" {
		return promptedBody(c, w)
	}
	if c.Kind != Code || w.indent == "" {
		return strings.TrimRight(c.Source, "\n")
	}
	lines := strings.Split(strings.TrimRight(c.Source, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = w.indent + l
		}
	}
	return strings.Join(lines, "\n")
}

func fencedOutputs(c *Cell, w *written) string {
	if w.continuation != "" {
		return transcriptOutputs(c, w)
	}
	text := outputText(c.Outputs)
	if text == "" {
		return ""
	}
	run := "```"
	for strings.Contains(text, run) {
		run += "`"
	}
	return "\n" + run + "output\n" + text + run + "\n"
}
