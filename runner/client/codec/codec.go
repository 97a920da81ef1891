// Package codec translates between launches on a device and a runner's jobs, for both clients of a runner: package
// client and the page.
//
// A Function makes a Job of a launch: the message that submits it, the IR, and each piece of memory that the arguments
// point into once, whatever the number of pointers to it. What the runner says of the job is collected in an Outcome,
// which gives the launch's report and its fault.
package codec

import (
	"bytes"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// Function is a function as it travels.
type Function struct {
	ir      []byte // in wire form
	written []bool // by parameter: the kernel may write to what it points to
	options device.Options
}

// Load encodes a function.
func Load(fn *ir.Func, o device.Options) *Function { return &Function{ir.Encode(fn), fn.Written(), o} }

// Job is a launch as it travels, but for the job's number, its device and its deadline.
type Job struct {
	Submit   protocol.Submit
	IR       []byte
	Memories []device.Memory // one for each of Submit.Tensors
	Tensors  [][]byte        // their bytes before the launch
	Written  []bool          // the kernel may write to them
}

// Contents says how a piece of memory travels: its tensor, and the bytes if it is sent.
type Contents func(device.Memory) (t protocol.Tensor, data []byte, ok bool)

// Whole are the contents of memory that is sent with each launch, and sent back if it was written to.
func Whole(data []byte) protocol.Tensor {
	return protocol.Tensor{Bytes: len(data), Zero: allZero(data)}
}

// Job makes the job of a launch. contents is false for memory that a launch cannot use: the argument is then passed as
// nothing, which the runner's device refuses in its own words.
func (k *Function) Job(l device.Launch, contents Contents) *Job {
	j := &Job{IR: k.ir, Submit: protocol.Submit{
		Grid: l.Grid[:], Args: make([]protocol.Arg, len(l.Args)), NumWarps: k.options.NumWarps,
		NumStages: k.options.NumStages,
		Poison:    l.Poison, Races: l.Races, Budget: l.Budget,
	}}
	for i, a := range l.Args {
		switch a := a.(type) {
		case device.Scalar:
			j.Submit.Args[i] = protocol.ScalarArg(a.Scalar)
		case device.Pointer:
			if at, ok := j.tensor(a.Memory, contents); ok {
				j.Submit.Args[i] = protocol.Arg{Name: a.Name, DType: a.DType.Info().Short, Tensor: &at,
					Offset: a.Offset, Address: a.Address}
				// What no pointer writes through stays as it is here, and is not sent back.
				j.Written[at] = j.Written[at] || i >= len(k.written) || k.written[i]
				j.Submit.Tensors[at].Return = j.Written[at]
			}
		}
	}
	return j
}

// tensor is the index of the tensor that a piece of memory travels as.
func (j *Job) tensor(m device.Memory, contents Contents) (int, bool) {
	if at := slices.Index(j.Memories, m); at >= 0 {
		return at, true
	}
	t, data, ok := contents(m)
	if !ok {
		return 0, false
	}
	j.Memories, j.Tensors = append(j.Memories, m), append(j.Tensors, data)
	j.Submit.Tensors, j.Written = append(j.Submit.Tensors, t), append(j.Written, false)
	return len(j.Memories) - 1, true
}

// allZero tells of a tensor whether it need not be sent: a runner's memory begins as zeros.
func allZero(data []byte) bool {
	for len(data) > 0 {
		n := min(len(data), len(zeros))
		if !bytes.Equal(data[:n], zeros[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

var zeros [4096]byte

// Outcome is what a runner has said of a job, its results aside.
type Outcome struct {
	Refused     *protocol.Diagnostic // why it was not taken
	Done        protocol.Done
	Compiled    *device.Compiled
	Diagnostics diag.List
	Prints      protocol.Prints
	Timings     *device.Timings
}

// Add adds what a message says.
func (o *Outcome) Add(m *protocol.ServerMessage) {
	switch {
	case m.Compiled != nil:
		o.Compiled = m.Compiled.Device()
	case m.Diagnostics != nil:
		for i := range m.Diagnostics.List {
			o.Diagnostics.Add(m.Diagnostics.List[i].Diag())
		}
	case m.Prints != nil:
		o.Prints = *m.Prints
	case m.Timings != nil:
		o.Timings = m.Timings.Device()
	case m.Error != nil:
		o.Refused = &m.Error.Diagnostic
	case m.Done != nil:
		o.Done = *m.Done
	}
}

// Report is the launch's report.
func (o *Outcome) Report() *device.Report {
	report := &device.Report{
		Diagnostics: o.Diagnostics, PrintsDropped: o.Prints.Dropped, Programs: o.Done.Programs,
		Elapsed: time.Duration(o.Done.ElapsedNS),
	}
	for _, p := range o.Prints.Prints {
		report.Prints = append(report.Prints, p.Device())
	}
	return report
}

// Fault says why the launch did not run to its end; it is nil where it did.
func (o *Outcome) Fault() *Fault {
	switch {
	case o.Refused != nil:
		return Reported(o.Refused)
	case o.Done.State == protocol.StateDone:
		return nil
	}
	for _, why := range []*protocol.Diagnostic{o.Done.Reason, o.Done.Fault} {
		// That the job was cancelled is better said as devices say it: how far it came.
		if why != nil && (why.Code != "runner-cancelled" || o.Done.Fault == nil) {
			return Reported(why)
		}
	}
	return Failed("protocol-error", "the job ended without a status")
}

// Fault is an error of a runner, or of the connection to it, in words for the user.
type Fault struct{ diagnostic *diag.Diagnostic }

// Failed is the fault of a code of the catalogue.
func Failed(code string, args ...any) *Fault { return &Fault{diag.New(code, source.Span{}, args...)} }

// Reported is the fault that a runner's diagnostic describes.
func Reported(d *protocol.Diagnostic) *Fault { return &Fault{d.Diag()} }

func (f *Fault) Error() string { return f.diagnostic.In(diag.English).Headline }

// Diagnostic puts f in words.
func (f *Fault) Diagnostic() *diag.Diagnostic { return f.diagnostic }

var _ device.Fault = (*Fault)(nil)
