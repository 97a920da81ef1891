package code

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/dump"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/opt"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/wasm/rpc"
)

// MaxRequest is the largest request in bytes.
const MaxRequest = 32 << 20

// maxWarps is what a program on a GPU can have.
const maxWarps = 32

// maxEstimated bounds the warps of an estimate. The model refuses what a program cannot have as a GPU does.
const maxEstimated = 1 << 16

// maxStages is more than any kernel of the page's has use for.
const maxStages = 16

// Handle serves a request and sends one reply. It never panics, and never fails but by a reply
// that says so.
func Handle(request rpc.Message, send func(rpc.Message)) {
	out := Reply{ID: request.Call, Done: true}
	defer func() {
		if fault := recover(); fault != nil {
			out.Error = rpc.Fault(fault)
		}
		text, err := rpc.Encode(&out)
		if err != nil {
			text, _ = rpc.Encode(&Reply{ID: out.ID, Done: true, Error: "the reply cannot be written: " + err.Error()})
		}
		send(rpc.Message{Text: text})
	}()
	var r Request
	err := rpc.Decode(request.Text, MaxRequest, &r)
	if err == nil {
		err = out.serve(&r, request.Buffers)
	}
	if err != nil {
		out.Error = err.Error()
	}
}

func (out *Reply) serve(r *Request, buffers [][]byte) error {
	fn, err := function(r.IR)
	if err != nil {
		return err
	}
	most := maxWarps
	if r.Estimate {
		most = maxEstimated
	}
	// n&(n-1) is 0 for powers of two, and for 0, the default.
	if arch.Find(r.Target) == nil || r.NumWarps < 0 || r.NumWarps > most || r.NumWarps&(r.NumWarps-1) != 0 ||
		r.NumStages < 0 || r.NumStages > maxStages {
		return errors.New("the request names no known target, or no possible number of warps or stages")
	}
	switch {
	case r.Launch == "":
	case r.Estimate:
		return out.estimate(r, fn, buffers)
	default:
		return out.simulate(r, fn, buffers)
	}
	return out.compile(r, fn)
}

// function is a kernel of a request.
func function(text string) (*ir.Func, error) {
	wire, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("the IR is not base64")
	}
	fn, err := ir.Decode(wire)
	// The IR comes from outside of this program: the compiler relies on what Verify checks.
	if err != nil || len(ir.Verify(fn)) > 0 {
		return nil, errors.New("the IR cannot be read")
	}
	return fn, nil
}

func (out *Reply) compile(r *Request, fn *ir.Func) error {
	start := time.Now()
	o := ptx.Options{Target: r.Target, NumWarps: r.NumWarps, NumStages: r.NumStages,
		FirstZero: wholeTensors(fn), PrintBytes: printBytes}
	if r.Unchecked {
		// Every access counts as in bounds: the code of a build without checks, to compare with.
		o.Proved = func(*ir.Instr) bool { return true }
		o.Bounded = o.Proved
	}
	if required, limit := ptx.TritonShared(fn, o); required > limit {
		refusal := diag.New("triton-shared-memory", source.Span{}, fn.Name, required, limit, r.Target)
		d := refusal.In(diag.ParseLang(r.Lang))
		out.Refused = []string{d.Headline, d.Why, d.Help}
	}
	m, err := ptx.Compile(fn, o)
	out.TookMS = float64(time.Since(start)) / float64(time.Millisecond)
	var e *ptx.Error
	switch {
	case errors.As(err, &e):
		out.Problem = e.Diagnostic().In(diag.ParseLang(r.Lang)).Headline
		return nil
	case err != nil:
		return err
	}
	place := places{file: source.NewFile("kernel.py", r.Source)}
	for i, text := range strings.Split(strings.TrimSuffix(m.Text, "\n"), "\n") {
		line := Line{Text: text}
		if i < len(m.Lines) {
			line = place.of(text, m.Lines[i])
		}
		out.PTX = append(out.PTX, line)
	}
	for _, l := range m.Layouts {
		out.Layouts = append(out.Layouts, Tile{
			Name: l.Name, Type: l.Type.String(), Shape: append([]int{}, l.Shape...),
			Reg: ints(l.Reg), Lane: ints(l.Lane), Warp: ints(l.Warp),
			Line: place.of(place.snippet(l.Span), l.Span),
		})
	}
	out.Idle = idle(fn)
	out.Threads, out.Shared = m.Threads, m.Shared
	if r.Lowered == "" {
		return nil
	}
	text := ptx.Plan(fn, o).Text(place.file)
	o.Record = true // which names values
	return out.stages(r.Lowered, ptx.Plan(fn, o).Stages.Stages(), text, &place)
}

// stages runs the passes on a kernel as it was lowered, and tells what it is after each, what it is as it is placed on
// threads, and the plan of its PTX.
func (out *Reply) stages(lowered string, placed []dump.Stage, plan string, place *places) error {
	fn, err := function(lowered)
	if err != nil {
		return err
	}
	record := &dump.Recorder{}
	record.IR("lower", "", fn)
	opt.Run(fn, opt.Options{Stages: func(name string, fn *ir.Func) { record.IR(name, "", fn) }})
	for _, s := range append(record.Stages(), placed...) {
		stage := Stage{Name: s.Name, Changed: s.Changed, Lines: make([]Line, len(s.Lines))}
		for i, l := range s.Lines {
			stage.Lines[i] = place.of(l.Text, l.Span())
		}
		out.Stages = append(out.Stages, stage)
	}
	planned := Stage{Name: "plan", Changed: true}
	for text := range strings.Lines(plan) {
		planned.Lines = append(planned.Lines, Line{Text: strings.TrimSuffix(text, "\n")})
	}
	out.Stages = append(out.Stages, planned)
	return nil
}

// ints is a list for JSON, which is never null.
func ints(bases []uint32) []int {
	list := make([]int, len(bases))
	for i, b := range bases {
		list[i] = int(b)
	}
	return list
}

// idle reports whether a kernel leaves nothing behind.
func idle(fn *ir.Func) bool {
	acts := false
	fn.Body.Walk(func(in *ir.Instr) { acts = acts || in.Op.Has(ops.Writes) || in.Op.Has(ops.Effect) })
	return !acts
}

// printBytes is the print area that a runner's launches have by default.
const printBytes = 1 << 20

// wholeTensors says of every parameter that a pointer points to the start of its tensor, as the
// page's launches have it.
func wholeTensors(fn *ir.Func) []bool {
	first := make([]bool, len(fn.Params))
	for i := range first {
		first[i] = true
	}
	return first
}

// places finds lines for spans. Neighboring lines of PTX mostly come from one place.
type places struct {
	file *source.File
	last source.Span
	at   Line
}

// snippet is the first line of the text of a span.
func (p *places) snippet(span source.Span) string {
	text, _, _ := strings.Cut(p.file.Slice(span), "\n")
	return text
}

func (p *places) of(text string, span source.Span) Line {
	if span == (source.Span{}) || span.End > p.file.Span().End {
		return Line{Text: text}
	}
	if span != p.last {
		p.last = span
		p.at = Line{From: p.file.UTF16(span.Start), To: p.file.UTF16(span.End), Line: p.file.Position(span.Start).Line}
	}
	line := p.at
	line.Text = text
	return line
}
