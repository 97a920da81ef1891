package code

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/puzzles/grade"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/rpc"
)

// gradedInPage grades an answer as the page does: one program packs the first test's launch, this one simulates it.
func gradedInPage(t *testing.T, page rpc.Handler, p *puzzles.Puzzle, answer string) *goal.Ladder {
	t.Helper()
	encode := func(request any) []byte {
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	of := api.InspectRequest{Puzzle: &api.PuzzleRequest{Puzzle: p.Number, Source: answer}}
	replies := make(chan rpc.Message, 1)
	page(rpc.Message{Text: encode(api.Request{Lang: "en", Job: &api.JobRequest{Of: of}})}, func(m rpc.Message) { replies <- m })
	sent := <-replies
	var packed api.Reply
	if err := json.Unmarshal(sent.Text, &packed); err != nil || packed.Job == nil || packed.Job.Launch == "" {
		t.Fatalf("%s: no launch: %v %.200s", p.Slug, err, sent.Text)
	}
	job := packed.Job
	request := encode(Request{
		Lang: "en", Source: answer, Target: "sm_90a", IR: job.Kernel.IR, Launch: job.Launch, Goals: p.Goals,
	})
	var reply Reply
	Handle(rpc.Message{Text: request, Buffers: sent.Buffers}, func(m rpc.Message) {
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
	page := api.HandleDocuments(api.Libraries{Puzzle: fast.Get})
	for _, p := range fast.All() {
		j := judge.New(p)
		for _, answer := range []string{p.Text.Starter, p.Text.Solutions[0].Source} {
			file := source.NewFile("kernel.py", answer)
			want, fault := grade.Grade(t.Context(), j, j.Check(t.Context(), file, judge.Options{}), file, "en")
			if got := gradedInPage(t, page, p, answer); fault != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the page counts %+v, the command line %+v", p.Slug, got, want)
			}
		}
	}
}
