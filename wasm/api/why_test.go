package api

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// whyRequest asks the program that documents load.
func whyRequest(t *testing.T, lang string, r *WhyRequest) *WhyReply {
	t.Helper()
	text, err := json.Marshal(&Request{Lang: lang, Why: r})
	if err != nil {
		t.Fatal(err)
	}
	var last *Reply
	serve(t, newDocumentServer(testBudget, Libraries{}), rpc.Message{Text: text}, func(r *Reply, _ [][]byte) { last = r })
	if last == nil || last.Why == nil {
		t.Fatalf("%+v", last)
	}
	return last.Why
}

// TestWhy: a wrong element of a puzzle's output has what it should be, and the lines and steps that it comes from; what
// there is nothing to say of has the reason.
func TestWhy(t *testing.T) {
	source := strings.Replace(answerTo(2), "x + 10.0", "x + 11.0", 1)
	wrong := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: source}}
	r := whyRequest(t, "en", &WhyRequest{Of: wrong, Tensor: -1, Element: 40})
	if r.Element != "z[40]" || r.Got == r.Expected || r.Expected == "" || r.Program[0] != 1 || r.Tensor != 1 {
		t.Errorf("%+v", r)
	}
	first, line := r.Origins[0], strings.Split(source, "\n")
	if !strings.Contains(first.Sentence, "program 1, lane 8") || !strings.Contains(line[first.Line-1], "tl.store") {
		t.Errorf("%+v", first)
	}
	// Each step is the one that the inspection of the program has.
	program := &InspectRequest{Puzzle: wrong.Puzzle, Program: r.Program}
	inspected, _ := inspectRequest(t, newServer(testBudget), "en", program)
	for _, o := range r.Origins {
		if o.Step >= 0 && siteOf(inspected, o.Step).Line != o.Line {
			t.Errorf("%q: step %d is on line %d, not %d", o.Sentence, o.Step, siteOf(inspected, o.Step).Line, o.Line)
		}
	}
	r = whyRequest(t, "zh", &WhyRequest{Of: wrong, Element: 3})
	if !strings.Contains(r.Origins[0].Sentence, "没有程序写入 x") {
		t.Errorf("%+v", r)
	}
	for _, element := range []int{-1, 200} {
		if r := whyRequest(t, "en", &WhyRequest{Of: wrong, Element: element}); r.Message == "" {
			t.Errorf("element %d: %+v", element, r)
		}
	}
	if r := whyRequest(t, "en", &WhyRequest{Of: wrong, Tensor: 2}); r.Message == "" {
		t.Errorf("%+v", r)
	}
	none := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: "import nothing"}}
	if r := whyRequest(t, "en", &WhyRequest{Of: none}); r.Message == "" {
		t.Errorf("%+v", r)
	}
}

// TestWhyValue: an element of the value of a step has the steps that it comes from, the first of them that step.
func TestWhyValue(t *testing.T) {
	of := InspectRequest{Puzzle: &PuzzleRequest{Puzzle: 2, Source: answerTo(2)}, Program: []int{1}}
	inspected, _ := inspectRequest(t, newServer(testBudget), "en", &of)
	load := slices.IndexFunc(inspected.Steps, func(s Step) bool { return inspected.Sites[s.Site].Op == "tl.load" })
	for lang, reads := range map[string]string{"en": "it reads x[35]", "zh": "它读取 x[35]"} {
		r := whyRequest(t, lang, &WhyRequest{Of: of, Element: 3, Value: &StepValue{Program: []int{1}, Step: load}})
		if r.Element != "x[3]" || r.Tensor != -1 || r.Expected != "" || r.Program[0] != 1 {
			t.Errorf("%+v", r)
		}
		if o := r.Origins[0]; o.Step != load || o.Line != siteOf(inspected, load).Line || !strings.Contains(o.Sentence, reads) {
			t.Errorf("%+v", o)
		}
	}
	for _, element := range []int{-1, 32} {
		ask := &WhyRequest{Of: of, Element: element, Value: &StepValue{Program: []int{1}, Step: load}}
		if r := whyRequest(t, "en", ask); r.Message == "" {
			t.Errorf("element %d: %+v", element, r)
		}
	}
}
