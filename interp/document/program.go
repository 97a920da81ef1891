package document

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// File is a cell's code as a source file. Empty lines before it keep the line numbers of the document.
func (d *Document) File(c *Cell, code PythonCode) *source.File {
	name, line := d.Place(c)
	return source.NewFile(name, strings.Repeat("\n", line-1)+code.Text)
}

// Diagnostics are the notes on a cell's code, in a file in which the code begins on a given line.
func (c PythonCode) Diagnostics(file *source.File, line int) (list diag.List) {
	for _, n := range c.Notes {
		at := file.LineSpan(min(line-1+n.Line, file.LineCount()))
		text := file.Slice(at)
		at.Start += int32(len(text) - len(strings.TrimLeft(text, " \t")))
		d := diag.New(n.Code, at, n.Arg)
		d.Severity = diag.Hint
		list.Add(d)
	}
	return list
}

// Program is all code of a document as one text, and the files in which the places of that text lie: the text itself,
// with the document's line numbers, or the cells of a notebook. The list holds the notes on the code.
func (d *Document) Program() (text *source.File, files source.Files, list diag.List) {
	if d.Format != Notebook {
		return d.oneFile()
	}
	var set source.Set
	var texts []string
	for _, c := range d.Cells {
		if c.Kind == Code {
			code := CodeOf(c.Source)
			// A line break joins the texts, and one offset lies between the files of a set.
			file := set.Add(d.File(c, code))
			list = append(list, code.Diagnostics(file, 1)...)
			texts = append(texts, code.Text)
		}
	}
	if len(texts) == 0 {
		set.Add(source.NewFile(d.Name, ""))
	}
	return source.NewFile(d.Name, strings.Join(texts, "\n")), &set, list
}

// oneFile is Program for a document that is text: all that is not code is empty lines.
func (d *Document) oneFile() (*source.File, source.Files, diag.List) {
	var b strings.Builder
	var notes []Note
	line := 1 // that is written next
	for _, c := range d.Cells {
		if c.Kind != Code {
			continue
		}
		code := CodeOf(c.Source)
		b.WriteString(strings.Repeat("\n", max(0, c.Line-line)) + code.Text + "\n")
		line = c.Line + strings.Count(code.Text, "\n") + 1
		for _, n := range code.Notes {
			notes = append(notes, Note{c.Line - 1 + n.Line, n.Code, n.Arg})
		}
	}
	file := source.NewFile(d.Name, b.String())
	list := PythonCode{Notes: notes}.Diagnostics(file, 1)
	return file, file, list
}
