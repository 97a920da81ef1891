package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
)

// Limits of a document's run.
const (
	documentSteps  = 1 << 32 // statements and calls of one cell: minutes, which a person can end by Stop
	maxCellOutput  = 1 << 18 // bytes that one cell may show
	maxCellListed  = 1000    // launches of one cell that are listed
	streamInterval = 50 * time.Millisecond
)

// documentFile is what tracebacks call the document.
const documentFile = "document.py"

// session runs the cells of a document: one namespace, for as long as the worker lives.
type session struct {
	name     string
	host     *host.Session
	launcher *recorder
	cells    map[*source.File]cell // what has run
	files    writtenFiles
	count    int     // of the cells that have run
	stream   *stream // of the cell that runs
}

// cell is a cell as it was when it ran. Its file has the same lines, after as many empty ones as stand before it in
// the document; those that are IPython's own are comments there.
type cell struct {
	source string
	before int // lines
}

// writtenFiles are those that cells wrote with %%writefile.
type writtenFiles map[string][]byte

// ReadFile implements host.Files.
func (w writtenFiles) ReadFile(name string) ([]byte, error) {
	if data, ok := w[path.Clean(name)]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (w writtenFiles) write(code document.PythonCode) {
	name, text := path.Clean(code.File), []byte(code.Content)
	if code.Append {
		text = slices.Concat(w[name], text)
	}
	w[name] = text
}

// document runs cells. A cell that fails does not end those after it.
func (c *call) document(r *DocumentRequest) {
	s := c.server.session
	if s == nil || s.name != r.Session {
		s = c.newSession(r)
		c.server.session = s
	}
	s.launcher.Strict = r.Strict
	var list diag.List
	for _, place := range r.Cells {
		list.AddNew(s.run(c, r, place)...)
	}
	list.AddNew(s.launcher.Said...)
	list.Sort()
	c.finish(Reply{Document: &DocumentReply{Diagnostics: c.diagnostics(&cellPlaces{s, r.Text}, list)}})
}

func (c *call) newSession(r *DocumentRequest) *session {
	s := &session{name: r.Session, cells: map[*source.File]cell{}, files: writtenFiles{}}
	s.launcher = &recorder{session: s, Launcher: script.Launcher{
		Context: context.Background(), Device: launch.Interpreter, Stdout: output{s, "stdout"},
		With: device.Launch{Budget: c.budget},
	}}
	s.host = host.New(host.Options{
		Stdout: output{s, "stdout"}, Stderr: output{s, "stderr"}, Display: s.display("display"), Launcher: s.launcher,
		Files: s.files,
		Argv:  []string{documentFile}, MaxSteps: documentSteps, Stop: s.poll,
	})
	return s
}

// run runs one cell and sends what it does.
func (s *session) run(c *call, r *DocumentRequest, place CellPlace) diag.List {
	from, to := offset(r.Text, place.From), offset(r.Text, place.To)
	ran := cell{source: r.Text[min(from, to):to], before: strings.Count(r.Text[:min(from, to)], "\n")}
	code := document.CodeOf(ran.source)
	file := s.host.Sources().Add(source.NewFile(documentFile, strings.Repeat("\n", ran.before)+code.Text))
	s.cells[file] = ran
	s.count++
	s.stream = &stream{call: c, run: place.Run, places: &cellPlaces{s, r.Text}, left: maxCellOutput}
	defer func() { s.stream = nil }()

	start := time.Now()
	s.stream.send() // it has begun
	for _, o := range code.Shows {
		s.stream.add(shownOutput(o))
	}
	if code.File != "" {
		s.files.write(code)
	}
	out := s.host.Run(file)
	list := append(notes(file, ran.before, code), out.Diagnostics...)
	if out.Value != nil {
		s.stream.kind = "value"
		shown := s.host.Show(out.Value)
		list = append(list, shown.Diagnostics...)
		out.Traceback += shown.Traceback
	}
	if out.Traceback == "" && list.HasErrors() && !out.Exited {
		out.Traceback = list[len(list)-1].In(c.lang).Headline
	}
	if out.Traceback != "" {
		s.stream.add(CellOutput{Kind: "error", Text: out.Traceback})
	}
	s.stream.ended = &CellEnd{OK: !list.HasErrors(), MS: milliseconds(time.Since(start)), Count: s.count}
	s.stream.send()
	return list
}

// poll sends what a cell printed a while ago. It never ends the run: Stop ends the worker.
func (s *session) poll() bool {
	if s.stream != nil {
		s.stream.sendDue()
	}
	return false
}

// display takes what a cell shows. The last expression's value is shown after the cell has run.
func (s *session) display(kind string) func(host.Display) {
	return func(d host.Display) {
		if s.stream == nil {
			return
		}
		o := CellOutput{Kind: kind, Text: d.Text, Markdown: d.Markdown, MIME: d.MIME}
		if s.stream.kind != "" {
			o.Kind = s.stream.kind
		}
		if len(d.Image) > 0 {
			o.Image = base64.StdEncoding.EncodeToString(d.Image)
		}
		s.stream.add(o)
	}
}

// output is a writer of a session.
type output struct {
	session *session
	kind    string // of CellOutput
}

// Write implements io.Writer.
func (o output) Write(p []byte) (int, error) {
	if o.session.stream != nil {
		o.session.stream.add(CellOutput{Kind: o.kind, Text: string(p)})
	}
	return len(p), nil
}

// stream gathers what a cell does and sends it, at most every streamInterval.
type stream struct {
	call     *call
	run      int
	places   *cellPlaces
	kind     string // of what is displayed, if not "display"
	outputs  []CellOutput
	launches []CellLaunch
	listed   int
	ended    *CellEnd
	left     int // bytes that may still be shown
	cut      int // bytes that were not
	sent     time.Time
}

// add takes an output, as far as there is room for it.
func (s *stream) add(o CellOutput) {
	size := len(o.Text) + len(o.Markdown) + len(o.Image)
	if size > s.left && (o.Kind == "stdout" || o.Kind == "stderr") {
		kept := strings.ToValidUTF8(o.Text[:s.left], "")
		s.cut += size - len(kept)
		o.Text, size = kept, s.left
	}
	// A traceback is shown in any case.
	if size > s.left && o.Kind != "error" || size == 0 {
		if size > s.left {
			s.cut += size
		}
		return
	}
	s.left = max(0, s.left-size)
	if n := len(s.outputs); n > 0 && s.outputs[n-1].Kind == o.Kind && (o.Kind == "stdout" || o.Kind == "stderr") {
		s.outputs[n-1].Text += o.Text
	} else {
		s.outputs = append(s.outputs, o)
	}
	s.sendDue()
}

func (s *stream) addLaunch(l CellLaunch) {
	if s.listed++; s.listed <= maxCellListed {
		s.launches = append(s.launches, l)
	}
	s.sendDue()
}

func (s *stream) sendDue() {
	if len(s.outputs)+len(s.launches) > 0 && time.Since(s.sent) >= streamInterval {
		s.send()
	}
}

func (s *stream) send() {
	if s.ended != nil {
		s.ended.Cut = s.cut
	}
	s.call.send(Reply{ID: s.call.id, Document: &DocumentReply{
		Run: s.run, Outputs: s.outputs, Launches: s.launches, Ended: s.ended,
	}})
	s.outputs, s.launches, s.sent = nil, nil, time.Now()
}

// cellPlaces finds places of a session's files in the text that the document has now.
type cellPlaces struct {
	session *session
	text    string
}

// Position implements places.
func (p *cellPlaces) Position(offset int32) source.Position {
	return source.NewFile(documentFile, p.text).Position(p.at(offset))
}

// UTF16 implements places.
func (p *cellPlaces) UTF16(offset int32) int {
	return source.NewFile(documentFile, p.text).UTF16(p.at(offset))
}

// at is where an offset of the session lies in the text: in the cell where it is now, or else at the text's beginning.
func (p *cellPlaces) at(offset int32) int32 {
	file := p.session.host.Sources().File(source.Span{Start: offset, End: offset})
	if file == nil {
		return 0
	}
	ran := p.session.cells[file]
	// A cell lies where it ran, or where its text has moved to.
	start := lineStart(p.text, ran.before)
	if start < 0 || !strings.HasPrefix(p.text[start:], ran.source) {
		start = strings.Index(p.text, ran.source)
	}
	if start < 0 {
		return 0
	}
	return int32(start) + sameColumn(file, offset, ran.source, ran.before)
}

// sameColumn is the offset in a text of the place that an offset is at in a file whose lines are those of the text,
// after some others.
func sameColumn(file *source.File, offset int32, text string, before int) int32 {
	line := file.Position(offset).Line
	in := source.NewFile(documentFile, text)
	to := in.LineSpan(max(1, min(line-before, in.LineCount())))
	return min(to.Start+max(0, offset-file.LineSpan(line).Start), to.End)
}

// notes are hints on the lines of a cell that are IPython's own.
func notes(file *source.File, before int, code document.PythonCode) (list diag.List) {
	for _, n := range code.Notes {
		d := diag.New(n.Code, file.LineSpan(min(before+n.Line, file.LineCount())), n.Arg)
		d.Severity = diag.Hint
		list.Add(d)
	}
	return list
}

// checked is a document as one file of Python with the same lines, with notes on those that are IPython's own.
func checked(text string) (*source.File, diag.List) {
	lines := strings.Split(text, "\n")
	read, _ := document.ParseAs(document.Python, documentFile, text)
	if read == nil {
		return source.NewFile(documentFile, text), nil
	}
	type noted struct {
		code document.PythonCode
		line int
	}
	var found []noted
	for _, c := range codeCells(read) {
		code := document.CodeOf(c.Source)
		copy(lines[c.Line-1:], strings.Split(code.Text, "\n"))
		found = append(found, noted{code, c.Line - 1})
	}
	file := source.NewFile(documentFile, strings.Join(lines, "\n"))
	var list diag.List
	for _, n := range found {
		list = append(list, notes(file, n.line, n.code)...)
	}
	return file, list
}

// linePlaces finds places of a file in a text with the same lines.
type linePlaces struct{ file, text *source.File }

// Position implements places.
func (p linePlaces) Position(offset int32) source.Position { return p.file.Position(offset) }

// UTF16 implements places.
func (p linePlaces) UTF16(offset int32) int {
	return p.text.UTF16(sameColumn(p.file, offset, p.text.Text, 0))
}

// lineStart is where the line after n line breaks begins, -1 if there are fewer.
func lineStart(text string, n int) int {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	return at
}

func shortValue(v host.Value) string {
	if t, ok := host.AsTensor(v); ok {
		return fmt.Sprintf("%s %s", torchName(t.DType()), strings.ReplaceAll(fmt.Sprint(t.Shape()), " ", ", "))
	}
	text := host.Repr(v)
	if len(text) > 80 {
		text = strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}
