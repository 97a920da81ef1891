package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// The prompts of IPython, with and without code on their line, of JupyterLab's margin, and of Python's console.
var (
	inPrompt  = pattern{text: `^[ \t]*(?:In )?\[([\d *]*)\]:[ \t]?(.*)$`}
	outPrompt = pattern{text: `^[ \t]*Out\[([\d *]*)\]:[ \t]?(.*)$`}
	dots      = pattern{text: `^[ \t]*\.\.\.:[ ]?(.*)$`}
	console   = pattern{text: `^[ \t]*>>>(?: (.*)|)$`}
	moreOfIt  = pattern{text: `^[ \t]*\.\.\.(?: (.*)|)$`}
)

func parseTranscript(d *Document, text string) *diag.Diagnostic {
	cells, head := transcript(slices.Collect(strings.Lines(text)), 1+strings.Count(d.head, "\n"))
	d.head += head
	d.Cells = cells
	return nil
}

// example is one prompt with the lines up to the next.
type example struct {
	lines   []string // with their line breaks; the prompt's first
	line    int      // of the file
	console bool     // >>> rather than In [1]:
	count   int
	first   string // the code on the prompt's line
}

// transcript makes a cell of each prompt in lines, the first of which is a given line of the file. head is what comes
// before the first prompt.
func transcript(lines []string, line int) (cells []*Cell, head string) {
	var examples []*example
	dotted := false // the session marks the further lines of a cell
	for i, raw := range lines {
		l := strings.TrimRight(raw, "\r\n")
		dotted = dotted || dots.re().MatchString(l)
		e := &example{line: line + i}
		if m := console.re().FindStringSubmatch(l); m != nil {
			e.console, e.first = true, m[1]
		} else if m := inPrompt.re().FindStringSubmatch(l); m != nil && (m[2] == "" || namesIn(l)) {
			e.count, _ = strconv.Atoi(strings.TrimSpace(m[1]))
			e.first = m[2]
		} else if len(examples) == 0 {
			head += raw
			continue
		} else {
			e = examples[len(examples)-1]
			e.lines = append(e.lines, raw)
			continue
		}
		e.lines = []string{raw}
		examples = append(examples, e)
	}
	for _, e := range examples {
		cells = append(cells, e.cell(dotted))
	}
	return cells, head
}

// cell divides an example into its code, what it printed, and empty lines.
func (e *example) cell(dotted bool) *Cell {
	code, lead, skipped := e.code(dotted)
	w := &written{lead: lead, continuation: "   ...: "}
	if e.console {
		w.continuation = "... "
	}
	n := skipped + len(code)
	raw := strings.Join(e.lines[:n], "")
	w.body = strings.TrimRight(raw[len(lead):], "\r\n")
	rest := strings.Join(e.lines[n:], "")
	w.close = raw[len(lead)+len(w.body):]
	w.outs = strings.TrimRight(rest, " \t\r\n")
	if w.outs != "" { // the line break is part of what was printed
		w.outs += rest[len(w.outs):][:strings.Index(rest[len(w.outs):]+"\n", "\n")]
		if len(w.outs) < len(rest) {
			w.outs += "\n"
		}
	}
	w.tail = rest[len(w.outs):]
	return &Cell{Kind: Code, Source: strings.TrimRight(strings.Join(code, "\n"), "\n"), Count: e.count,
		Line: e.line + skipped, Outputs: readOutputs(plain(w.outs)), was: w}
}

// namesIn reports whether a prompt is "In [1]:", and not the "[1]:" alone that a page may leave of one.
func namesIn(prompt string) bool { return strings.Contains(prompt[:strings.Index(prompt, "[")], "In") }

// code is an example's lines of code without their prompts, the text before the first of them, and how many whole lines
// that text is.
func (e *example) code(dotted bool) (code []string, lead string, skipped int) {
	rest := make([]string, 0, len(e.lines))
	for _, l := range e.lines[1:] {
		l = strings.TrimRight(l, "\r\n")
		if outPrompt.re().MatchString(l) {
			break
		}
		rest = append(rest, l)
	}
	first := strings.TrimRight(e.lines[0], "\r\n")
	switch {
	case e.console:
		return append([]string{e.first}, continued(rest, &moreOfIt)...), first[:len(first)-len(e.first)], 0
	case e.first == "" && len(rest) > 0 && !dots.re().MatchString(rest[0]):
		// The prompt has a line of its own, and empty lines may follow it.
		lead, skipped = e.lines[0], 1
		for len(rest) > 0 && strings.TrimSpace(rest[0]) == "" {
			lead += e.lines[skipped]
			rest = rest[1:]
			skipped++
		}
		n := parsing(rest)
		if n == 0 {
			n = len(rest)
		}
		return trimmed(rest[:n]), lead, skipped
	}
	lead = first[:len(first)-len(e.first)]
	more := continued(rest, &dots)
	if len(more) == 0 && !dotted {
		all := append([]string{e.first}, rest...)
		// Without marks, what follows is code if the first line alone is not, or if it does more than show values.
		if n := parsing(all); n > 1 && (parsing(all[:1]) == 0 || indented(all[1]) || acts(all[1:n])) {
			return trimmed(all[:n]), lead, 0
		}
	}
	return append([]string{e.first}, more...), lead, 0
}

