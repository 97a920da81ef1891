package api

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
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
		// The channel has room for one: deliver never waits, whether or not the call still does.
		to <- l
	}
}

// device is the one that a request asks for, and how its launches compare with the page's own; both are nil where the
// page runs them itself. The context ends when nothing more can come of the device.
func (c *call) device(to *Remote) (context.Context, device.Device, *Compared) {
	if to == nil {
		return context.Background(), nil, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &remote{call: c, to: to, gone: cancel, compared: &Compared{}}
	return ctx, r, r.compared
}

// remote is the device of a runner to which the page has a connection: the page passes each launch on, and runs it on
// its own interpreter too, to compare.
type remote struct {
	pageMemory
	call     *call
	to       *Remote
	gone     context.CancelFunc
	launches int
	compared *Compared
}

func (r *remote) Capabilities() device.Capabilities {
	return device.Capabilities{Poisons: r.to.Poisons}
}

// memory is the page's: a launch sends its bytes, and copies what comes back into them.
type memory struct {
	device.Memory // the same bytes, as the interpreter has them
	data          []byte
}

// contents is how memory travels.
func contents(m device.Memory) (protocol.Tensor, []byte, bool) {
	data := m.(*memory).data
	return codec.Whole(data), data, true
}

// pageMemory is what devices have in common whose memory is the page's.
type pageMemory struct{}

// Wrap implements device.InPlace.
func (pageMemory) Wrap(data []byte) device.Memory { return &memory{wrap(data), data} }

// wrap makes memory of the interpreter.
func wrap(data []byte) device.Memory { return launch.Interpreter.(device.InPlace).Wrap(data) }

func (p pageMemory) Alloc(bytes int) (device.Memory, error) { return p.Wrap(make([]byte, bytes)), nil }

func (pageMemory) Close() error { return nil }

func (r *remote) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	own, err := launch.Interpreter.Load(fn, o)
	return &kernel{r, codec.Load(fn, o), own}, err
}

// measured is how long a launch is measured. Whoever runs it waits for that, and 20 ms are hundreds of launches of what
// puzzles launch; do_bench's times would be most of what a check takes.
var measured = protocol.TimingRequest{WarmupMS: 5, MeasureMS: 20}

// kernel is a function that travels with each launch.
type kernel struct {
	remote *remote
	code   *codec.Function
	own    device.Kernel // on the interpreter
}

func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	r := k.remote
	number := r.launches
	r.launches++
	j := k.code.Job(l, contents)
	j.Submit.Poison = l.Poison && r.to.Poisons
	// Only the first launch is timed and its accesses are counted: what a page shows is of one launch.
	if number == 0 && r.to.Times {
		j.Submit.Timing = &measured
	}
	text, err := json.Marshal(&j.Submit)
	if err != nil {
		return &device.Report{}, codec.Failed("protocol-error", err.Error())
	}
	answer := r.call.remotes.expect(r.call.id)
	r.call.send(Reply{ID: r.call.id, Launch: &Launch{Number: number, Submit: string(text)}}, buffers(j)...)
	// The page runs the launch too, while the device is at work.
	own := k.interpret(ctx, l, written(l, j), number == 0)
	a := <-answer // or Lost: the page answers in any case
	if a.Lost != "" {
		r.gone()
		return &device.Report{}, codec.Failed(a.Lost)
	}
	out, fault := read(a.Messages)
	if fault == nil {
		fault = out.Fault()
	}
	// A launch that failed on its way has changed memory, too.
	if !take(j, a.tensors) {
		fault = codec.Failed("protocol-error", "a tensor has another size than before the launch")
	}
	if fault != nil {
		return out.Report(), fault
	}
	r.compared.add(number, own)
	return out.Report(), nil
}

// buffers are those of a Launch.
func buffers(j *codec.Job) [][]byte { return append([][]byte{j.IR}, tensorBuffers(j)...) }

// tensorBuffers are the tensors of a launch.
func tensorBuffers(j *codec.Job) (list [][]byte) {
	for i, data := range j.Tensors {
		// The runner makes tensors of zeros itself.
		if j.Submit.Tensors[i].Zero {
			data = nil
		}
		list = append(list, data)
	}
	return list
}

// take changes the tensors into what a launch returned; it is false where that has another size. A launch that did
// not run returns nothing.
func take(j *codec.Job, returned [][]byte) bool {
	for i, data := range j.Tensors {
		if i >= len(returned) || len(returned[i]) == 0 {
			continue
		}
		if len(returned[i]) != len(data) {
			return false
		}
		copy(data, returned[i])
	}
	return true
}

// written are the arguments that point into memory that the kernel may write to, one for each piece of it.
func written(l device.Launch, j *codec.Job) (list []device.Pointer) {
	for i, m := range j.Memories {
		if j.Submit.Tensors[i].Return {
			at := slices.IndexFunc(l.Args, func(a device.Arg) bool {
				p, ok := a.(device.Pointer)
				return ok && p.Memory == m
			})
			list = append(list, l.Args[at].(device.Pointer))
		}
	}
	return list
}

// read collects a runner's messages about one job.
func read(messages []string) (*codec.Outcome, *codec.Fault) {
	out := &codec.Outcome{}
	for _, text := range messages {
		var m protocol.ServerMessage
		if json.Unmarshal([]byte(text), &m) != nil {
			return out, codec.Failed("protocol-error", "a message cannot be read")
		}
		out.Add(&m)
	}
	return out, nil
}
