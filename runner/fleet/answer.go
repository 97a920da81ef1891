package fleet

import (
	"errors"
	"sync"

	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// answer is what has arrived of a worker's outcome: its JSON, which is the head, and then the results. The lock is its
// own, so that copying and decoding it keeps nobody else waiting.
type answer struct {
	mu       sync.Mutex
	sizes    []int // of the chunks of the results, in the order of the tensors
	results  int64 // the sum of the sizes
	headSize int64
	total    int64 // 0 before the first part
	received int64
	head     []byte
	chunks   [][]byte // of the results; all but the last are full
}

// newAnswer is the answer to a job before its first part.
func newAnswer(submit *protocol.Submit, l protocol.Limits) *answer {
	a := &answer{results: resultBytes(submit)}
	for _, t := range submit.Tensors {
		for n := t.Bytes; t.Return && n > 0; n -= l.ChunkBytes {
			a.sizes = append(a.sizes, min(n, l.ChunkBytes))
		}
	}
	return a
}

// The errors of an answer's parts.
var (
	errLongOutcome = errors.New("its outcome is too long")
	errResultSize  = errors.New("its results have another size than the tensors")
	errParts       = errors.New("the parts of its answer do not agree")
	errNotJSON     = errors.New("its outcome is not JSON")
	errKernel      = errors.New("it cannot read a kernel that was verified here")
	errIncomplete  = errors.New("its results are incomplete")
)

// add appends a part. next is the first byte that is missing: what came before is ignored, and a part that is ahead is
// asked for again. isLast is true once, for the part that completes the answer.
func (a *answer) add(q request, part []byte, l protocol.Limits) (next int64, isLast bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.total == 0 {
		switch {
		case q.Head <= 0 || q.Head > maxOutcome(l):
			return 0, false, errLongOutcome
		case q.Total != q.Head && q.Total != q.Head+a.results:
			return 0, false, errResultSize
		}
		a.headSize, a.total = q.Head, q.Total
	}
	size := int64(len(part))
	switch {
	case q.Total != a.total || q.Head != a.headSize || q.At < 0 || q.At > a.total-size:
		return 0, false, errParts
	case q.At > a.received || q.At+size <= a.received:
		return a.received, false, nil
	}
	a.append(part[a.received-q.At:])
	return a.received, a.received == a.total, nil
}

// append appends bytes. The memory for a chunk is taken when its first byte is there.
func (a *answer) append(data []byte) {
	n := min(int64(len(data)), max(0, a.headSize-a.received))
	a.head = append(a.head, data[:n]...)
	a.received += int64(len(data))
	for data = data[n:]; len(data) > 0; {
		last := len(a.chunks) - 1
		if last < 0 || len(a.chunks[last]) == cap(a.chunks[last]) {
			last++
			a.chunks = append(a.chunks, make([]byte, 0, a.sizes[last]))
		}
		chunk := a.chunks[last]
		n := min(len(data), cap(chunk)-len(chunk))
		a.chunks[last], data = append(chunk, data[:n]...), data[n:]
	}
}

// outcome decodes and checks an answer that is complete: nothing changes it any more, so it needs no lock.
func (a *answer) outcome(
	submit *protocol.Submit, l protocol.Limits, decode func([]byte, *outcome) error,
) (*sched.Outcome, error) {
	var o outcome
	if decode(a.head, &o) != nil {
		return nil, errNotJSON
	}
	if o.Done != nil && o.Done.Reason != nil && o.Done.Reason.Code == "runner-ir" {
		return nil, errKernel
	}
	if err := o.check(submit, l); err != nil {
		return nil, err
	}
	if a.results > 0 && o.Results != (a.total > a.headSize) {
		return nil, errIncomplete
	}
	if !o.Results {
		return o.sched(nil), nil
	}
	return o.sched(a.byTensor(submit)), nil
}

// byTensor are the chunks of each tensor.
func (a *answer) byTensor(submit *protocol.Submit) [][][]byte {
	out, at := make([][][]byte, len(submit.Tensors)), 0
	for i, t := range submit.Tensors {
		for n := t.Bytes; t.Return && n > 0; at++ {
			out[i] = append(out[i], a.chunks[at])
			n -= len(a.chunks[at])
		}
	}
	return out
}

// answer takes a part of an outcome. The last one is answered when the outcome has been decoded, which takes a second
// where it is large; a worker that sends it again meanwhile is not answered.
func (g *Gateway) answer(q request, part []byte, respond responder) {
	var j *job
	var a *answer
	if r := g.onLease(q, func(of *job) reply { j, a = of, of.lease.answer; return reply{} }); a == nil {
		respond(r, nil)
		return
	}
	switch next, isLast, err := a.add(q, part, g.limits); {
	case err != nil:
		respond(g.onLease(q, func(j *job) reply { return g.refuse(j, err.Error()) }), nil)
	case isLast:
		go g.conclude(q, j.task.Submit, a, respond)
	case next < q.Total:
		respond(reply{State: stateYes, Next: next}, nil)
	}
}

// conclude ends a job with a complete answer.
func (g *Gateway) conclude(q request, submit *protocol.Submit, a *answer, respond responder) {
	g.decodings <- struct{}{}
	o, err := a.outcome(submit, g.limits, g.decode)
	<-g.decodings
	respond(g.onLease(q, func(j *job) reply {
		if err != nil {
			return g.refuse(j, err.Error())
		}
		g.finish(j, o)
		return reply{State: stateYes, Next: q.Total}
	}), nil)
}
