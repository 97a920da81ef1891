package api

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles/judge"
)

// TestCase: a verdict has the detail of the first test and of the first that fails. That of another test is what a check
// that explains all tests says of it.
func TestCase(t *testing.T) {
	s := newServer(testBudget)
	answer := PuzzleRequest{Puzzle: 2, Source: strings.Replace(answerTo(2), "i < N0", "i <= N0", 1)}
	text, _ := json.Marshal(&Request{Puzzle: &answer})
	v := send(t, s, text).Verdict
	j, _ := s.judge(2)
	whole := j.Check(context.Background(), source.NewFile("kernel.py", answer.Source), judge.Options{})
	failed, explained := whole.FirstFailed(), 0
	if v == nil || v.Pass || failed < 0 {
		t.Fatalf("%+v", v)
	}
	for i, c := range append(v.Classic.Cases, v.Strict.Cases...) {
		if c.Detail != nil {
			if explained++; i != 0 && i != failed {
				t.Errorf("test %d has its detail", i)
			}
		}
		text, _ := json.Marshal(&Request{Case: &CaseRequest{answer, i}})
		got, want := send(t, s, text).Case, &whole.Classic.Cases[0]
		if i > 0 {
			want = &whole.Strict.Cases[i-1]
		}
		if all := (&call{server: s}).detailOf(want); got == nil || !reflect.DeepEqual(got, inPage(t, all)) {
			t.Errorf("test %d: %+v, want %+v", i, got, all)
		}
		if c.Pass != (want.Problem == nil) {
			t.Errorf("test %d passes: %t", i, c.Pass)
		}
	}
	if explained == 0 {
		t.Error("no test has its detail")
	}
	for _, r := range []CaseRequest{{answer, -1}, {answer, 99}, {PuzzleRequest{Puzzle: 99}, 0}} {
		text, _ := json.Marshal(&Request{Case: &r})
		if reply := send(t, s, text); reply.Case != nil || reply.Error == "" {
			t.Errorf("%+v", reply)
		}
	}
}

// inPage is a detail as the page reads it.
func inPage(t *testing.T, d *CaseDetail) *CaseDetail {
	var out Reply
	if err := json.Unmarshal(encode(&Reply{Case: d}), &out); err != nil {
		t.Fatal(err)
	}
	return out.Case
}
