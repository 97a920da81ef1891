package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/wasm/rpc"
)

// tunedCells tune a kernel, for a key in each cell; what stands for PRUNE is an argument of triton.autotune.
const tunedCells = `import torch
import triton
import triton.language as tl

@triton.autotune([triton.Config({"B": b}, num_warps=w) for b, w in [(16, 64), (8, 1), (64, 2), (32, 4)]], ["n"], PRUNE)
@triton.jit
def double(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, i < n) * 2, i < n)

x = torch.ones(64, device="cuda")
double[lambda meta: (triton.cdiv(64, meta["B"]),)](x, 64)
print(double.best_config.kwargs, x.sum().item())
# %%
double[lambda meta: (triton.cdiv(60, meta["B"]),)](x, 60)
print(double.best_config.kwargs)
`

func tunedNotebook(t *testing.T, prune string) *notebook {
	return &notebook{T: t, server: newDocumentServer(testBudget, testLibraries), rank: true,
		text: strings.Replace(tunedCells, "PRUNE", prune, 1)}
}

// endedBy is a runner's last message.
func endedBy(t *testing.T, fault *diag.Diagnostic) []string {
	t.Helper()
	done := protocol.Done{State: protocol.StateDone}
	if fault != nil {
		d := protocol.FromDiag(fault)
		done = protocol.Done{State: protocol.StateFault, Fault: &d}
	}
	text, err := json.Marshal(protocol.ServerMessage{Done: &done})
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(text)}
}

// fewestPrograms expects of a launch as many milliseconds as it has programs. 64 warps are too many.
func fewestPrograms(t *testing.T) func(*JobReply) *LaunchedRequest {
	return func(j *JobReply) *LaunchedRequest {
		m, err := protocol.ReadClient([]byte(j.Launch))
		if err != nil || m.Submit == nil || j.Kernel.IR == "" {
			t.Fatalf("%v: %+v", err, j)
		}
		if j.Kernel.NumWarps == 64 {
			return &LaunchedRequest{Messages: endedBy(t, diag.New("too-many-threads", source.Span{}, "double", 2048, 1024))}
		}
		return &LaunchedRequest{Messages: endedBy(t, nil), Expected: &Expected{float64(m.Submit.Grid[0]), "latency"}}
	}
}

// order is a ranking in one line: the block of each config, with "*" if it is kept and "!" if it is used.
func order(r *Ranking) string {
	var list []string
	for _, c := range r.Configs {
		text := strings.TrimPrefix(strings.SplitN(c.Label, ",", 2)[0], "B: ")
		if c.Expected == nil {
			text += " too much"
		}
		list = append(list, text+map[bool]string{true: "*"}[c.Kept]+map[bool]string{true: "!"}[c.Used])
	}
	return strings.Join(list, ", ")
}

// TestRank: configs are ranked by what the page's model answers, and the first is used where there is no GPU. The one
// that needs too much comes last. How far a ranking is, and that it is over, is told.
func TestRank(t *testing.T) {
	n := tunedNotebook(t, "")
	n.model = fewestPrograms(t)
	out := n.run("one")
	rankings, sweep := map[int]Ranking{}, 0
	for _, r := range out.replies {
		sweep += len(r.Sweep)
		for _, x := range r.Rankings {
			rankings[r.Run] = x
		}
	}
	for run, key := range map[int]string{1: "(64, 'torch.float32')", 2: "(60, 'torch.float32')"} {
		r := rankings[run]
		if r.Kernel != "double" || r.Key != key || r.Number != 0 || order(&r) != "64*!, 32, 8, 16 too much" || r.Correlation != nil {
			t.Errorf("cell %d: %+v: %s", run, r, order(&r))
		}
		if first := r.Configs[0].Expected; *first != (Expected{1, "latency"}) {
			t.Errorf("cell %d: the first is expected to take %+v", run, first)
		}
	}
	if text := strings.Join(out.outputs, "; "); text != "stdout: {'B': 64} 128.0; stdout: {'B': 64}" || sweep > 0 {
		t.Errorf("%s, %d timed", text, sweep)
	}
	out.stages = slices.DeleteFunc(out.stages, func(p Progress) bool { return p.Total == 1 }) // of the launches
	one := []Progress{{"rank", 0, 4}, {"rank", 1, 4}, {"rank", 2, 4}, {"rank", 3, 4}, {"run", 0, 0}}
	if !slices.Equal(out.stages, append(one, one...)) {
		t.Errorf("progress %+v", out.stages)
	}
}

// TestRankNothing: nothing is asked of the model unless somebody wants it, nor for a kernel with a model of its own.
func TestRankNothing(t *testing.T) {
	own := `prune_configs_by={"perf_model": lambda **named: named["B"], "top_k": 1}`
	for _, c := range []struct {
		prune, output string
		rank          bool
	}{{"", "{'B': 8}", false}, {own, "{'B': 8}", true}} {
		n := tunedNotebook(t, c.prune)
		n.rank, n.model = c.rank, func(*JobReply) *LaunchedRequest {
			t.Errorf("%q: the model is asked", c.prune)
			return &LaunchedRequest{Lost: "runner-lost"}
		}
		out := n.run("one")
		if text := strings.Join(out.outputs, "; "); !strings.Contains(text, c.output) {
			t.Errorf("%q: %s", c.prune, text)
		}
		for _, r := range out.replies {
			if len(r.Rankings) > 0 {
				t.Errorf("%q: %+v", c.prune, r.Rankings)
			}
		}
		if slices.ContainsFunc(out.stages, func(p Progress) bool { return p.Stage == "rank" }) {
			t.Errorf("%q: progress %+v", c.prune, out.stages)
		}
	}
}

