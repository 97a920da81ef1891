package api

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/puzzles"
)

// Limits of a document's run.
const (
	documentSteps  = 1 << 32 // statements and calls of one cell: minutes, which a person can end by Stop
	maxCellOutput  = 1 << 18 // bytes that one cell may show
	maxSweepPoints = 2000    // of one cell; later ones are measured and not shown
	streamInterval = 50 * time.Millisecond
	// The worker takes messages, Stop among them, only while Go sleeps. A pause is long enough that its timer has not
	// expired before Go has returned to the worker's event loop, as one of a nanosecond mostly had.
	pauseInterval = 50 * time.Millisecond
	pauseLength   = time.Millisecond
)

// documentFile is what tracebacks call a document without a name.
const documentFile = "document.py"

// session runs the cells of a document: one namespace, for as long as the worker lives.
type session struct {
	name     string
	codecs   host.Codecs
	run      *script.Run
	launcher *script.Launcher
	files    givenFiles
	runner   *pageRunner            // with the device of the session; nil where that is the page
	cells    map[int]*document.Cell // by the runs that the page shows
	stream   *stream                // of the cell that runs
	paused   time.Time
}

// Libraries are what only the program for documents links.
type Libraries struct {
	// TritonShared says what Triton refuses for want of shared memory; nil where that is not known.
	TritonShared script.TritonShared
	Codecs       host.Codecs
	// Markdown renders prose to HTML that is not safe to show as it is.
	Markdown func(source string, html bool) (string, error)
	// Puzzle is one of the second course's puzzles; nil without them.
	Puzzle func(number int) (*puzzles.Puzzle, bool)
	// Refusal is what questions of somebody's own puzzle are held to; nil where examples are not linked.
	Refusal puzzles.Refusal
}

// documents is the extension of the program that documents load.
type documents struct {
	libraries Libraries
	session   *session // of the document that ran last
	custom    custom
}

func newDocumentServer(budget int64, with Libraries) *server {
	s := newServer(budget)
	s.extra = &documents{libraries: with}
	return s
}

func (d *documents) puzzle(number int) (*puzzles.Puzzle, bool) {
	if d.libraries.Puzzle == nil {
		return nil, false
	}
	return d.libraries.Puzzle(number)
}

func (d *documents) serve(c *call, r *Request, buffer []byte) bool {
	switch {
	case r.Load != nil:
		c.finish(Reply{Load: d.load(c, r.Load)})
	case r.Make != nil:
		c.finish(Reply{Make: c.make(r.Make)})
	case r.Document != nil:
		d.document(c, r.Document, buffer)
	case r.Look != nil:
		c.finish(Reply{Free: d.look(c, r.Look)})
	case r.Inspect != nil:
		d.inspect(c, r.Inspect)
	case r.OtherSizes != nil:
		c.finish(Reply{OtherSizes: c.otherSizes(r.OtherSizes)})
	case r.Mistake != nil:
		c.finish(Reply{Mistake: c.mistake(r.Mistake)})
	case r.Why != nil:
		c.finish(Reply{Why: d.why(c, r.Why)})
	case r.Seek != nil:
		c.finish(Reply{Seek: d.seek(c, r.Seek)})
	case r.Courses != nil:
		c.finish(Reply{Courses: d.courses(c, r.Courses)})
	case r.Findings != nil:
		c.finish(Reply{Findings: d.findings(c, r.Findings)})
	case r.Job != nil:
		d.job(c, r.Job.Of.Look)
	case r.LaunchIR != nil:
		c.finish(Reply{IR: d.launchIR(r.LaunchIR)})
	case r.Open != nil:
		reply, files := d.open(c, r.Open, buffer)
		c.finish(Reply{Open: reply}, files...)
	case r.Save != nil:
		c.finish(Reply{Save: save(r.Save, buffer)})
	case r.Prose != nil:
		c.finish(Reply{Prose: d.prose(r.Prose)})
	default:
		return false
	}
	return true
}

// document runs cells. A cell that fails does not end those after it; one that is stopped does.
func (d *documents) document(c *call, r *DocumentRequest, buffer []byte) {
	c.looked = looked{} // a launch of the same name may become another one
	s := d.session
	if s == nil || s.name != r.Session {
		s = d.newSession(c, r)
		d.session = s
	}
	if r.Files != nil {
		s.files.set(r.Files, buffer)
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	s.launcher.Strict, s.run.Lang = r.Strict, c.lang
	s.launcher.Model = nil
	if r.Rank {
		s.launcher.Model = c.model
	}
	s.serve(ctx, c, r.Remote)
	var list diag.List
	for _, place := range r.Cells {
		if ctx.Err() != nil {
			break
		}
		list.AddNew(s.cell(ctx, c, r, place)...)
	}
	// In the page a sweep ends where a person skips the rest of it.
	list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Code == "sweep-ended" })
	list.Sort()
	c.finish(Reply{Document: &DocumentReply{Diagnostics: c.diagnostics(&cellPlaces{s, r.Text}, list)}})
}

