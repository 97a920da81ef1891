package api

import (
	"encoding/base64"
	"path"
	"slices"
	"strings"

	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/recorded"
)

// open reads a file as a document. The buffers are its Files.
func (d *documents) open(c *call, r *OpenRequest, data []byte) (*OpenReply, [][]byte) {
	if strings.EqualFold(path.Ext(r.Name), ".launch") {
		return openRecorded(c, r.Name, data)
	}
	read, list := document.Parse(r.Name, string(data))
	if read == nil {
		return &OpenReply{Problem: list[0].In(c.lang).Headline}, nil
	}
	out := &OpenReply{Name: r.Name, Text: strings.ReplaceAll(read.Text(), "\r\n", "\n"), Format: string(read.Format)}
	for _, p := range read.Pictures() {
		out.Pictures = append(out.Pictures, Picture(p))
	}
	for _, cell := range codeCells(read) {
		opened := OpenedCell{Count: cell.Count}
		for _, o := range cell.Outputs {
			opened.Outputs = append(opened.Outputs, shownOutput(o, d.libraries.Codecs))
		}
		out.Cells = append(out.Cells, opened)
	}
	return out, nil
}

// openRecorded reads recorded launches as a script that makes them again.
func openRecorded(c *call, name string, data []byte) (*OpenReply, [][]byte) {
	read, wrong := recorded.Read(name, data, document.MaxBytes)
	if wrong != nil {
		return &OpenReply{Problem: wrong.In(c.lang).Headline}, nil
	}
	d := read.Document()
	out := &OpenReply{Name: d.Name, Text: d.Text(), Format: string(d.Format)}
	var buffers [][]byte
	for _, storage := range read.Storages() {
		out.Files = append(out.Files, GivenFile{Name: storage.Name, Bytes: len(storage.Data)})
		buffers = append(buffers, storage.Data)
	}
	return out, buffers
}

// prose renders cells of prose.
func (d *documents) prose(r *ProseRequest) *ProseReply {
	out := &ProseReply{}
	for _, source := range r.Sources {
		html, err := "", error(nil)
		if d.libraries.Markdown != nil {
			html, err = d.libraries.Markdown(source, !r.Plain)
		}
		if err != nil {
			html = ""
		}
		out.HTML = append(out.HTML, html)
	}
	return out
}

// save writes a document as a file. What its own file holds and the text does not show stays as it is: metadata,
// and the outputs of cells that did not run here.
func save(r *SaveRequest, data []byte) *SaveReply {
	format := document.Format(r.Format)
	d := document.New(r.Name, document.Python)
	if r.From != "" {
		if read, _ := document.Parse(r.From, string(data)); read != nil {
			d = read
		}
	}
	text := r.Text
	if d.Format == document.Python && strings.Contains(d.Text(), "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n") // the editor has no other line ends than "\n"
	}
	if format == document.Python {
		return &SaveReply{Text: d.Restored(text), MIME: mimeOf[format]}
	}
	d.Update(text)
	if d.Format != format {
		d = d.As(r.Name, format)
	}
	code := codeCells(d)
	for _, saved := range r.Cells {
		if saved.Cell < 0 || saved.Cell >= len(code) {
			continue
		}
		cell := code[saved.Cell]
		cell.Outputs, cell.Count = nil, saved.Count
		for _, o := range saved.Outputs {
			cell.Outputs = append(cell.Outputs, o.saved(saved.Count))
		}
	}
	return &SaveReply{Text: d.Encode(), MIME: mimeOf[format]}
}

var mimeOf = map[document.Format]string{
	document.Python: "text/x-python", document.Notebook: "application/x-ipynb+json", document.Markdown: "text/markdown",
	document.Transcript: "text/plain",
}

func codeCells(d *document.Document) []*document.Cell {
	return slices.DeleteFunc(slices.Clone(d.Cells), func(c *document.Cell) bool { return c.Kind != document.Code })
}

// pictures are the types of pictures that the page shows, the best first.
var pictures = []string{"image/svg+xml", "image/png", "image/jpeg", "image/gif"}

// shownOutput is an output of a file as the page shows it.
func shownOutput(o document.Output, codecs host.Codecs) CellOutput {
	switch o.Kind {
	case "stream":
		return CellOutput{Kind: o.Name, Text: o.Text}
	case "error":
		return CellOutput{Kind: "error", Text: strings.Join(o.Traceback, "\n")}
	}
	out := CellOutput{Kind: map[string]string{"execute_result": "value"}[o.Kind]}
	if out.Kind == "" {
		out.Kind = "display"
	}
	out.Text, _ = o.Form("text/plain")
	out.HTML, _ = o.Form("text/html")
	out.Markdown, _ = o.Form("text/markdown")
	if text, ok := o.Form(figure.MIME); ok {
		out.Figure = plotOf(text, codecs)
	}
	for _, mime := range pictures {
		if data, ok := o.Form(mime); ok {
			out.MIME, out.Image = mime, base64Of(mime, data)
			break
		}
	}
	return out
}

// saved is an output as files keep it.
func (o CellOutput) saved(count int) document.Output {
	switch o.Kind {
	case "stdout", "stderr":
		return document.Stream(o.Kind, o.Text)
	case "error":
		class, message := exceptionOf(o.Text)
		return document.Failed(class, message, strings.Split(strings.TrimRight(o.Text, "\n"), "\n")...)
	}
	var forms []document.MIME
	for _, form := range []document.MIME{
		{Type: "text/plain", Text: o.Text}, {Type: "text/html", Text: o.HTML},
		{Type: "text/markdown", Text: o.Markdown}, {Type: figure.MIME, Text: o.Figure.json()},
	} {
		if form.Text != "" {
			forms = append(forms, form)
		}
	}
	if o.Image != "" {
		forms = append(forms, document.MIME{Type: o.MIME, Text: textOf(o.MIME, o.Image)})
	}
	if o.Kind != "value" {
		return document.Shown("display_data", forms...)
	}
	out := document.Shown("execute_result", forms...)
	out.Count = count
	return out
}

// exceptionOf is what the last line of a traceback says: "ValueError: wrong".
func exceptionOf(traceback string) (class, message string) {
	lines := strings.Split(strings.TrimRight(traceback, "\n"), "\n")
	class, message, _ = strings.Cut(lines[len(lines)-1], ": ")
	return class, message
}

// base64Of is a form of a notebook in base64: a picture of pixels is already.
func base64Of(mime, data string) string {
	if mime == "image/svg+xml" {
		return base64.StdEncoding.EncodeToString([]byte(data))
	}
	return strings.ReplaceAll(data, "\n", "")
}

// textOf is the inverse of base64Of.
func textOf(mime, data string) string {
	if mime != "image/svg+xml" {
		return data
	}
	text, _ := base64.StdEncoding.DecodeString(data)
	return string(text)
}
