package api

import (
	"encoding/json"
	"testing"

	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/wasm/rpc"
)

// jobRequest asks for a launch as it travels.
func jobRequest(t *testing.T, of InspectRequest) (*JobReply, [][]byte) {
	t.Helper()
	text, err := json.Marshal(&Request{Lang: "en", Job: &JobRequest{Of: of}})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	var buffers [][]byte
	serve(t, newServer(testBudget), rpc.Message{Text: text}, func(r *Reply, b [][]byte) { last, buffers = r, b })
	if last == nil || !last.Done || last.Job == nil {
		t.Fatalf("%+v", last)
	}
	return last.Job, buffers
}

// TestJob: the launch of a puzzle's test travels with its grid, its arguments and its tensors, and is not made.
func TestJob(t *testing.T) {
	r, buffers := jobRequest(t, InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}})
	if r.Message != "" || r.Kernel.Kernel != "add_mask2_kernel" || r.Kernel.IR == "" {
		t.Fatalf("%+v", r)
	}
	m, err := protocol.ReadClient([]byte(r.Launch))
	if err != nil || m.Submit == nil {
		t.Fatalf("%v: %s", err, r.Launch)
	}
	s := m.Submit
	if s.Grid[0] != 7 || len(s.Args) == 0 || len(s.Tensors) != 2 || len(buffers) != 2 {
		t.Fatalf("%s, %d buffers", r.Launch, len(buffers))
	}
	if s.Tensors[0].Zero || s.Tensors[0].Return || len(buffers[0]) != 4*200 || !s.Tensors[1].Return {
		t.Errorf("%s, %d bytes", r.Launch, len(buffers[0]))
	}
	if wrong := s.Check(protocol.Limits{IRBytes: 1 << 20, Args: 10, Tensors: 10, JobBytes: 1 << 20}); wrong != nil {
		t.Errorf("%+v", wrong)
	}
	none, _ := jobRequest(t, InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: "import nothing"}})
	if none.Message == "" || none.Launch != "" {
		t.Errorf("of what does not compile: %+v", none)
	}
}