func (d *documents) newSession(c *call, r *DocumentRequest) *session {
	s := &session{
		name: r.Session, codecs: d.libraries.Codecs, files: givenFiles{}, cells: map[int]*document.Cell{},
	}
	on := launch.Interpreter
	if r.Remote != nil {
		s.runner = newPageRunner(r.Remote)
		on = cmp.Or(s.runner.device, on)
	}
	s.launcher = &script.Launcher{Device: on, TritonShared: d.libraries.TritonShared, With: device.Launch{
		Budget: c.budget, Yield: s.pause, Progress: s.progress,
	}}
	name := cmp.Or(r.Name, documentFile)
	s.run = script.New(document.New(name, document.Python), script.Options{
		Host: host.Options{
			Files: s.files, Argv: []string{name}, MaxSteps: documentSteps,
			Stop: func() bool { s.pause(); return false }, Codecs: d.libraries.Codecs, Tune: timedConfigs,
			Sweeping: s.sweeping,
		},
		Launcher: s.launcher, Emit: s.emit, MaxOutput: maxCellOutput, Keep: script.DefaultKeep,
	})
	return s
}

// cell runs one cell and sends what it does.
func (s *session) cell(ctx context.Context, c *call, r *DocumentRequest, place CellPlace) diag.List {
	from, to := offset(r.Text, place.From), offset(r.Text, place.To)
	// The launches of an earlier run of the cell make room for those of this one.
	cell := s.cells[place.Instead]
	if cell == nil {
		cell = &document.Cell{Kind: document.Code}
	}
	delete(s.cells, place.Instead)
	s.cells[place.Run] = cell
	cell.Source, cell.Line = r.Text[min(from, to):to], 1+strings.Count(r.Text[:min(from, to)], "\n")
	s.stream = &stream{call: c, run: place.Run, places: &cellPlaces{s, r.Text}}
	defer func() { s.stream = nil }()
	return s.run.Cell(ctx, cell).Diagnostics
}

// pause sends what a cell has done and takes the worker's messages, both now and then.
func (s *session) pause() {
	if s.stream != nil {
		s.stream.sendDue()
	}
	if time.Since(s.paused) >= pauseInterval {
		time.Sleep(pauseLength)
		s.paused = time.Now()
	}
}

// progress tells how far a launch has come.
func (s *session) progress(done, total int64) {
	if st := s.stream; st != nil && time.Since(st.told) >= pauseInterval {
		st.call.progress("run", int(done), int(total))
		st.told = time.Now()
	}
}

// sweeping tells which point of a sweep is next, and whether it is to be measured: until a person skips the rest.
func (s *session) sweeping(p host.SweepPoint) bool {
	if st := s.stream; st != nil {
		if p.Number == 1 {
			st.call.interrupts.skip.Store(false) // it was for a sweep that was over by then
		}
		st.sweeping = &Sweeping{Name: p.Name, Number: p.Number, Total: p.Total, LeftMS: milliseconds(p.Left())}
		st.sendDue()
		s.pause()
		return !st.call.interrupts.skip.Swap(false)
	}
	return true
}

// emit takes what happens to the cell that runs.
func (s *session) emit(e script.Event) {
	st := s.stream
	switch e.Kind {
	case script.Started:
		st.send()
	case script.Printed, script.Displayed, script.Failed:
		st.add(shownOutput(e.Output, s.codecs))
	case script.Launched:
		st.launches = append(st.launches, st.launch(e.Launch))
		st.sendDue()
	case script.Ranking:
		if s.launcher.Model != nil {
			st.ranking(e.Steps)
		}
	case script.Ranked:
		st.ranked(&e.Order)
	case script.Measured:
		st.measured(e.Sweep)
	case script.Ended:
		st.end(e.Cell, e.Result)
	}
}

