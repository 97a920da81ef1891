package fleet

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"

	"github.com/newtlab/newt/runner/protocol"
)

// TestDecodingIsAlone: while the outcome of one worker is decoded, others claim jobs, fetch them, say that they are alive
// and answer, and the scheduler learns of the fleet's capacity.
func TestDecodingIsAlone(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	decoding, goOn := make(chan struct{}, 1), make(chan struct{})
	slow := make(chan struct{}, 1)
	slow <- struct{}{}
	g.decodings = make(chan struct{}, 2)
	g.decode = func(text []byte, o *outcome) error {
		select {
		case <-slow:
			decoding <- struct{}{}
			<-goOn
		default:
		}
		return json.Unmarshal(text, o)
	}
	f := joinFake(t, g, s.ClientURL())
	c := g.connect(t, "here")
	first := c.send(t, "cpu", increment, 41, 0)
	of, m, r := f.claim()
	head := text(t, good())
	whole := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(slices.Clone(head), 42), 1)
	size := request{Worker: f.id, Lease: r.Lease, Head: int64(len(head)), Total: int64(len(whole))}
	over := make(chan reply, 1)
	go func() {
		got, _, err := f.request(t.Context(), gatewaySubject+of.Gateway+"."+answerVerb+"."+f.user, size, whole)
		if err != nil {
			t.Error(err)
		}
		over <- got
	}()
	<-decoding
	g.mu.Lock()
	p := g.pools["cpu"]
	g.mu.Unlock()
	p.Capacity()
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 2)
	if got, _ := f.ask(of, aliveVerb, request{Lease: r.Lease}); got.State != stateYes {
		t.Errorf("the worker whose outcome is decoded is not heard: %+v", got)
	}
	other := g.connect(t, "there")
	wantAnswer(t, other.wait(t, other.send(t, "cpu", increment, 41, 0)))
	close(goOn)
	if got := <-over; got.State != stateYes || got.Next != size.Total {
		t.Errorf("the gateway says %+v", got)
	}
	m.Ack()
	wantAnswer(t, c.wait(t, first))
}

// TestAnswerMemory: the memory for results is taken as they arrive, a chunk at a time.
func TestAnswerMemory(t *testing.T) {
	l := protocol.DefaultLimits()
	submit := &protocol.Submit{Tensors: []protocol.Tensor{
		{Bytes: 2*l.ChunkBytes + 1, Return: true}, {Bytes: 1 << 30}, {Bytes: 5, Return: true},
	}}
	a, total := newAnswer(submit, l), int64(2*l.ChunkBytes+1+5+2)
	part := func(at int64, bytes int) (next int64, isLast bool) {
		t.Helper()
		next, isLast, err := a.add(request{At: at, Head: 2, Total: total}, make([]byte, bytes), l)
		if err != nil {
			t.Fatal(err)
		}
		return next, isLast
	}
	for _, step := range []struct {
		at            int64
		bytes, chunks int
	}{{0, 1, 0}, {0, 2, 0}, {1, 2, 1}, {3, l.ChunkBytes, 2}, {0, 3, 2}, {3 + int64(l.ChunkBytes), l.ChunkBytes, 3}} {
		if next, isLast := part(step.at, step.bytes); next != max(step.at+int64(step.bytes), next) || isLast || len(a.chunks) != step.chunks {
			t.Errorf("after %+v the answer is complete: %t, %d bytes are there in %d chunks", step, isLast, next, len(a.chunks))
		}
	}
	if next, isLast := part(a.received, int(total-a.received)); next != total || !isLast {
		t.Errorf("the last part leaves %d of %d bytes", next, total)
	}
	if next, isLast := part(total-1, 1); next != total || isLast {
		t.Error("the last part is so twice")
	}
	got := a.byTensor(submit)
	if len(got[0]) != 3 || len(got[0][2]) != 1 || got[1] != nil || len(got[2]) != 1 || len(got[2][0]) != 5 {
		t.Errorf("the chunks of the tensors are %d, %d and %d", len(got[0]), len(got[1]), len(got[2]))
	}
}
