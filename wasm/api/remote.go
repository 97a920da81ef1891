package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/runner/protocol"
)

// remotes brings LaunchedRequests to the calls that wait for them.
type remotes struct {
	mutex   sync.Mutex
	waiting map[int]chan *LaunchedRequest
}

// expect opens the way for one LaunchedRequest to a call.
func (r *remotes) expect(call int) <-chan *LaunchedRequest {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.waiting == nil {
		r.waiting = map[int]chan *LaunchedRequest{}
	}
	r.waiting[call] = make(chan *LaunchedRequest, 1)
	return r.waiting[call]
}

// deliver hands l to its call; what no call waits for is dropped.
func (r *remotes) deliver(l *LaunchedRequest) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if to := r.waiting[l.Call]; to != nil {
		delete(r.waiting, l.Call)
		to <- l
	}
}

// engine runs the launches of one call, and remembers how they compared.
type engine struct {
	launch   judge.Engine
	compared *Compared // nil where the page runs them itself
}

// engine is the one that a request asks for. Its context ends when nothing more can come of it.
func (c *call) engine(to *Remote) (context.Context, *engine) {
	if to == nil {
		return context.Background(), &engine{launch: judge.Interpret}
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

func (r *remote) launch(ctx context.Context, k *launch.Kernel, args []launch.Arg, l tile.Launch) *judge.Outcome {
	number := r.launches
	r.launches++
	submit, tensors := job(k, args, l)
	submit.Poison = l.Poison && r.to.Poisons
	if number == 0 && r.to.Times {
		submit.Timing = &protocol.TimingRequest{}
	}
	text, err := json.Marshal(submit)
	if err != nil {
		return failed(err.Error())
	}
	message := &Launch{Number: number, Submit: string(text), IR: base64.StdEncoding.EncodeToString(ir.Encode(k.Func))}
	for _, t := range tensors {
		message.Tensors = append(message.Tensors, base64.StdEncoding.EncodeToString(t))
	}
	answer := r.call.remotes.expect(r.call.id)
	r.call.send(Reply{ID: r.call.id, Launch: message})
	// The page runs the launch too, while the device is at work.
	own := interpret(ctx, k, args, l, number == 0)
	a := <-answer
	if a.Gone {
		r.gone()
		return failed("the runner is gone")
	}
	out := outcome(a.Messages)
	for i, t := range tensors {
		if i >= len(a.Tensors) || a.Tensors[i] == "" {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(a.Tensors[i])
		if err != nil || len(data) != len(t) {
			return failed("a tensor has another size than before the launch")
		}
		copy(t, data)
	}
	if out.Fault == nil {
		r.compared.add(number, args, own)
	}
	return out
}

func failed(why string) *judge.Outcome {
	return &judge.Outcome{Fault: diag.New("runner-odd", source.Span{}, why)}
}

// job is a launch as the protocol has it, and the memory of its tensors.
func job(k *launch.Kernel, args []launch.Arg, l tile.Launch) (*protocol.Submit, [][]byte) {
	s := &protocol.Submit{Grid: l.Grid[:], Budget: l.Budget, NumWarps: k.NumWarps, NumStages: k.NumStages}
	var tensors [][]byte
	for _, a := range k.Bind(args) {
		switch a := a.(type) {
		case tile.Buffer:
			at := len(tensors)
			s.Args = append(s.Args, protocol.Arg{Name: a.Name, DType: a.DType.Info().Short, Tensor: &at, Offset: a.Offset})
			s.Tensors = append(s.Tensors, protocol.Tensor{Bytes: len(a.Data), Return: true})
			tensors = append(tensors, a.Data)
		case tile.Scalar:
			s.Args = append(s.Args, protocol.ScalarArg(a.Scalar))
		}
	}
	return s, tensors
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
func outcome(messages []string) *judge.Outcome {
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