// continued are the lines that have the prompt of a further line, up to the first that has not.
func continued(lines []string, prompt *pattern) (code []string) {
	for _, l := range lines {
		m := prompt.re().FindStringSubmatch(l)
		if m == nil {
			break
		}
		code = append(code, m[1])
	}
	return code
}

// trimmed is lines without the empty ones at the end.
func trimmed(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func indented(line string) bool { return line != strings.TrimLeft(line, " \t") }

// maxCuts bounds how often parsing looks for a shorter part.
const maxCuts = 64

// parsing is how many of the first lines are Python; 0 if no part is.
func parsing(lines []string) int {
	n := len(lines)
	for cuts := 0; n > 0 && cuts < maxCuts; cuts++ {
		wrong := firstError(lines[:n])
		if wrong == 0 {
			return n
		}
		n = min(n, wrong) - 1
	}
	return 0
}

func parse(lines []string) (*source.File, *syntax.Module, diag.List) {
	f := source.NewFile("", CodeOf(strings.Join(lines, "\n")).Text)
	m, list := syntax.Parse(f)
	return f, m, list
}

// firstError is the line, from 1, of the first syntax error in lines; 0 if there is none.
func firstError(lines []string) int {
	f, _, list := parse(lines)
	first := 0
	for _, d := range list {
		if line := f.Position(d.Primary.Span.Start).Line; d.Severity == diag.Error && (first == 0 || line < first) {
			first = line
		}
	}
	return first
}

// acts reports whether a statement of lines is other than an expression: an expression may be a value that was printed.
func acts(lines []string) bool {
	_, m, _ := parse(lines)
	return m != nil && slices.ContainsFunc(m.Body, func(s syntax.Stmt) bool {
		_, shows := s.(*syntax.ExprStmt)
		return !shows
	})
}

// readOutputs are the outputs in the text after a cell: what it printed, and its value after "Out[3]:".
func readOutputs(text string) []Output {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	at := 0
	for l := range strings.Lines(text) {
		if m := outPrompt.re().FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil {
			count, _ := strconv.Atoi(strings.TrimSpace(m[1]))
			value := strings.TrimPrefix(m[2]+text[at+len(strings.TrimRight(l, "\n")):], "\n")
			result := Shown("execute_result", MIME{"text/plain", strings.TrimSuffix(value, "\n")})
			result.Count = count
			if strings.TrimSpace(text[:at]) == "" {
				return []Output{result}
			}
			return []Output{Stream("stdout", text[:at]), result}
		}
		at += len(l)
	}
	return []Output{Stream("stdout", text)}
}

func freshPrompt(c *Cell) *written {
	number := " "
	if c.Count > 0 {
		number = itoa(c.Count)
	}
	lead := "In [" + number + "]: "
	further := strings.Repeat(" ", max(0, len(lead)-5)) + "...: " // as wide as lead
	return &written{lead: lead, close: "\n", tail: "\n", continuation: further}
}

// promptedBody is a cell's source with a prompt before each further line. A prompt on a line of its own needs none.
func promptedBody(c *Cell, w *written) string {
	text := strings.TrimRight(c.Source, "\n")
	if strings.HasSuffix(w.lead, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines[1:] {
		lines[i+1] = strings.TrimRight(w.continuation+lines[i+1], " ")
	}
	return strings.Join(lines, "\n")
}

func transcriptOutputs(c *Cell, w *written) string {
	if w.continuation == "... " {
		return outputText(c.Outputs)
	}
	var b strings.Builder
	for _, o := range c.Outputs {
		if o.Kind == "execute_result" {
			b.WriteString("Out[" + itoa(max(o.Count, c.Count)) + "]: ")
		}
		b.WriteString(o.text())
	}
	return b.String()
}

func itoa(n int) string { return strconv.Itoa(n) }
