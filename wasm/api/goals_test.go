package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/grade"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/wasm/ptx/code"
	"github.com/newtlab/newt/wasm/rpc"
)

// gradedInPage grades an answer as the page does: one program packs the first test's launch, the one for PTX simulates it.
func gradedInPage(t *testing.T, s *server, p *puzzles.Puzzle, answer string) *goal.Ladder {
	t.Helper()
	of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: answer}}
	request, err := json.Marshal(Request{Lang: "en", Job: &JobRequest{Of: of}})
	if err != nil {
		t.Fatal(err)
	}
	var job *JobReply
	var tensors [][]byte
	serve(t, s, rpc.Message{Text: request}, func(r *Reply, buffers [][]byte) { job, tensors = r.Job, buffers })
	if job == nil || job.Launch == "" {
		t.Fatalf("%s: no launch: %+v", p.Slug, job)
	}
	if request, err = json.Marshal(code.Request{
		Lang: "en", Source: answer, Target: "sm_90a", IR: job.Kernel.IR, Launch: job.Launch, Goals: p.Goals,
	}); err != nil {
		t.Fatal(err)
	}
	var reply code.Reply
	code.Handle(rpc.Message{Text: request, Buffers: tensors}, func(m rpc.Message) {
		if err := json.Unmarshal(m.Text, &reply); err != nil {
			t.Fatal(err)
		}
	})
	if reply.Ladder == nil {
		t.Fatalf("%s: no ladder: %s%s", p.Slug, reply.Problem, reply.Error)
	}
	return reply.Ladder
}

// TestPageGrades: the page counts of starters and solutions of the second course what the command line counts.
func TestPageGrades(t *testing.T) {
	s := newDocumentServer(testBudget, Libraries{Puzzle: fast.Get})
	for _, p := range fast.All() {
		j := judge.New(p)
		for _, answer := range []string{p.Text.Starter, p.Text.Solutions[0].Source} {
			file := source.NewFile("kernel.py", answer)
			want, fault := grade.Grade(t.Context(), j, j.Check(t.Context(), file, judge.Options{}), file, "en")
			if got := gradedInPage(t, s, p, answer); fault != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the page counts %+v, the command line %+v", p.Slug, got, want)
			}
		}
	}
}

// TestSecondCourse: the first program has none of its puzzles, which the larger one takes from its libraries.
func TestSecondCourse(t *testing.T) {
	p, _ := fast.Get(2001)
	request, err := json.Marshal(Request{Lang: "zh", Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: p.Text.Starter}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*server{newServer(testBudget), newDocumentServer(testBudget, testLibraries)} {
		if r := send(t, s, request); r.Verdict != nil || !strings.Contains(r.Error, "no puzzle 2001") {
			t.Errorf("%+v", r)
		}
	}
	r := send(t, newDocumentServer(testBudget, Libraries{Puzzle: fast.Get}), request)
	if v := r.Verdict; v == nil || !v.Pass || v.Message != "正确：4 个测试全部通过。" {
		t.Errorf("%+v", r)
	}
}

// TestOwnGoals: the goals of somebody's own puzzle come with it; its starter has to be right.
func TestOwnGoals(t *testing.T) {
	c := own()
	for i, f := range c.Files {
		if f.Name == "puzzle.json" {
			c.Files[i].Text = strings.Replace(f.Text, `"sizes"`, `"goals": [{"count": "sectors", "most": [100, 90, 80]}], "sizes"`, 1)
		}
	}
	loaded := ask(t, Request{Lang: "en", Load: &LoadRequest{c}}).Load
	if want := []goal.Goal{{Count: "sectors", Most: []float64{100, 90, 80}}}; !reflect.DeepEqual(loaded.Goals, want) {
		t.Errorf("goals %+v, want %+v", loaded.Goals, want)
	}
	if loaded.OK || len(loaded.Problems) != 1 || !strings.Contains(loaded.Problems[0].Text, "is to be right") {
		t.Errorf("a starter that is wrong: %+v", loaded.Problems)
	}
}
