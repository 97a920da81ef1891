package sched

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// fake is a device that compiles, and reports what a test wants.
type fake struct {
	compiled *device.Compiled
	late     bool // compiled is known after the launch only
	report   device.Report
	err      error // of Launch
	load     error
	options  device.Options
	launches int
}

func (f *fake) Capabilities() device.Capabilities      { return device.Capabilities{Name: "Fake"} }
func (f *fake) Alloc(bytes int) (device.Memory, error) { return memory(make([]byte, bytes)), nil }
func (f *fake) Close() error                           { return nil }
func (f *fake) Load(_ *ir.Func, o device.Options) (device.Kernel, error) {
	f.options = o
	return f, f.load
}

func (f *fake) Compiled() *device.Compiled {
	if f.late && f.launches == 0 {
		return nil
	}
	return f.compiled
}

func (f *fake) Launch(context.Context, device.Launch) (*device.Report, error) {
	f.launches++
	return &f.report, f.err
}

type memory []byte

func (m memory) Bytes() int                   { return len(m) }
func (m memory) Write(at int, b []byte) error { copy(m[at:], b); return nil }
func (m memory) Read(at int, b []byte) error  { copy(b, m[at:]); return nil }
func (m memory) Free()                        {}

const nothing = "func @nothing(%z: *i32) {\n  return\n}\n"

// events runs one job on a device and gives everything that is said about it.
func events(t *testing.T, f *fake, limits protocol.Limits) (list []protocol.ServerMessage) {
	t.Helper()
	return eventsOf(t, f, Options{Limits: limits}, func(*protocol.Submit) {})
}

// eventsOf is events for a scheduler with more options, and a job that asks for more.
func eventsOf(t *testing.T, f *fake, o Options, change func(*protocol.Submit)) (list []protocol.ServerMessage) {
	t.Helper()
	o.Devices = []Device{{"fake", f}}
	s := New(o)
	defer func() {
		s.Stop(t.Context(), 0)
		s.Close(t.Context())
	}()
	st, why := s.Open("here")
	if why != nil {
		t.Fatal(why.Code)
	}
	fn, err := ir.Parse(nothing)
	if err != nil {
		t.Fatal(err)
	}
	wire, zero := ir.Encode(fn), 0
	spec := &protocol.Submit{
		Job: 1, IRBytes: len(wire), Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
		Tensors: []protocol.Tensor{{Bytes: 4, Zero: true}}, NumWarps: 8, NumStages: 3, Timing: &protocol.TimingRequest{},
	}
	change(spec)
	if why := st.Submit(spec); why != nil {
		t.Fatal(why.Code)
	}
	h := protocol.Header{Kind: protocol.IRFrame, Job: 1}
	into, why := st.UploadBuffer(h, len(wire))
	if why != nil {
		t.Fatal(why.Code)
	}
	copy(into, wire)
	st.Uploaded(h, len(wire))
	for end := time.After(5 * time.Minute); ; {
		for frame, ok := st.Next(); ok; frame, ok = st.Next() {
			var m protocol.ServerMessage
			if err := json.Unmarshal(frame.Message, &m); err != nil {
				t.Fatal(err)
			}
			if list = append(list, m); m.Done != nil {
				return list
			}
		}
		select {
		case <-st.Wake():
		case <-end:
			t.Fatal("the job does not end")
		}
	}
}

func find[T any](list []protocol.ServerMessage, of func(protocol.ServerMessage) *T) *T {
	i := slices.IndexFunc(list, func(m protocol.ServerMessage) bool { return of(m) != nil })
	if i < 0 {
		return nil
	}
	return of(list[i])
}

func TestCompiled(t *testing.T) {
	compiled := &device.Compiled{
		PTX: "a\nb\n", Lines: []source.Span{{Start: 3, End: 5}, {}}, Registers: 40, SpillBytes: 8, SharedBytes: 1024,
		ToPTX: 2500 * time.Microsecond, ToSASS: time.Second, CacheHit: true, Log: "spilled",
	}
	for _, late := range []bool{false, true} {
		f := &fake{compiled: compiled, late: late}
		got := find(events(t, f, protocol.DefaultLimits()), func(m protocol.ServerMessage) *protocol.Compiled { return m.Compiled })
		if got == nil || got.PTX != "a\nb\n" || !slices.Equal(got.Lines, []int{3, 5, 0, 0}) || got.Registers != 40 || got.SpillBytes != 8 ||
			got.SharedBytes != 1024 || got.ToPTXMS != 2.5 || got.ToSASSMS != 1000 || !got.CacheHit || got.Log != "spilled" {
			t.Errorf("late %v: compiled is %+v", late, got)
		}
		if f.options != (device.Options{NumWarps: 8, NumStages: 3}) {
			t.Errorf("options are %+v", f.options)
		}
		if back := got.Device(); back.ToPTX != compiled.ToPTX || !slices.Equal(back.Lines, compiled.Lines) {
			t.Errorf("it came back as %+v", back)
		}
	}
	limits := protocol.DefaultLimits()
	limits.PTXBytes, limits.PrintBytes = 3, 5
	got := find(events(t, &fake{compiled: compiled}, limits), func(m protocol.ServerMessage) *protocol.Compiled { return m.Compiled })
	if got.PTX != "" || len(got.Lines) != 0 || got.Registers != 40 || got.Log != "spill" {
		t.Errorf("beyond the limits, compiled is %+v", got)
	}
}

// tools prints machine code, or says why it cannot.
type tools struct {
	text string
	err  error
	made *device.Compiled
}