// stream gathers what a cell does and sends it, at most every streamInterval.
type stream struct {
	call     *call
	run      int
	places   *cellPlaces
	outputs  []CellOutput
	launches []CellLaunch
	sweep    []SweepPoint
	sweeping *Sweeping
	points   int // of sweeps so far
	rankings rankings
	ended    *CellEnd
	sent     time.Time
	told     time.Time // its progress
}

// add takes an output; what is printed to one stream in a row is one.
func (s *stream) add(o CellOutput) {
	if n := len(s.outputs); n > 0 && s.outputs[n-1].Kind == o.Kind && (o.Kind == "stdout" || o.Kind == "stderr") {
		s.outputs[n-1].Text += o.Text
	} else {
		s.outputs = append(s.outputs, o)
	}
	s.sendDue()
}

// measured takes a point of a sweep.
func (s *stream) measured(m host.Measurement) {
	s.rankings.measured(&m)
	if s.points++; s.points > maxSweepPoints {
		return
	}
	p := SweepPoint{Name: m.Name, Label: m.Label, Number: m.Number, Total: m.Total, Best: m.Best,
		Failed: math.IsInf(m.Value, 0) || math.IsNaN(m.Value), SpillBytes: m.Code.SpillBytes,
		Registers: m.Code.Registers, CompileMS: milliseconds(m.Code.Took)}
	if !p.Failed {
		p.Value = m.Value
	}
	s.sweep = append(s.sweep, p)
	s.sendDue()
}

// end tells how the cell ended. What has ended it without an exception, such as a limit, has no traceback to show.
func (s *stream) end(c *document.Cell, r *script.Result) {
	ok := !r.Diagnostics.HasErrors()
	if n := len(r.Diagnostics); !ok && r.Traceback == "" && !r.Exited {
		s.outputs = append(s.outputs, CellOutput{Kind: "error", Text: r.Diagnostics[n-1].In(s.call.lang).Headline})
	}
	s.ended = &CellEnd{OK: ok, MS: milliseconds(r.Took), Count: c.Count, Launches: r.Launches}
	s.send()
}

func (s *stream) sendDue() {
	news := s.sweeping != nil || len(s.outputs)+len(s.launches)+len(s.sweep)+len(s.rankings.news) > 0
	if news && time.Since(s.sent) >= streamInterval {
		s.send()
	}
}

func (s *stream) send() {
	s.call.send(Reply{ID: s.call.id, Document: &DocumentReply{
		Run: s.run, Outputs: s.outputs, Launches: s.launches, Sweep: s.sweep, Rankings: s.rankings.tell(),
		Sweeping: s.sweeping, Ended: s.ended,
	}})
	s.outputs, s.launches, s.sweep, s.sweeping, s.sent = nil, nil, nil, nil, time.Now()
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
	file, ran, ok := p.session.run.Ran(offset)
	if !ok {
		return 0
	}
	// A cell lies where it ran, or where its text has moved to.
	start := lineStart(p.text, ran.Line-1)
	if start < 0 || !strings.HasPrefix(p.text[start:], ran.Source) {
		start = strings.Index(p.text, ran.Source)
	}
	if start < 0 {
		return 0
	}
	return int32(start) + sameColumn(file, offset, ran.Source, ran.Line-1)
}

// sameColumn is the offset in a text of the place that an offset is at in a file whose lines are those of the text,
// after some others.
func sameColumn(file *source.File, offset int32, text string, before int) int32 {
	line := file.Position(offset).Line
	in := source.NewFile(documentFile, text)
	to := in.LineSpan(max(1, min(line-before, in.LineCount())))
	return min(to.Start+max(0, offset-file.LineSpan(line).Start), to.End)
}

// checked is a document as one file of Python with the same lines, with notes on those that are IPython's own, and what
// the document asks for that newt does not have. live leaves out the branches of its top level that do not run. names
// are those of the files beside it.
func (*documents) checked(text string, names []string) (
	file *source.File, list diag.List, live func(*syntax.Module) *syntax.Module) {
	read, _ := document.ParseAs(document.Python, documentFile, text)
	if read == nil {
		return source.NewFile(documentFile, text), nil, nil
	}
	file, _, list = read.Program()
	beside := givenFiles{}
	for _, name := range names {
		beside[path.Clean(name)] = nil
	}
	tree, _ := syntax.Parse(file) // whose errors the compiler reports
	files := script.FilesOf(read, beside)
	o := host.Options{Files: files, Libraries: host.AllLibraries()}
	list.AddNew(host.Lacks(tree, o)...)
	return file, list, func(tree *syntax.Module) *syntax.Module { return host.EliminateDeadBranches(tree, o) }
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
