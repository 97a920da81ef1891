package script

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host"
)

// output collects what a cell outputs, as Jupyter does: what is printed to one stream in a row is one output.
type output struct {
	cell   *document.Cell
	emit   func(Event)
	left   int  // bytes that may still come
	full   bool // some have been dropped
	quiet  bool // nothing is shown
	value  bool // what is displayed next is the cell's value
	lang   diag.Lang
	stream string
	text   strings.Builder // of the stream
}

// stream is the stdout or stderr of a session.
type stream struct {
	r    *Run
	name string
}

func (s stream) Write(p []byte) (int, error) {
	s.r.out.write(s.name, string(p))
	return len(p), nil
}

// write adds to a stream.
func (o *output) write(name, text string) {
	if o.quiet || text == "" || !o.room(len(text)) {
		return
	}
	if name != o.stream {
		o.flush()
		o.stream = name
	}
	o.text.WriteString(text)
	o.emit(Event{Kind: Printed, Cell: o.cell, Output: document.Stream(name, text)})
}

// room takes bytes from what is left. Where they do not fit, the output ends with a note.
func (o *output) room(n int) bool {
	if o.full {
		return false
	}
	if n > o.left {
		o.flush()
		o.full = true
		note := document.Stream("stderr", "[newt: "+diag.Text{Key: "output.cut"}.In(o.lang)+"]\n")
		o.cell.Outputs = append(o.cell.Outputs, note)
		o.emit(Event{Kind: Printed, Cell: o.cell, Output: note})
		return false
	}
	o.left -= n
	return true
}

// flush ends the stream that is being written.
func (o *output) flush() {
	if o.text.Len() > 0 {
		o.cell.Outputs = append(o.cell.Outputs, document.Stream(o.stream, o.text.String()))
		o.text.Reset()
	}
	o.stream = ""
}

// show adds something displayed.
func (o *output) show(shown document.Output) {
	size := 0
	for _, m := range shown.Data {
		size += len(m.Text)
	}
	if o.quiet || !o.room(size) {
		return
	}
	o.flush()
	o.cell.Outputs = append(o.cell.Outputs, shown)
	o.emit(Event{Kind: Displayed, Cell: o.cell, Output: shown})
}

// fail adds an error. It is shown however long the output is.
func (o *output) fail(failed document.Output) {
	o.flush()
	o.cell.Outputs = append(o.cell.Outputs, failed)
	o.emit(Event{Kind: Failed, Cell: o.cell, Output: failed})
}

func (o *output) end() { o.flush() }

// display takes what the session shows.
func (r *Run) display(d host.Display) {
	shown := document.Shown("display_data", formsOf(d)...)
	if r.out.value {
		r.out.value = false
		shown.Kind, shown.Count = "execute_result", r.out.cell.Count
	}
	r.out.show(shown)
}

// formsOf are the forms of something shown, by their types.
func formsOf(d host.Display) (forms []document.MIME) {
	add := func(mime, text string) {
		if text != "" {
			forms = append(forms, document.MIME{Type: mime, Text: text})
		}
	}
	switch {
	case len(d.Image) == 0:
	case strings.HasSuffix(d.MIME, "+xml"): // a picture that is text
		add(d.MIME, string(d.Image))
	default:
		add(d.MIME, base64.StdEncoding.EncodeToString(d.Image))
	}
	if d.Figure != nil {
		text, _ := json.Marshal(d.Figure) // figures hold nothing that JSON refuses
		add(figure.MIME, string(text))
	}
	add("text/html", d.HTML)
	add("text/markdown", d.Markdown)
	add("text/plain", d.Text)
	return forms
}
