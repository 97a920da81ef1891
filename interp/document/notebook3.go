package document

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// nbformat 3, which IPython wrote until 2015, has its cells in worksheets and other names for most things. It is read
// into the cells of nbformat 4, and written as 4.5 once something has changed.

// mime3 are the types of what nbformat 3 displays.
var mime3 = map[string]string{
	"text": "text/plain", "html": "text/html", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg",
	"latex": "text/latex", "json": "application/json", "javascript": "application/javascript",
}

// kinds3 are the kinds of its outputs.
var kinds3 = map[string]string{
	"pyout": "execute_result", "pyerr": "error", "display_data": "display_data", "stream": "stream",
}

func (d *Document) parseNotebook3(top []member) *diag.Diagnostic {
	text := d.notebook.text
	sheets, ok := find(top, "worksheets")
	if !ok {
		return diag.New("document-notebook", span(whole(text).start, whole(text).start+1), "worksheets")
	}
	for _, sheet := range elements(text, sheets) {
		cells, _ := find(members(text, sheet), "cells")
		if cells == (extent{}) {
			continue
		}
		for _, e := range elements(text, cells) {
			c := readCell3(text, e)
			if c == nil {
				at := span(e.start, min(e.start+1, e.end))
				return diag.New("document-notebook-cell", at, len(d.Cells)+1, "cell_type")
			}
			d.Cells = append(d.Cells, c)
		}
	}
	return nil
}

// readCell3 reads a cell of nbformat 3; nil if it is not one.
func readCell3(text string, at extent) *Cell {
	list := members(text, at)
	get := func(key string) string {
		v, ok := find(list, key)
		if !ok {
			return ""
		}
		s, _ := stringAt(text, v)
		return s
	}
	c := &Cell{was: &written{}}
	switch kind := get("cell_type"); kind {
	case "code":
		c.Kind, c.Source = Code, get("input")
	case "markdown", "html":
		c.Kind, c.Source = Prose, get("source")
	case "heading":
		level := 1
		if v, ok := find(list, "level"); ok {
			level = min(max(intAt(text, v), 1), 6)
		}
		c.Kind, c.Source = Prose, strings.Repeat("#", level)+" "+get("source")
	case "raw":
		c.Kind, c.Source = Raw, get("source")
	default:
		return nil
	}
	if v, ok := find(list, "prompt_number"); ok {
		c.Count = intAt(text, v)
	}
	if v, ok := find(list, "outputs"); ok {
		for _, e := range elements(text, v) {
			c.Outputs = append(c.Outputs, readOutput3(text, e))
		}
	}
	return c
}

func readOutput3(text string, at extent) Output {
	o := readOutput(text, at)
	o.json, o.metadata = "", ""
	o.Kind = kinds3[o.Kind]
	for _, m := range members(text, at) {
		switch {
		case m.key == "stream":
			o.Name, _ = stringAt(text, m.value)
		case m.key == "prompt_number":
			o.Count = intAt(text, m.value)
		case o.Kind != "stream" && mime3[m.key] != "":
			if s, ok := stringAt(text, m.value); ok {
				o.Data = append(o.Data, MIME{mime3[m.key], s})
			}
		}
	}
	switch o.Kind {
	case "stream":
		if o.Name == "" {
			o.Name = "stdout"
		}
	case "":
		o.Kind = "display_data"
		fallthrough
	default:
		o.Text = ""
	}
	return o
}
