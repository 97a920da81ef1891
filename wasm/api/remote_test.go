package api

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/wasm/rpc"
)

// answer is what comes of a launch elsewhere.
type answer func(l *Launch, buffers [][]byte) (LaunchedRequest, [][]byte)

// elsewhere serves a request whose launches answer makes, and gives the last reply.
func elsewhere(t *testing.T, r Request, answer answer) *Reply {
	t.Helper()
	return elsewhereRaw(t, r, func(l *Launch, buffers [][]byte) rpc.Message {
		launched, tensors := answer(l, buffers)
		text, err := json.Marshal(Request{Launched: &launched})
		if err != nil {
			t.Error(err)
		}
		return rpc.Message{Text: text, Buffers: tensors}
	})
}

// elsewhereRaw hands whatever answer gives to the call that asked for a launch.
func elsewhereRaw(t *testing.T, r Request, answer func(*Launch, [][]byte) rpc.Message) *Reply {
	t.Helper()
	s := newDocumentServer(testBudget, testLibraries)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	serve(t, s, rpc.Message{Call: 5, Text: text}, func(r *Reply, buffers [][]byte) {
		if r.Launch != nil {
			m := answer(r.Launch, buffers)
			m.Call = r.ID
			serve(t, s, m, func(r *Reply, _ [][]byte) { last = r })
		}
		if last == nil || last.Error == "" {
			last = r
		}
	})
	if last == nil || !last.Done {
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
	return Request{Lang: "en", Puzzle: &PuzzleRequest{Puzzle: 1, Source: p.Text.Solutions[0].Source, Remote: &Remote{Poisons: true, Times: true}}}
}

const ended = `{"job":1,"seq":9,"done":{"state":"done"}}`

// TestRemoteLaunch looks at what a runner is asked for.
func TestRemoteLaunch(t *testing.T) {
	number := 0
	reply := elsewhere(t, solution(t), func(l *Launch, buffers [][]byte) (LaunchedRequest, [][]byte) {
		var s protocol.Submit
		if err := json.Unmarshal([]byte(l.Submit), &s); err != nil {
			t.Fatal(err)
		}
		wire, tensors := buffers[0], buffers[1:]
		s.Job, s.IRBytes = 1, len(wire)
		if d := s.Check(protocol.DefaultLimits()); d != nil {
			t.Errorf("a runner refuses it: %v", d.Args)
		}
		if _, err := ir.Decode(wire); err != nil {
			t.Error(err)
		}
		if l.Number != number || (s.Timing != nil) != (number == 0) || s.Poison != (number > 0) || len(tensors) != 2 {
			t.Errorf("launch %d: %s", number, l.Submit)
		}
		if s.Tensors[0].Return || !s.Tensors[1].Return {
			t.Errorf("launch %d: what the kernel reads comes back, or what it writes does not: %s", number, l.Submit)
		}
		number++
		// The device did nothing: its tensors are as they were.
		written := tensors[1]
		if s.Tensors[1].Zero {
			written = make([]byte, s.Tensors[1].Bytes)
		}
		return LaunchedRequest{Messages: []string{ended}}, [][]byte{nil, written}
	})
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
		name    string
		answer  LaunchedRequest
		tensors [][]byte
		code    string // of the only diagnostic
	}{
		{"gone", LaunchedRequest{Lost: "runner-lost"}, nil, "runner-lost"},
		{"refused", LaunchedRequest{Messages: []string{refused}}, nil, "runner-queue-full"},
		{"nonsense", LaunchedRequest{Messages: []string{"<html>"}}, nil, "protocol-error"},
		{"no end", LaunchedRequest{}, nil, "protocol-error"},
		{"an end for no reason", LaunchedRequest{Messages: []string{`{"done":{"state":"x"}}`}}, nil, "protocol-error"},
		{"a short tensor", LaunchedRequest{Messages: []string{ended}}, [][]byte{nil, {1, 2, 3}}, "protocol-error"},
	} {
		v := elsewhere(t, solution(t), func(*Launch, [][]byte) (LaunchedRequest, [][]byte) { return c.answer, c.tensors }).Verdict
		if v == nil || v.Pass || len(v.Diagnostics) == 0 || !strings.HasPrefix(v.Diagnostics[0].Code, c.code) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestUndecodable: an answer that cannot be decoded fails the call that waits for it, at once.
func TestUndecodable(t *testing.T) {
	for name, text := range map[string]string{
		"nonsense": "<html>", "too long": `{"launched":{"messages":["` + strings.Repeat("x", MaxRequest) + `"]}}`,
	} {
		reply := elsewhereRaw(t, solution(t), func(*Launch, [][]byte) rpc.Message { return rpc.Message{Text: []byte(text)} })
		if reply.ID != 5 || reply.Error == "" {
			t.Errorf("%s: %+v", name, reply)
		}
	}
}

// TestUnfinished: what is too much work for the page is not compared, and the device's result holds.
func TestUnfinished(t *testing.T) {
	free := freeOf(kernelOf("i = 0\nwhile i < 1000000000:\n    i += n\ntl.store(x_ptr, i)"))
	free.Remote = &Remote{}
	f := elsewhere(t, Request{Free: free}, func(_ *Launch, buffers [][]byte) (LaunchedRequest, [][]byte) {
		return LaunchedRequest{Messages: []string{ended}}, buffers[1:]
	}).Free
	if f == nil || !f.OK || f.Compared.Launches != 0 || f.Compared.Unfinished != 1 {
		t.Errorf("%+v", f)
	}
}

// TestLargeTensors: the tensors of three matrices of 4096 by 4096 travel as they are, there and back.
func TestLargeTensors(t *testing.T) {
	const side = "4096, 4096"
	matrix := func(name, fill string) FreeArg {
		return FreeArg{Name: name, Kind: "tensor", DType: "float32", Shape: side, Fill: fill}
	}
	r := Request{Free: &FreeRequest{
		Source: kernelHead + "@triton.jit\ndef add(x, y, z, n: tl.constexpr, B: tl.constexpr):\n" +
			"    i = tl.program_id(0) * n + tl.arange(0, B)\n    tl.store(z + i, tl.load(x + i) + tl.load(y + i))\n",
		Grid: "4096", Args: []FreeArg{
			matrix("x", "ones"), matrix("y", "arange"), matrix("z", "zeros"),
			{Name: "n", Kind: "constexpr", Value: "4096"}, {Name: "B", Kind: "constexpr", Value: "64"},
		},
		Remote: &Remote{},
	}}
	const bytes = 4096 * 4096 * 4
	reply := elsewhere(t, r, func(l *Launch, buffers [][]byte) (LaunchedRequest, [][]byte) {
		if len(l.Submit) > 1000 || len(buffers[1]) != bytes || len(buffers[2]) != bytes || len(buffers[3]) != 0 {
			t.Errorf("buffers of %d, %d and %d bytes with %.1000s", len(buffers[1]), len(buffers[2]), len(buffers[3]), l.Submit)
		}
		z := make([]byte, bytes)
		for row := 0; row < bytes; row += 4 * 4096 {
			for at := row; at < row+4*64; at += 4 {
				x, y := float32At(buffers[1], at), float32At(buffers[2], at)
				binary.LittleEndian.PutUint32(z[at:], math.Float32bits(x+y))
			}
		}
		return LaunchedRequest{Messages: []string{ended}}, [][]byte{nil, nil, z}
	})
	f := reply.Free
	if f == nil || !f.OK || f.Compared == nil || f.Compared.Different != 0 || f.Compared.Elements != bytes/4 {
		t.Fatalf("%s %+v", reply.Error, f.Compared)
	}
	if got := f.Tensors[2].Changed; got != 4096*64 {
		t.Errorf("%d elements changed", got)
	}
}

func float32At(data []byte, at int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))
}

// TestIR gives what a check compiles, for the compiler to PTX.
func TestIR(t *testing.T) {
	p, _ := puzzles.Get(1)
	got := ask(t, Request{IR: &IRRequest{Of: CheckRequest{Source: p.Text.Solutions[0].Source, Puzzle: 1}}}).IR
	wire, err := base64.StdEncoding.DecodeString(got.IR)
	if err != nil || got.Kernel != p.Kernel {
		t.Fatalf("%+v", got)
	}
	if _, err := ir.Decode(wire); err != nil {
		t.Error(err)
	}
	if got := ask(t, Request{IR: &IRRequest{Of: CheckRequest{Source: "x = (", Puzzle: 1}}}).IR; got.IR != "" {
		t.Errorf("what does not compile has IR: %+v", got)
	}
}
