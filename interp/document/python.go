package document

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// markers are the comments that begin cells, after the "#". This is the percent format of Spyder, VS Code and jupytext:
// "# %%" begins a cell of code, "# %% [markdown]" one of prose in comments. nbconvert's "# In[3]:" begins a cell too.
// Text that would read as such a line gets a backslash.
const markers = `(?:%%+(?:[ \t\r].*)?|In\[[0-9 ]*\]:?[ \t\r]*|<codecell>[ \t\r]*)$`

var (
	marker    = pattern{text: `^#[ \t]*` + markers}
	escaped   = pattern{text: `(?m)^(#[ \t]*)\\(\\*` + markers + `)`}
	unescaped = pattern{text: `(?m)^(#[ \t]*)(\\*` + markers + `)`}
	kindMark  = pattern{text: `\[(markdown|md|raw)\]`}
	header    = pattern{text: `\A(?:#!.*\n|#.*coding[:=].*\n)*# ---[ \r]*\n(?:#.*\n)*?# ---[ \r]*(?:\n\s*|\z)`}
	quoted    = pattern{text: `(?s)\A[rR]?(?:"""(.*)"""|'''(.*)''')\z`}
)

func parsePython(d *Document, text string) *diag.Diagnostic {
	line := 1
	if head := header.re().FindString(text); head != "" {
		d.head += head
		text, line = text[len(head):], 1+strings.Count(head, "\n")
	}
	lead, start := "", 0
	flush := func(end int) {
		if lead == "" && strings.TrimSpace(text[:end]) == "" && end < len(text) {
			d.head += text[:end]
		} else {
			d.Cells = append(d.Cells, pythonCell(lead, text[start:end], line))
		}
		line += strings.Count(text[start:end], "\n")
	}
	at := 0
	for l := range strings.Lines(text) {
		if marker.re().MatchString(strings.TrimRight(l, "\n")) {
			flush(at)
			lead, start = l, at+len(l)
			line++
		}
		at += len(l)
	}
	flush(len(text))
	return nil
}

// pythonCell makes a cell of the lines after a marker, which begin on the line given.
func pythonCell(lead, text string, line int) *Cell {
	body := strings.TrimRight(text, " \t\r\n")
	c := &Cell{Kind: Code, Line: line, was: &written{lead: lead, body: body, tail: text[len(body):]}}
	c.Source = escaped.re().ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), "$1$2")
	if m := kindMark.re().FindStringSubmatch(lead); m != nil {
		c.Kind = Prose
		if m[1] == "raw" {
			c.Kind = Raw
		}
		c.Source = uncommented(c.Source)
	}
	return c
}

// uncommented is the text of a cell of prose, which is written in comments or as one string.
func uncommented(body string) string {
	if m := quoted.re().FindStringSubmatch(body); m != nil {
		return strings.Trim(m[1]+m[2], "\n")
	}
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		rest, ok := strings.CutPrefix(l, "#")
		if !ok {
			return body
		}
		lines[i] = strings.TrimPrefix(rest, " ")
	}
	return strings.Join(lines, "\n")
}

func freshPython(c *Cell) *written {
	lead := "# %%\n"
	if c.Kind != Code {
		lead = "# %% [" + string(c.Kind) + "]\n"
	}
	return &written{lead: lead, tail: "\n\n"}
}

func pythonBody(c *Cell, _ *written) string {
	text := strings.TrimRight(c.Source, "\n")
	if c.Kind != Code {
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			// Two spaces at the end of a line are Markdown's line break.
			if lines[i] = "#"; l != "" {
				lines[i] += " " + l
			}
		}
		text = strings.Join(lines, "\n")
	}
	return unescaped.re().ReplaceAllString(text, `$1\$2`)
}
