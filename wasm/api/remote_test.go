package api

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/protocol"
)

// elsewhere serves a request whose launches answer makes, and gives the last reply.
func elsewhere(t *testing.T, r Request, answer func(*Launch) LaunchedRequest) Reply {
	t.Helper()
	s := newServer(testBudget)
	var last Reply
	deliver := func(l LaunchedRequest) {
		l.Call = r.ID
		text, err := json.Marshal(Request{ID: 1000, Launched: &l})
		if err != nil {
			t.Error(err)
		}
		s.handle(text, func([]byte) { t.Error("a LaunchedRequest has no reply") })
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	s.handle(text, func(reply []byte) {
		var out Reply
		if err := json.Unmarshal(reply, &out); err != nil {
			t.Fatal(err)
		}
		if out.Launch != nil {
			deliver(answer(out.Launch))
		}
		last = out
	})
	if !last.Done {
		t.Fatal("there is no last reply")
	}
	return last
}

func solution(t *testing.T) Request {
	t.Helper()
	p, ok := puzzles.Get(1)
	if !ok {
		t.Fatal("no puzzle 1")
	}
	return Request{ID: 5, Lang: "en", Puzzle: &PuzzleRequest{Puzzle: 1, Source: p.Text.Solutions[0].Source, Remote: &Remote{Poisons: true, Times: true}}}
}

const ended = `{"job":1,"seq":9,"done":{"state":"done"}}`

// TestRemoteLaunch looks at what a runner is asked for.
func TestRemoteLaunch(t *testing.T) {
	number := 0
	reply := elsewhere(t, solution(t), func(l *Launch) LaunchedRequest {
		var s protocol.Submit
		if err := json.Unmarshal([]byte(l.Submit), &s); err != nil {
			t.Fatal(err)
		}
		wire, _ := base64.StdEncoding.DecodeString(l.IR)
		s.Job, s.IRBytes = 1, len(wire)
		if d := s.Check(protocol.DefaultLimits()); d != nil {
			t.Errorf("a runner refuses it: %v", d.Args)
		}
		if _, err := ir.Decode(wire); err != nil {
			t.Error(err)
		}
		if l.Number != number || (s.Timing != nil) != (number == 0) || s.Poison != (number > 0) || len(l.Tensors) != 2 {
			t.Errorf("launch %d: %s", number, l.Submit)
		}
		number++
		return LaunchedRequest{Messages: []string{ended}, Tensors: l.Tensors}
	})
	// The device did nothing: its tensors are as they were.
	v := reply.Verdict
	if v == nil || v.Pass || number != 4 || v.Compared == nil || v.Compared.Different == 0 || v.Compared.First == nil {
		t.Fatalf("%d launches, %+v", number, v)
	}
	if c := v.Compared; c.ReadBytes != 128 || c.WrittenBytes != 128 {
		t.Errorf("%d bytes read and %d written, not 32 floats each", c.ReadBytes, c.WrittenBytes)
	}
}

// TestRemoteAnswers: whatever comes back, there is a verdict.
func TestRemoteAnswers(t *testing.T) {
	refused := `{"job":1,"error":{"diagnostic":{"code":"runner-queue-full","severity":"error","args":[{"number":3}]}}}`
	for _, c := range []struct {
		name   string
		answer func(*Launch) LaunchedRequest
		code   string // of the only diagnostic
	}{
		{"gone", func(*Launch) LaunchedRequest { return LaunchedRequest{Gone: true} }, "runner-odd"},
		{"refused", func(*Launch) LaunchedRequest { return LaunchedRequest{Messages: []string{refused}} }, "runner-queue-full"},
		{"nonsense", func(*Launch) LaunchedRequest { return LaunchedRequest{Messages: []string{"<html>"}} }, "runner-odd"},
		{"no end", func(*Launch) LaunchedRequest { return LaunchedRequest{} }, "runner-odd"},
		{"an end for no reason", func(*Launch) LaunchedRequest { return LaunchedRequest{Messages: []string{`{"done":{"state":"x"}}`}} }, "runner-odd"},
		{"a short tensor", func(*Launch) LaunchedRequest {
			return LaunchedRequest{Messages: []string{ended}, Tensors: []string{"AAAA", "AAAA"}}
		}, "runner-odd"},
		{"no base64", func(*Launch) LaunchedRequest {
			return LaunchedRequest{Messages: []string{ended}, Tensors: []string{"?", "?"}}
		}, "runner-odd"},
	} {
		v := elsewhere(t, solution(t), c.answer).Verdict
		if v == nil || v.Pass || len(v.Diagnostics) == 0 || !strings.HasPrefix(v.Diagnostics[0].Code, c.code) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestIR gives what a check compiles, for the compiler to PTX.
func TestIR(t *testing.T) {
	p, _ := puzzles.Get(1)
	got := ask(t, Request{ID: 1, IR: &IRRequest{Of: CheckRequest{Source: p.Text.Solutions[0].Source, Puzzle: 1}}}).IR
	wire, err := base64.StdEncoding.DecodeString(got.IR)
	if err != nil || got.Kernel != p.Kernel {
		t.Fatalf("%+v", got)
	}
	if _, err := ir.Decode(wire); err != nil {
		t.Error(err)
	}
	if got := ask(t, Request{ID: 1, IR: &IRRequest{Of: CheckRequest{Source: "x = (", Puzzle: 1}}}).IR; got.IR != "" {
		t.Errorf("what does not compile has IR: %+v", got)
	}
}
