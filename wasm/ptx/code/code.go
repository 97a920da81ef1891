package code

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// MaxRequest is the largest request in bytes.
const MaxRequest = 32 << 20

// maxWarps is what a program on a GPU can have.
const maxWarps = 32

// targets are those that the page offers.
var targets = map[string]bool{"sm_80": true, "sm_90a": true}

// Handle serves one request and sends one reply. It never panics, and never fails but by a reply
// that says so.
func Handle(request []byte, send func(reply []byte)) {
	out := Reply{Done: true, PTX: []Line{}, Layouts: []Line{}}
	defer func() {
		if fault := recover(); fault != nil {
			out.Error = fmt.Sprintf("newt met a fault of its own: %v", fault)
		}
		text, err := json.Marshal(out)
		if err != nil {
			text = fmt.Appendf(nil, `{"id":%d,"done":true,"error":"the reply cannot be written"}`, out.ID)
		}
		send(text)
	}()
	var r Request
	if len(request) > MaxRequest {
		out.Error = fmt.Sprintf("the request has %d bytes; %d are allowed", len(request), MaxRequest)
		return
	}
	if err := json.Unmarshal(request, &r); err != nil {
		out.Error = "the request cannot be read: " + err.Error()
		return
	}
	out.ID = r.ID
	if err := out.compile(&r); err != nil {
		out.Error = err.Error()
	}
}

func (out *Reply) compile(r *Request) error {
	wire, err := base64.StdEncoding.DecodeString(r.IR)
	if err != nil {
		return errors.New("the IR is not base64")
	}
	fn, err := ir.Decode(wire)
	if err != nil || len(ir.Verify(fn)) > 0 {
		return errors.New("the IR cannot be read")
	}
	if !targets[r.Target] || r.NumWarps < 0 || r.NumWarps > maxWarps || r.NumWarps&(r.NumWarps-1) != 0 {
		return errors.New("the request names no known target, or no possible number of warps")
	}
	start := time.Now()
	m, err := ptx.Compile(fn, ptx.Options{Target: r.Target, NumWarps: r.NumWarps, FirstZero: wholeTensors(fn), PrintBytes: printBytes})
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
		out.Layouts = append(out.Layouts, place.of(l.Text, l.Span))
	}
	out.Threads, out.Shared = m.Threads, m.Shared
	return nil
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

// places finds lines for spans. Neighbouring lines of PTX mostly come from one place.
type places struct {
	file *source.File
	last source.Span
	at   Line
}

func (p *places) of(text string, span source.Span) Line {
	if span == (source.Span{}) || int(span.End) > len(p.file.Text) {
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
