package api

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// TestCourses: the courses of the programs that are asked for, with the step of the first problem.
func TestCourses(t *testing.T) {
	of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: unmasked}}
	text, err := json.Marshal(&Request{Courses: &CoursesRequest{Of: of, From: 5, Count: 8}})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	serve(t, newDocumentServer(testBudget, Libraries{}), rpc.Message{Text: text}, func(r *Reply, _ [][]byte) { last = r })
	if last == nil || last.Courses == nil || len(last.Courses.Courses) != 2 {
		t.Fatalf("%+v", last)
	}
	for i, c := range last.Courses.Courses {
		inspected, _ := inspectRequest(t, newServer(testBudget), "en", &InspectRequest{Puzzle: of.Puzzle, Program: c.Program})
		problem := -1
		for at, step := range inspected.Steps {
			if step.Problem != "" && problem < 0 {
				problem = at
			}
		}
		want := fmt.Sprint([]int{5 + i, 0, 0}, inspected.Total, 1, 1, 0, problem, 1, inspected.Total)
		if got := fmt.Sprint(c.Program, c.Steps, c.Loads, c.Stores, c.Atomics, c.Problem, c.Stride, len(c.Marks)); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
