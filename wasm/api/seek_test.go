package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// seekRequest asks the program that documents load.
func seekRequest(t *testing.T, lang string, r *SeekRequest) *SeekReply {
	t.Helper()
	text, err := json.Marshal(&Request{Lang: lang, Seek: r})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	serve(t, newDocumentServer(testBudget, Libraries{}), rpc.Message{Text: text}, func(r *Reply, _ [][]byte) { last = r })
	if last == nil || last.Seek == nil {
		t.Fatalf("%+v", last)
	}
	return last.Seek
}

// TestSeek: the step that is found is that of the inspection of its program; what is wrong with a condition is said in
// the reader's language, with the stop that has it.
func TestSeek(t *testing.T) {
	of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}}
	line := 1 + strings.Count(answerTo(2)[:strings.Index(answerTo(2), "x = tl.load")], "\n")
	stops := []Stop{{Line: 1}, {Line: line, Condition: "pid > 3 and not all(mask)"}}
	r := seekRequest(t, "en", &SeekRequest{Of: of, Program: []int{0, 0, 0}, Step: -1, Stops: stops})
	if r.Message != "" || r.Stop != 1 || fmt.Sprint(r.Program) != "[6 0 0]" {
		t.Fatalf("%+v", r)
	}
	inspected, _ := inspectRequest(t, newServer(testBudget), "en", &InspectRequest{Puzzle: of.Puzzle, Program: r.Program})
	if of := siteOf(inspected, r.Step); of.Line != line || of.Name != "x" {
		t.Errorf("step %d is %+v", r.Step, of)
	}
	if r := seekRequest(t, "en", &SeekRequest{Of: of, Program: r.Program, Step: r.Step, Stops: stops}); r.Stop != -1 || r.Message != "" {
		t.Errorf("after the last: %+v", r)
	}
	stops[1].Condition = "pidd > 3"
	if r := seekRequest(t, "zh", &SeekRequest{Of: of, Stops: stops}); r.Stop != 1 || !strings.Contains(r.Message, "`pidd` 既不是") {
		t.Errorf("%+v", r)
	}
	none := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: "import nothing"}}
	if r := seekRequest(t, "en", &SeekRequest{Of: none, Stops: stops}); r.Message == "" || r.Stop != -1 {
		t.Errorf("%+v", r)
	}
}
