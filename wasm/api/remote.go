package api

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// launched is a LaunchedRequest with its buffers.
type launched struct {
	LaunchedRequest
	tensors [][]byte
}

// remotes brings LaunchedRequests to the calls that wait for them.
type remotes struct {
	mutex   sync.Mutex
	waiting map[int]chan *launched // by call
}

// expect opens the way for one LaunchedRequest to a call.
func (r *remotes) expect(call int) <-chan *launched {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.waiting == nil {
		r.waiting = map[int]chan *launched{}
	}
	r.waiting[call] = make(chan *launched, 1)
	return r.waiting[call]
}

// deliver hands l to its call; what no call waits for is dropped.
func (r *remotes) deliver(call int, l *launched) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if to := r.waiting[call]; to != nil {
		delete(r.waiting, call)
		to <- l
	}
}

// engine runs the launches of one call, and remembers how they compared.
type engine struct {
	launch   launch.Engine
	compared *Compared // nil where the page runs them itself
}

// engine is the one that a request asks for. Its context ends when nothing more can come of it.
func (c *call) engine(to *Remote) (context.Context, *engine) {
	if to == nil {
		return context.Background(), &engine{launch: launch.Interpret}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &remote{call: c, to: to, gone: cancel, compared: &Compared{}}
	return ctx, &engine{r.launch, r.compared}
}

// remote passes launches on to the page, which has a connection to a runner, and compares what
// comes back with its own run.
type remote struct {
	call     *call
	to       *Remote
	gone     context.CancelFunc
	launches int
	compared *Compared
}

func (r *remote) launch(ctx context.Context, k *launch.Kernel, args []launch.Arg, l tile.Launch) *launch.Outcome {
	number := r.launches
	r.launches++
	j := newJob(k, args, l)
	j.submit.Poison = l.Poison && r.to.Poisons
	if number == 0 && r.to.Times {
		j.submit.Timing = &protocol.TimingRequest{}
	}
	text, err := json.Marshal(&j.submit)
	if err != nil {
		return failed(err.Error())
	}
	answer := r.call.remotes.expect(r.call.id)
	r.call.send(Reply{ID: r.call.id, Launch: &Launch{Number: number, Submit: string(text)}}, j.buffers(ir.Encode(k.Func))...)
	// The page runs the launch too, while the device is at work.
	own := interpret(ctx, k, args, l, j.written(), number == 0)
	a := <-answer
	if a.Gone {
		r.gone()
		return failed("the runner is gone")
	}
	out := outcome(a.Messages)
	if !j.take(a.tensors) {
		return failed("a tensor has another size than before the launch")
	}
	if out.Fault == nil {
		r.compared.add(number, j.written(), own)
	}
	return out
}

func failed(why string) *launch.Outcome {
	return &launch.Outcome{Fault: diag.New("protocol-error", source.Span{}, why)}
}

// job is a launch as the protocol has it, and the tensors among its arguments.
type job struct {
	submit  protocol.Submit
	tensors []*tile.Buffer // one for each of submit.Tensors
}

func newJob(k *launch.Kernel, args []launch.Arg, l tile.Launch) *job {
	j := &job{submit: protocol.Submit{Grid: l.Grid[:], Budget: l.Budget, NumWarps: k.NumWarps, NumStages: k.NumStages}}
	s := &j.submit
	written := codec.Written(k.Func)
	for i, a := range k.Bind(args) {
		switch a := a.(type) {
		case tile.Buffer:
			at := len(s.Tensors)
			s.Args = append(s.Args, protocol.Arg{Name: a.Name, DType: a.DType.Info().Short, Tensor: &at, Offset: a.Offset})
			s.Tensors = append(s.Tensors, protocol.Tensor{Bytes: len(a.Data), Zero: codec.AllZero(a.Data), Return: written[i]})
			j.tensors = append(j.tensors, &a)
		case tile.Scalar:
			s.Args = append(s.Args, protocol.ScalarArg(a.Scalar))
		}
	}
	return j
}

// buffers are those of a Launch.
func (j *job) buffers(wire []byte) [][]byte {
	list := [][]byte{wire}
	for i, t := range j.tensors {
		if j.submit.Tensors[i].Zero {
			list = append(list, nil)
		} else {
			list = append(list, t.Data)
		}
	}
	return list
}

// take changes the tensors into what a launch returned; it is false where that has another size. A launch that did
// not run returns nothing.
func (j *job) take(returned [][]byte) bool {
	for i, t := range j.tensors {
		if i >= len(returned) || len(returned[i]) == 0 {
			continue
		}
		if len(returned[i]) != len(t.Data) {
			return false
		}
		copy(t.Data, returned[i])
	}
	return true
}

// written are the tensors that the kernel may write to.
func (j *job) written() []*tile.Buffer {
	var list []*tile.Buffer
	for i, t := range j.tensors {
		if j.submit.Tensors[i].Return {
			list = append(list, t)
		}
	}
	return list
}

// jobMessage is what concerns a launch of a protocol.ServerMessage. Reading it whole would bring all of the
// protocol's types into the page's program.
type jobMessage struct {
	Diagnostics *protocol.Diagnostics
	Prints      *protocol.Prints
	Error       *protocol.Error
	Done        *protocol.Done
}

// outcome reads a runner's messages about one job.
func outcome(messages []string) *launch.Outcome {
	out := failed("the job has no end")
	for _, text := range messages {
		var m jobMessage
		switch err := json.Unmarshal([]byte(text), &m); {
		case err != nil:
			return failed("a message cannot be read")
		case m.Diagnostics != nil:
			for i := range m.Diagnostics.List {
				out.Diagnostics.Add(m.Diagnostics.List[i].Diag())
			}
		case m.Prints != nil:
			for i := range m.Prints.Prints {
				p := m.Prints.Prints[i].Device()
				out.Prints = append(out.Prints, tile.Print{Program: p.Program, Span: p.Span, Text: p.Text})
			}
		case m.Error != nil:
			out.Fault = m.Error.Diagnostic.Diag()
		case m.Done != nil:
			out.Fault = ending(m.Done)
		}
	}
	return out
}

// ending is why a job did not come to its end; nil where it did.
func ending(d *protocol.Done) *diag.Diagnostic {
	switch {
	case d.State == protocol.StateDone:
		return nil
	case d.Reason != nil:
		return d.Reason.Diag()
	case d.Fault != nil:
		return d.Fault.Diag()
	}
	return failed("a job ended for no reason").Fault
}
