package document

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// notebook is what a document keeps of the JSON that it was read from.
type notebook struct {
	text   string // without a byte order mark
	cells  extent // the array; zero where cells are in worksheets (nbformat 3)
	minor  int
	layout layout
}

// jupyter is the layout that Jupyter writes.
var jupyter = layout{indent: " ", newline: "\n", comma: ",", colon: ": "}

func parseNotebook(d *Document, text string) *diag.Diagnostic {
	if strings.TrimSpace(text) == "" { // as an editor makes a new file
		return nil
	}
	if at, err := checkJSON(text); err != nil {
		return diag.New("document-json", span(at, min(at+1, len(text))), err.Error())
	}
	root := whole(text)
	top := members(text, root)
	version, ok := find(top, "nbformat")
	if !ok {
		return diag.New("document-notebook", span(root.start, root.start+1), "nbformat")
	}
	d.notebook = &notebook{text: text, layout: layoutOf(text)}
	language := languageIn(text, top)
	if language != "" && language != "python" && !strings.HasPrefix(language, "ipython") {
		return diag.New("document-language", span(version.start, version.end), language)
	}
	switch intAt(text, version) {
	case 4:
		return d.parseNotebook4(top)
	case 3:
		return d.parseNotebook3(top)
	}
	return diag.New("document-notebook-version", span(version.start, version.end), version.of(text))
}

// languageIn is the language of a notebook's kernel, as far as its metadata says.
func languageIn(text string, top []member) string {
	metadata, ok := find(top, "metadata")
	if !ok {
		return ""
	}
	for _, path := range [][2]string{{"language_info", "name"}, {"kernelspec", "language"}} {
		if at, ok := find(members(text, metadata), path[0]); ok {
			if name, ok := find(members(text, at), path[1]); ok {
				s, _ := stringAt(text, name)
				return strings.ToLower(s)
			}
		}
	}
	return ""
}

func (d *Document) parseNotebook4(top []member) *diag.Diagnostic {
	n := d.notebook
	if minor, ok := find(top, "nbformat_minor"); ok {
		n.minor = intAt(n.text, minor)
	}
	at, ok := find(top, "cells")
	if !ok || n.text[at.start] != '[' {
		return diag.New("document-notebook", span(whole(n.text).start, whole(n.text).start+1), "cells")
	}
	n.cells = at
	for _, e := range elements(n.text, at) {
		c, missing := readCell(n.text, e)
		if c == nil {
			return diag.New("document-notebook-cell", span(e.start, min(e.start+1, e.end)), len(d.Cells)+1, missing)
		}
		d.Cells = append(d.Cells, c)
	}
	return nil
}

// readCell reads a cell of nbformat 4; nil and the key that is wrong if it is not one.
func readCell(text string, at extent) (c *Cell, missing string) {
	list := members(text, at)
	c = &Cell{was: &written{json: at.of(text)}}
	if kind, ok := find(list, "cell_type"); ok {
		s, _ := stringAt(text, kind)
		c.Kind = Kind(s)
	}
	if c.Kind != Code && c.Kind != Prose && c.Kind != Raw {
		return nil, "cell_type"
	}
	source, ok := find(list, "source")
	if ok {
		c.Source, ok = stringAt(text, source)
	}
	if !ok {
		return nil, "source"
	}
	if id, ok := find(list, "id"); ok {
		c.ID, _ = stringAt(text, id)
	}
	if count, ok := find(list, "execution_count"); ok {
		c.Count = intAt(text, count)
	}
	if outputs, ok := find(list, "outputs"); ok {
		for _, e := range elements(text, outputs) {
			c.Outputs = append(c.Outputs, readOutput(text, e))
		}
	}
	return c, ""
}

// cellDepth is how deep a cell is in a notebook: below the document and its list of cells.
const cellDepth = 2

func (d *Document) encodeNotebook() string {
	n := d.notebook
	if n == nil || n.cells == (extent{}) {
		return d.newNotebook()
	}
	texts := make([]string, len(d.Cells))
	for i, c := range d.Cells {
		texts[i] = n.cellText(c, i)
	}
	head, tail := d.head+n.text[:n.cells.start], n.text[n.cells.end:]
	if slices.Equal(d.Cells, d.cells) {
		return head + n.splice(texts) + tail
	}
	list := make(array, len(texts))
	for i, t := range texts {
		list[i] = verbatim(t)
	}
	return head + n.layout.text(list, cellDepth-1) + tail
}

// splice is the list of cells with the texts in place of those of the cells, and all between them as it was.
func (n *notebook) splice(texts []string) string {
	var b strings.Builder
	from := n.cells.start
	for i, at := range elements(n.text, n.cells) {
		b.WriteString(n.text[from:at.start])
		b.WriteString(texts[i])
		from = at.end
	}
	b.WriteString(n.text[from:n.cells.end])
	return b.String()
}

// cellText is the JSON of the i-th cell: that of its file, with what has changed put in its place.
func (n *notebook) cellText(c *Cell, i int) string {
	w := c.was
	if w == nil || w.json == "" || c.Kind != w.kind {
		return n.layout.text(c.value(i, n.minor >= 5), cellDepth)
	}
	text := w.json
	if c.Source != w.source {
		at, _ := find(members(text, whole(text)), "source")
		source := any(lines(c.Source))
		if text[at.start] == '"' {
			source = c.Source
		}
		text = n.layout.set(text, "source", source, cellDepth)
	}
	if c.Kind == Code && c.Count != w.count {
		text = n.layout.set(text, "execution_count", number(c.Count), cellDepth)
	}
	if c.Kind == Code && !sameOutputs(c.Outputs, w.outputs) {
		text = n.layout.set(text, "outputs", outputValues(c.Outputs), cellDepth)
	}
	return text
}

func outputValues(list []Output) array {
	out := array{}
	for _, o := range list {
		out = append(out, o.value())
	}
	return out
}

// value is a new cell's JSON, its members in the order in which Jupyter sorts them.
func (c *Cell) value(i int, identified bool) object {
	v := object{{"cell_type", string(c.Kind)}}
	if c.Kind == Code {
		v = append(v, field{"execution_count", number(c.Count)})
	}
	if identified {
		v = append(v, field{"id", c.identity(i)})
	}
	v = append(v, field{"metadata", object{}})
	if c.Kind == Code {
		v = append(v, field{"outputs", outputValues(c.Outputs)})
	}
	return append(v, field{"source", lines(c.Source)})
}

// identity is a cell's id, which nbformat 4.5 asks for: 8 hexadecimal digits, the same whenever the document is.
func (c *Cell) identity(i int) string {
	if c.ID != "" {
		return c.ID
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %s", i, c.Source)
	return fmt.Sprintf("%08x", h.Sum32())
}

// newNotebook writes nbformat 4.5 as Jupyter does.
func (d *Document) newNotebook() string {
	cells := make(array, len(d.Cells))
	for i, c := range d.Cells {
		cells[i] = c.value(i, true)
	}
	return jupyter.text(object{
		{"cells", cells},
		{"metadata", object{
			{"kernelspec", object{{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
			{"language_info", object{{"name", "python"}}},
		}},
		{"nbformat", 4},
		{"nbformat_minor", 5},
	}, 0) + "\n"
}