// TestRankFails: without an answer the first config that compiles is used, and a hint says why.
func TestRankFails(t *testing.T) {
	for name, c := range map[string]struct {
		answer *LaunchedRequest
		said   string
	}{
		"gone":       {&LaunchedRequest{Lost: "runner-lost"}, "the configs of `double` are not ranked: the model of a GPU did not answer"},
		"nothing":    {&LaunchedRequest{Messages: endedBy(t, nil)}, "the model of a GPU did not answer"},
		"a fault":    {&LaunchedRequest{Messages: endedBy(t, diag.New("launch-deadline", source.Span{}, "5m0s"))}, "not ranked: "},
		"unreadable": {&LaunchedRequest{Messages: []string{"?"}}, "did not answer"},
	} {
		n := tunedNotebook(t, "")
		n.model = func(*JobReply) *LaunchedRequest { return c.answer }
		out := n.run("one", 0)
		said := false
		for _, d := range out.last.Diagnostics {
			said = said || d.Code == "autotune-unranked" && d.Severity == "hint" && strings.Contains(d.Headline, c.said)
		}
		if text := strings.Join(out.outputs, "; "); !said || !strings.HasPrefix(text, "stdout: {'B': 8}") {
			t.Errorf("%s: %s: %+v", name, text, out.last.Diagnostics)
		}
	}
}

// TestRankStop: a person who stops the run while the model is at work gets the session back.
func TestRankStop(t *testing.T) {
	n := tunedNotebook(t, "")
	stop, _ := json.Marshal(Request{Lang: "en", Stop: &StopRequest{}})
	n.model = func(*JobReply) *LaunchedRequest {
		n.server.accept(rpc.Message{Call: 1, Text: stop}, func(rpc.Message) { t.Error("a reply to the stop") })
		return nil
	}
	if got := n.run("one", 0); len(got.ended) != 1 || got.ended[0] {
		t.Errorf("the cell ended %v: %q", got.ended, got.outputs)
	}
	n.text = "print(x.sum().item())\n"
	if got := n.run("one"); strings.Join(got.outputs, "") != "stdout: 64.0" {
		t.Errorf("after the stop: %q", got.outputs)
	}
}

// TestRankMeasured: what was measured stands by what was expected, and the fastest is used.
func TestRankMeasured(t *testing.T) {
	s := &stream{call: &call{server: newServer(testBudget), send: func(Reply, ...[]byte) {}}}
	r := &s.rankings
	for _, kernel := range []string{"j", "k"} {
		s.ranked(&host.Ranking{Kernel: kernel, Configs: []host.RankedConfig{
			{Label: "B: 1", Expected: host.Estimate{MS: 1}, Kept: true}, {Label: "B: 2", Expected: host.Estimate{MS: 2}, Kept: true},
			{Label: "B: 3", Expected: host.Estimate{MS: 3}, Kept: true}, {Label: "B: 4", Expected: host.Estimate{MS: 4}, Kept: true},
			{Label: "B: 5", Expected: host.Estimate{MS: 5}},
		}})
		r.tell()
	}
	for i, want := range []string{"1*!, 2*, 3*, 4*, 5", "1*!, 2*, 3*, 4*, 5", "1*, 2*, 3*!, 4*, 5", "1*, 2*, 3*!, 4*, 5"} {
		ms := []float64{30, math.Inf(1), 10, 20}[i]
		r.measured(&host.Measurement{Name: "k", Label: fmt.Sprintf("B: %d", i+1), Value: ms, Best: "B: 1"})
		told := r.tell()
		if len(told) != 1 || told[0].Number != 1 || order(&told[0]) != want || told[0].Configs[i].Failed != math.IsInf(ms, 0) {
			t.Fatalf("%d: %+v", i, told)
		}
		if last := told[0].Correlation; (last == nil) != (i < 3) || last != nil && *last != -0.5 {
			t.Errorf("%d: the correlation is %v", i, last)
		}
	}
	r.measured(&host.Measurement{Name: "k", Label: "B: 5", Value: 1, Best: "B: 5"})
	r.measured(&host.Measurement{Name: "plot", Label: "B: 1", Value: 1})
	if told := r.tell(); told != nil {
		t.Errorf("%+v", told)
	}
}

// TestRankTooLarge: tensors that the model has no room for are not sent to it.
func TestRankTooLarge(t *testing.T) {
	c := &call{server: newServer(testBudget), send: func(Reply, ...[]byte) { t.Error("the model is asked") }}
	args := []launch.Arg{{Tensor: &launch.Tensor{Data: make([]byte, maxModelBytes+1)}}}
	_, fault := c.model(context.Background(), nil, args, device.Options{}, [3]int{1, 1, 1})
	if fault == nil || fault.Code != "model-too-large" {
		t.Errorf("%+v", fault)
	}
}
