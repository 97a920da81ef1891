package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/puzzles/goal"
)

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
