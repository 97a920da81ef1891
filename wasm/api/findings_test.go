package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// findingsRequest asks the program that documents load.
func findingsRequest(t *testing.T, lang string, r *FindingsRequest) *FindingsReply {
	t.Helper()
	text, err := json.Marshal(&Request{Lang: lang, Findings: r})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	serve(t, newDocumentServer(testBudget, Libraries{}), rpc.Message{Text: text}, func(r *Reply, _ [][]byte) { last = r })
	if last == nil || last.Findings == nil {
		t.Fatalf("%+v", last)
	}
	return last.Findings
}

// TestFindings: what the sanitizers and the launch itself find in a puzzle's test, in the reader's language, with the step
// and elements that an inspection has; a right answer has no findings, and a text that does not compile has the reason.
func TestFindings(t *testing.T) {
	undefined := strings.Replace(answerTo(2), "x + 10.0, mask=mask)", "x + 10.0)", 1)
	if undefined == answerTo(2) {
		t.Fatalf("the solution has changed:\n%s", undefined)
	}
	of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: undefined}}
	for lang, where := range map[string]string{"en": "program 6, lanes 8 to 31: z[200:224]", "zh": "程序 6 的通道 8 到 31：z[200:224]"} {
		r := findingsRequest(t, lang, &FindingsRequest{Of: of})
		if r.Message != "" || len(r.Limits) > 0 || r.Total != 2 || len(r.Findings) != 2 {
			t.Fatalf("%+v", r)
		}
		inspected, _ := inspectRequest(t, newServer(testBudget), lang, &InspectRequest{Puzzle: of.Puzzle, Program: []int{6}})
		for i, code := range []string{"out-of-bounds-store", "undefined-lane-store"} {
			f := r.Findings[i]
			if f.Diagnostic.Code != code || f.Where != where || f.Tensor != 1 || len(f.Elements) != 24 || f.Elements[0] != 200 {
				t.Errorf("%+v", f)
			}
			if of := siteOf(inspected, f.Step); of.Line != f.Diagnostic.Line || of.Op != "tl.store" {
				t.Errorf("step %d is %+v", f.Step, of)
			}
		}
	}
	right := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}}
	if r := findingsRequest(t, "en", &FindingsRequest{Of: right, Whole: true}); r.Message != "" || r.Total > 0 || r.More {
		t.Errorf("%+v", r)
	}
	none := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: "import nothing"}}
	if r := findingsRequest(t, "en", &FindingsRequest{Of: none}); r.Message == "" {
		t.Errorf("%+v", r)
	}
}