func (o *tools) Disassembles(device.Capabilities) bool { return true }
func (o *tools) Disassembly(_ context.Context, fn *ir.Func, _ device.Options, _ device.Capabilities, made *device.Compiled,
) (*protocol.SASS, error) {
	o.made = made
	return &protocol.SASS{Arch: "sm_80", Text: o.text, Lines: []int{1, 2}}, o.err
}

// TestSASS: machine code is reported where a job asks for it, within its limit, or why there is none.
func TestSASS(t *testing.T) {
	of := func(o Options, asks bool) *protocol.SASS {
		f := &fake{compiled: &device.Compiled{PTX: "a"}}
		list := eventsOf(t, f, o, func(s *protocol.Submit) { s.SASS = asks })
		if done := list[len(list)-1].Done; done.State != protocol.StateDone {
			t.Errorf("the job is %s", done.State)
		}
		return find(list, func(m protocol.ServerMessage) *protocol.SASS { return m.SASS })
	}
	o := Options{Limits: protocol.DefaultLimits()}
	if got := of(o, true); got == nil || got.Problem == nil {
		t.Errorf("without tools: %+v", got)
	}
	printing := &tools{text: "EXIT ;\n"}
	o.Disassembler = printing
	if got := of(o, true); got == nil || got.Text != "EXIT ;\n" || len(got.Lines) != 2 || printing.made.PTX != "a" {
		t.Errorf("with tools: %+v of %+v", got, printing.made)
	}
	if got := of(o, false); got != nil {
		t.Errorf("unasked: %+v", got)
	}
	o.Limits.SASSBytes = 3
	if got := of(o, true); got == nil || got.Text != "" || len(got.Lines) != 0 || got.Problem != nil {
		t.Errorf("beyond the limit: %+v", got)
	}
	o.Disassembler = &tools{err: errors.New("no")}
	if got := of(o, true); got == nil || got.Problem == nil || got.Problem.Code != "runner-sass" {
		t.Errorf("with tools that fail: %+v", got)
	}
}

// What a kernel prints and does wrong has limits, and what is left out is counted.
func TestReportLimits(t *testing.T) {
	f := &fake{}
	for range 30 {
		f.report.Prints = append(f.report.Prints, device.Print{Program: [3]int{1, 2, 3}, Text: strings.Repeat("x", 400)})
		f.report.Diagnostics.Add(diag.New("loop-budget", source.Span{}, "(0, 0, 0)"))
	}
	f.report.PrintsDropped = 7
	limits := protocol.DefaultLimits()
	limits.PrintBytes, limits.MaxDiagnostics = 5000, 4
	list := events(t, f, limits)
	prints := find(list, func(m protocol.ServerMessage) *protocol.Prints { return m.Prints })
	if len(prints.Prints) != 10 || prints.Dropped != 27 || !slices.Equal(prints.Prints[0].Program, []int{1, 2, 3}) {
		t.Errorf("%d prints, %d dropped", len(prints.Prints), prints.Dropped)
	}
	found := find(list, func(m protocol.ServerMessage) *protocol.Diagnostics { return m.Diagnostics })
	if len(found.List) != 4 || found.Dropped != 26 {
		t.Errorf("%d diagnostics, %d dropped", len(found.List), found.Dropped)
	}
}

// An error of a device that is no fault is the runner's own, and its words stay in the log.
func TestDeviceErrors(t *testing.T) {
	secret := errors.New("/dev/secret: broken")
	for _, f := range []*fake{{err: secret}, {load: secret}} {
		list := events(t, f, protocol.DefaultLimits())
		done := list[len(list)-1].Done
		if done.State != protocol.StateFault || done.Fault.Code != "runner-internal" {
			t.Errorf("the job ends with %+v", done)
		}
		if text, _ := json.Marshal(list); strings.Contains(string(text), "secret") {
			t.Errorf("the client hears %s", text)
		}
	}
}

// A panic costs what it happened in, and is logged with its stack.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	s := &Scheduler{options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	if q := (&queue{id: "cuda:0"}); s.panics("it", q, func() {}) || !s.panics("it", q, func() { panic("here") }) {
		t.Error("a call that panics is taken for another")
	}
	for _, want := range []string{"msg=it", "device=cuda:0", "here", "TestPanics"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log, %s", want, &log)
		}
	}
}

// If all jobs take the same time, a queue's order is the one that it reports to its jobs: clients take turns, and the
// sessions of each.
func TestQueueOrder(t *testing.T) {
	machine, other := &client{}, &client{}
	clients := []*Session{{key: "a", client: machine}, {key: "b", client: other}, {key: "c", client: machine}}
	q := &queue{}
	var jobs []*job
	for _, who := range []int{0, 0, 0, 1, 2, 1} {
		j := &job{session: clients[who], spec: &protocol.Submit{Job: int64(len(jobs))}}
		jobs = append(jobs, j)
		q.pushBack(j)
	}
	q.remove(jobs[2])
	q.remove(jobs[2])
	var foretold, ran []int64
	q.eachInOrder(0, func(position int, j *job) {
		if position != len(foretold) {
			t.Errorf("job %d is at position %d of %d", j.spec.Job, position, len(foretold))
		}
		foretold = append(foretold, j.spec.Job)
	})
	for q.length > 0 {
		j := q.pop(0)
		ran = append(ran, j.spec.Job)
		j.session.account.charge(time.Millisecond, 0)
		j.session.client.account.charge(time.Millisecond, 0)
	}
	if j := q.pop(0); j != nil {
		t.Errorf("an empty queue gives job %d", j.spec.Job)
	}
	if want := []int64{0, 3, 4, 5, 1}; !slices.Equal(ran, want) || !slices.Equal(foretold, want) {
		t.Errorf("jobs were to run as %v, ran as %v, want %v", foretold, ran, want)
	}
}
