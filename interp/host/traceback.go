package host

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// tracebackText is what Python 3.12 prints about an exception that nothing caught.
func tracebackText(m *machine, r *raised) string {
	t := &tracebackWriter{m: m, printed: map[*Exception]bool{}}
	t.chain(r.exception, append(r.trace, level{}))
	return t.String()
}

// syntaxErrorOf is what Python prints about a text that does not parse; the words are newt's.
func syntaxErrorOf(m *machine, list diag.List) string {
	for _, d := range list {
		if d.Severity == diag.Error {
			return syntaxErrorText(m, d)
		}
	}
	return ""
}

func syntaxErrorText(m *machine, d *diag.Diagnostic) string {
	file := m.sources.File(d.Primary.Span)
	at := file.Position(d.Primary.Span.Start)
	line := file.Slice(file.LineSpan(at.Line))
	text := strings.TrimSpace(line)
	indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeft(line, " \t\f"))
	// CPython marks one character at least, and nothing past the end of the line.
	width := max(1, min(utf8.RuneCountInString(file.Slice(d.Primary.Span)), utf8.RuneCountInString(text)))
	return fmt.Sprintf("  File %q, line %d\n    %s\n    %s%s\nSyntaxError: %s\n", file.Name, at.Line, text,
		strings.Repeat(" ", max(0, at.Column-1-indent)), strings.Repeat("^", width), d.In(diag.English).Headline)
}

// exitStatus is the exit status of SystemExit: its argument, 0 for none, 1 for what is no number.
func exitStatus(e *Exception) int {
	if len(e.args) == 0 || e.args[0] == none {
		return 0
	}
	if n, ok := python.AsInt(e.args[0]); ok {
		small, _ := n.Int64()
		return int(small & 0xff)
	}
	return 1
}

// suggestion is what the traceback adds to the message where a name is probably misspelt.
func (e *Exception) suggestion() string {
	if e.near == "" {
		return ""
	}
	return ". Did you mean: '" + e.near + "'?"
}

// tracebackWriter writes tracebacks.
type tracebackWriter struct {
	strings.Builder
	m       *machine
	printed map[*Exception]bool
}

const (
	causeLine   = "\nThe above exception was the direct cause of the following exception:\n\n"
	contextLine = "\nDuring handling of the above exception, another exception occurred:\n\n"
)

// chain writes what came before an exception, then the exception.
func (t *tracebackWriter) chain(e *Exception, trace []level) {
	t.printed[e] = true
	switch {
	case e.cause != nil && !t.printed[e.cause]:
		t.chain(e.cause, append(e.cause.trace, level{}))
		t.WriteString(causeLine)
	case e.context != nil && !e.suppress && !t.printed[e.context]:
		t.chain(e.context, append(e.context.trace, level{}))
		t.WriteString(contextLine)
	}
	// The last level is the place that ran the unit: no frame.
	if trace = trace[:len(trace)-1]; len(trace) > 0 {
		t.WriteString("Traceback (most recent call last):\n")
		t.levels(trace)
	}
	t.WriteString(exceptionLine(t.m, e) + "\n")
}

// exceptionLine is the last line of a traceback, with the notes below it.
func exceptionLine(m *machine, e *Exception) string {
	line := e.class.qualified()
	if text := m.messageOf(e) + e.suggestion(); text != "" {
		line += ": " + text
	}
	if notes, ok := e.attrs.at("__notes__").(*List); ok {
		for _, n := range notes.Items {
			line += "\n" + m.strOf(n)
		}
	}
	return line
}

// qualified is the class as tracebacks name it: with its module, unless that is the document or Python itself.
func (c *Class) qualified() string {
	if module, ok := c.attrs.at("__module__").(python.Str); ok && module != "__main__" && module != "builtins" {
		return string(module) + "." + c.Name
	}
	return c.Name
}

// messageOf is str(e) where a __str__ of the exception's class may fail.
func (m *machine) messageOf(e *Exception) (text string) {
	// A __str__ that fails must not hide the exception that is being reported.
	if m.exceptionOf(func() { text = m.strOf(e) }) != nil {
		return "<exception str() failed>"
	}
	return text
}

// maxRepeats is how often a level is written that repeats itself, as in a recursion.
const maxRepeats = 3

func (t *tracebackWriter) levels(trace []level) {
	// As traceback.c does: a level that is the same as the one before is written three times, then counted.
	repeated := 0
	for i := len(trace) - 1; i >= 0; i-- {
		if i+1 < len(trace) && t.same(trace[i], trace[i+1]) {
			repeated++
		} else {
			t.repeats(repeated)
			repeated = 0
		}
		if repeated < maxRepeats {
			t.level(trace[i])
		}
	}
	t.repeats(repeated)
}

func (t *tracebackWriter) same(a, b level) bool {
	f, g := t.m.sources.File(a.at), t.m.sources.File(b.at)
	return a.title == b.title && f == g && f.Position(a.at.Start).Line == g.Position(b.at.Start).Line
}

func (t *tracebackWriter) repeats(n int) {
	switch n -= maxRepeats - 1; {
	case n == 1:
		t.WriteString("  [Previous line repeated 1 more time]\n")
	case n > 1:
		fmt.Fprintf(t, "  [Previous line repeated %d more times]\n", n)
	}
}

// level writes a frame's place, its line, and the marks below it.
func (t *tracebackWriter) level(l level) {
	file := t.m.sources.File(l.at)
	at := file.Position(l.at.Start)
	fmt.Fprintf(t, "  File \"%s\", line %d, in %s\n", file.Name, at.Line, l.title)
	span := file.LineSpan(at.Line)
	line := strings.TrimRight(file.Slice(span), " \t\f\r")
	text := strings.TrimLeft(line, " \t\f")
	if text == "" || strings.HasPrefix(file.Name, "<") { // <string> has no lines to show
		return
	}
	t.WriteString("    " + text + "\n")
	segment := file.Slice(source.Span{Start: l.at.Start, End: min(l.at.End, span.Start+int32(len(line)))})
	marks := underline(segment, l.at.End <= span.End)
	if marks == strings.Repeat("^", utf8.RuneCountInString(text)) { // the whole line needs no marks
		return
	}
	indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(text)
	t.WriteString("    " + strings.Repeat(" ", max(0, at.Column-1-indent)) + marks + "\n")
}

// underline marks the part of a line that was evaluated: "^", and "~" under the operands of an operator and under what
// is subscripted, if the part is whole.
func underline(segment string, whole bool) string {
	marks := []byte(strings.Repeat("^", len(segment)))
	if from, to, ok := operatorOf(segment); whole && ok {
		for i := range marks {
			if i < from || i >= to {
				marks[i] = '~'
			}
		}
	}
	var b strings.Builder
	for i := range segment { // one mark a character
		b.WriteByte(marks[i])
	}
	return b.String()
}

// operatorOf finds the operator or the brackets of an expression that is an operation or a subscript.
func operatorOf(segment string) (from, to int, ok bool) {
	tree, said := syntax.Parse(source.NewFile("", segment))
	if said.HasErrors() || len(tree.Body) != 1 {
		return 0, 0, false
	}
	s, isExpr := tree.Body[0].(*syntax.ExprStmt)
	if !isExpr {
		return 0, 0, false
	}
	switch e := s.Value.(type) {
	case *syntax.BinOp:
		return int(e.OpSpan.Start), int(e.OpSpan.End), true
	case *syntax.Subscript:
		open := strings.IndexByte(segment[e.Value.Span().End:], '[')
		return int(e.Value.Span().End) + max(open, 0), int(e.Span().End), true
	}
	return 0, 0, false
}
